package io.millrace.ops.campaigns.demo;

import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.pbs.ExitStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** What facts of the campaign ledger say of each cluster of the only campaign. */
final class ClusterTally {

  /** Counts of one cluster. */
  static final class TallyRow {
    private int waiting;
    private int running;
    private int done;
    private int killed;

    int waiting() {
      return waiting;
    }

    int running() {
      return running;
    }

    int done() {
      return done;
    }

    /** Attempts that had to give way. */
    int killed() {
      return killed;
    }
  }

  /** An attempt that is at a cluster. */
  private record TalliedAttempt(String cluster, boolean runs) {}

  private final Map<String, TallyRow> rows = new TreeMap<>();
  private final Map<String, TalliedAttempt> attempts = new HashMap<>();
  private int failed;
  private boolean over;

  ClusterTally(List<String> clusters) {
    clusters.forEach(cluster -> rows.put(cluster, new TallyRow()));
  }

  void hear(SpecificRecord fact) {
    if (fact instanceof TasksSent sent) {
      for (SentTask task : sent.getTasks()) {
        put(key(task.getTask(), task.getAttempt()), new TalliedAttempt(sent.getCluster(), false));
      }
    } else if (fact instanceof TaskMoved moved) {
      OpenTask task = moved.getTask();
      boolean runs = task.getStatus() == TaskStatus.RUNNING;
      put(key(task.getTask(), task.getAttempt()), new TalliedAttempt(task.getCluster(), runs));
    } else if (fact instanceof AttemptEnded end) {
      ended(take(key(end.getTask(), end.getAttempt())), end);
    } else if (fact instanceof AttemptDropped end) {
      take(key(end.getTask(), end.getAttempt()));
    } else if (fact instanceof CampaignEnded) {
      over = true;
    }
  }

  private static String key(int task, int attempt) {
    return task + "." + attempt;
  }

  private void put(String key, TalliedAttempt attempt) {
    take(key);
    attempts.put(key, attempt);
    count(attempt, 1);
  }

  private TalliedAttempt take(String key) {
    TalliedAttempt attempt = attempts.remove(key);
    if (attempt != null) {
      count(attempt, -1);
    }
    return attempt;
  }

  private void count(TalliedAttempt attempt, int by) {
    TallyRow row = rows.get(attempt.cluster);
    row.running += attempt.runs ? by : 0;
    row.waiting += attempt.runs ? 0 : by;
  }

  private void ended(TalliedAttempt attempt, AttemptEnded end) {
    if (end.getStatus() == TaskStatus.EVENT) {
      failed++;
    } else if (attempt != null && end.getStatus() == TaskStatus.DONE) {
      rows.get(attempt.cluster).done++;
    } else if (attempt != null && end.getExitStatus() == ExitStatus.PREEMPTED) {
      rows.get(attempt.cluster).killed++;
    }
  }

  TallyRow row(String cluster) {
    return rows.get(cluster);
  }

  int done() {
    return rows.values().stream().mapToInt(TallyRow::done).sum();
  }

  int killed() {
    return rows.values().stream().mapToInt(TallyRow::killed).sum();
  }

  /** Tasks of which an event tells: nobody will have them tried again here. */
  int failed() {
    return failed;
  }

  boolean isOver() {
    return over;
  }
}
