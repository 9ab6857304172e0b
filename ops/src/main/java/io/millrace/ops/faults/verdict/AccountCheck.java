package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.KillPurpose;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * Checks the accounting files: each fact that needs a line has exactly one, an end has its exit
 * status, and there are no other lines. Computed from the ledger without the accounting's own code.
 */
public final class AccountCheck {

  private final List<LedgerEntry> ledger;
  private final List<String> lines;
  private final Defects defects;

  /**
   * @param lines of the accounting files of all days
   */
  AccountCheck(List<LedgerEntry> ledger, List<String> lines, Defects defects) {
    this.ledger = ledger;
    this.lines = lines;
    this.defects = defects;
  }

  void run() {
    Map<String, Integer> wanted = wanted(ledger);
    Map<String, Integer> found = new TreeMap<>();
    for (String line : lines) {
      found.merge(key(line), 1, Integer::sum);
    }
    Set<String> all = new HashSet<>(wanted.keySet());
    all.addAll(found.keySet());
    for (String key : all) {
      int should = wanted.getOrDefault(key, 0);
      int is = found.getOrDefault(key, 0);
      String job = key.split(" ", 3)[1];
      String what = "accounting lines '" + key + "': " + is + " where the ledger has " + should;
      if (is < should) {
        defects.lost(job, what);
      } else if (is > should) {
        defects.twice(job, what);
      }
    }
  }

  /** Number of lines that the ledger requires. */
  public static int count(List<LedgerEntry> ledger) {
    return wanted(ledger).values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Type and job of a line; for an end also the exit status. */
  private static String key(String line) {
    String[] parts = line.split(";", 4);
    if (parts.length < 4) {
      return "line " + line.replace(' ', '_');
    }
    String key = parts[1] + " " + parts[2];
    boolean end = parts[1].equals("E") || parts[1].equals("R");
    int at = parts[3].indexOf(" Exit_status=");
    return end && at >= 0 ? key + " " + parts[3].substring(at + 1).split(" ", 2)[0] : key;
  }

  private static Map<String, Integer> wanted(List<LedgerEntry> ledger) {
    Map<String, Integer> wanted = new TreeMap<>();
    Set<String> begun = new HashSet<>();
    for (LedgerEntry entry : ledger) {
      SpecificRecord fact = entry.fact();
      String job = JobHistories.jobOf(fact).orElse("");
      String type = "";
      if (fact instanceof JobQueued || fact instanceof JobAccepted || fact instanceof JobMoved) {
        type = "Q";
      } else if (fact instanceof RunStarted started) {
        type = "S";
        begun.add(job + " " + started.getRun());
      } else if (fact instanceof RunSuspended) {
        type = "z";
      } else if (fact instanceof RunResumed) {
        type = "r";
      } else if (fact instanceof JobDeleted deleted) {
        type = deleted.getWhy().isEmpty() ? "D" : "A";
      } else if (fact instanceof RunKillRequested kill && kill.getPurpose() == KillPurpose.DELETE) {
        type = "D";
      } else if (fact instanceof RunPreempted) {
        type = "PREEMPTED";
      }
      if (!type.isEmpty()) {
        wanted.merge(type + " " + job, 1, Integer::sum);
      }
      if (fact instanceof RunFinished finished) {
        wanted.merge("E " + job + " Exit_status=" + finished.getExitStatus(), 1, Integer::sum);
        if (finished.getStartedMs() > 0 && begun.add(job + " " + finished.getRun())) {
          wanted.merge("S " + job, 1, Integer::sum);
        }
      } else if (fact instanceof RunRequeued requeued) {
        wanted.merge("R " + job + " Exit_status=" + requeued.getExitStatus(), 1, Integer::sum);
      }
    }
    return wanted;
  }
}
