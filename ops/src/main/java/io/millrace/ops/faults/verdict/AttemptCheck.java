package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.SentGroups;
import io.millrace.ops.faults.evidence.TaskLine;
import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.fact.RunFinished;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * Checks that each attempt at a task was sent once, is one job, began once and ended once, and that
 * what was counted is what the job and its script did.
 */
final class AttemptCheck {

  /** All that is known of one attempt; its tag is campaign, task and attempt. */
  private static final class SeenAttempt {
    private final int task;
    private int sent;
    private final List<TaskLine> lines = new ArrayList<>();
    private final List<JobHistory> jobs = new ArrayList<>();
    private final List<LedgerEntry> ends = new ArrayList<>();

    SeenAttempt(int task) {
      this.task = task;
    }
  }

  private final CampaignEvidence campaign;
  private final JobHistories histories;
  private final Defects defects;
  private final SentGroups groups;
  private final Map<String, SeenAttempt> attempts = new TreeMap<>();

  AttemptCheck(CampaignEvidence campaign, JobHistories histories, Defects defects) {
    this.campaign = campaign;
    this.histories = histories;
    this.defects = defects;
    this.groups = new SentGroups(campaign.id(), campaign.facts());
  }

  void run() {
    campaign.facts().forEach(this::note);
    campaign.lines().forEach(this::note);
    for (JobHistory job : histories.all()) {
      if (!job.campaignTag().isEmpty()) {
        note(job);
      }
    }
    attempts.forEach(this::judge);
  }

  private SeenAttempt attempt(int task, int number) {
    String tag = SentGroups.tag(campaign.id(), task, number);
    return attempts.computeIfAbsent(tag, it -> new SeenAttempt(task));
  }

  private void note(LedgerEntry entry) {
    SpecificRecord fact = entry.fact();
    if (fact instanceof TasksSent sent && sent.getCampaign() == campaign.id()) {
      for (SentTask task : sent.getTasks()) {
        attempt(task.getTask(), task.getAttempt()).sent++;
      }
    } else if (fact instanceof AttemptEnded end && end.getCampaign() == campaign.id()) {
      attempt(end.getTask(), end.getAttempt()).ends.add(entry);
    } else if (fact instanceof AttemptDropped end && end.getCampaign() == campaign.id()) {
      attempt(end.getTask(), end.getAttempt()).ends.add(entry);
    }
  }

  private void note(TaskLine line) {
    attempt(line.task(), line.attempt()).lines.add(line);
    String tag = histories.find(line.jobId()).map(JobHistory::campaignTag).orElse("");
    String own = SentGroups.tag(campaign.id(), line.task(), line.attempt());
    if (!tag.equals(groups.job(own))) {
      String as = tag.isEmpty() ? "is no job of the campaign" : "is " + tag;
      defects.unexplained(line.jobId(), as + ", and wrote the line of " + own);
    }
  }

  private void note(JobHistory job) {
    String[] parts = job.campaignTag().split("\\.");
    boolean known =
        parts.length == 3
            && parts[0].equals(Long.toString(campaign.id()))
            && parts[1].matches("[0-9]{1,9}")
            && parts[2].matches("[0-9]{1,9}");
    if (known) {
      attempt(Integer.parseInt(parts[1]), Integer.parseInt(parts[2])).jobs.add(job);
    } else {
      defects.unexplained(job.id(), "has the tag " + job.campaignTag() + " of no campaign here");
    }
  }

  private void judge(String tag, SeenAttempt attempt) {
    String task = TaskCheck.subject(attempt.task);
    if (attempt.sent == 0) {
      defects.unexplained(task, tag + " was never sent, and there is something of it");
    } else if (attempt.sent > 1) {
      defects.twice(task, tag + " was sent " + attempt.sent + " times");
    }
    if (attempt.jobs.size() > 1) {
      defects.twice(task, tag + " is the jobs " + ids(attempt.jobs));
    }
    if (!groups.job(tag).equals(tag) && !attempt.jobs.isEmpty()) {
      String beside = " is in the job of " + groups.job(tag) + ", and the jobs ";
      defects.twice(task, tag + beside + ids(attempt.jobs));
    }
    if (attempt.lines.size() > 1) {
      defects.twice(task, tag + " began more than once: " + attempt.lines);
    }
    if (attempt.ends.isEmpty()) {
      unended(tag, attempt);
    } else if (attempt.ends.size() > 1) {
      defects.unexplained(task, tag + " ended more than once: " + attempt.ends);
    }
    attempt.ends.forEach(end -> end(tag, attempt, end));
  }

  private void unended(String tag, SeenAttempt attempt) {
    String task = TaskCheck.subject(attempt.task);
    if (jobs(tag).stream().anyMatch(job -> succeeded(job, attempt.task))) {
      defects.lost(task, tag + " succeeded, and its end was never told to the campaign");
    } else {
      defects.unexplained(task, tag + " has no end in the campaign ledger");
    }
  }

  private void end(String tag, SeenAttempt attempt, LedgerEntry entry) {
    String task = TaskCheck.subject(attempt.task);
    if (!(entry.fact() instanceof AttemptEnded end)) {
      return; // another attempt was counted
    }
    boolean done = end.getStatus() == TaskStatus.DONE;
    List<String> own = ids(jobs(tag));
    if (!end.getJobId().isEmpty() && !own.contains(end.getJobId())) {
      // Another task's success is none of this one.
      String what = tag + " is the jobs " + own + ", and its end names another: " + entry;
      String job = " " + end.getJobId();
      if (done) {
        defects.lost(task, what + job);
      } else {
        defects.unexplained(task, what + job);
      }
      return;
    }
    boolean success =
        histories.find(end.getJobId()).map(job -> succeeded(job, attempt.task)).orElse(false);
    if (done && !success) {
      defects.unexplained(
          task, tag + " was counted, and its job " + end.getJobId() + " did not succeed: " + entry);
    } else if (done && attempt.lines.isEmpty()) {
      defects.lost(task, tag + " was counted, and its script never ran: " + entry);
    } else if (!done && success) {
      defects.lost(
          task, tag + " succeeded as " + end.getJobId() + " and was not counted: " + entry);
    }
  }

  private static List<String> ids(List<JobHistory> jobs) {
    return jobs.stream().map(JobHistory::id).toList();
  }

  /** The jobs of an attempt, whether they are its own or those of another one. */
  private List<JobHistory> jobs(String tag) {
    SeenAttempt attempt = attempts.get(groups.job(tag));
    return attempt == null ? List.of() : attempt.jobs;
  }

  /** Whether a task has, in a job that may have written down how each of its tasks ended. */
  private static boolean succeeded(JobHistory job, int task) {
    return job.ends().stream()
        .map(LedgerEntry::fact)
        .anyMatch(fact -> fact instanceof RunFinished end && succeeded(end, task));
  }

  private static boolean succeeded(RunFinished end, int task) {
    return end.getSteps().isEmpty()
        ? end.getExitStatus() == 0
        : end.getSteps().lines().anyMatch(line -> line.startsWith(task + " 0 "));
  }
}
