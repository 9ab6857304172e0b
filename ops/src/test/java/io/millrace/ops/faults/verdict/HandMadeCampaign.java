package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.TaskLine;
import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.common.CommandId;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** A campaign made by hand: all went well unless a test changes it. */
final class HandMadeCampaign {
  private static final long ID = 1;

  private final int tasks;
  private final HandMadeEvidence jobs = new HandMadeEvidence();
  private final List<TaskLine> lines = new ArrayList<>();
  private final List<LedgerEntry> facts = new ArrayList<>();
  private String shown = "";

  HandMadeCampaign(int tasks) {
    this.tasks = tasks;
  }

  /** An attempt in the outside system's cluster c1 that is counted. */
  HandMadeCampaign doneOutside(int task, int attempt, String job, int exitStatus) {
    sent(task, attempt).line(job, task, attempt);
    outside(task, attempt, job).finished(0, job, 1, exitStatus);
    return ended(task, attempt, TaskStatus.DONE, job, exitStatus);
  }

  /** An attempt of which the outside system's cluster c1 knows nothing when it is over. */
  HandMadeCampaign lostOutside(int task, int attempt, String job, String told) {
    sent(task, attempt);
    outside(task, attempt, job).finished(0, job, 1, -4, told);
    return ended(task, attempt, TaskStatus.WAITING, job, -4);
  }

  private HandMadeEvidence outside(int task, int attempt, String job) {
    return jobs.queuedTo("c1", job, name(task), tag(task, attempt)).granted(0, job, 1, 1);
  }

  Verdict verdict() {
    return jobs.campaign(new CampaignEvidence(ID, tasks, lines, facts, shown)).verdict();
  }

  HandMadeEvidence jobs() {
    return jobs;
  }

  private HandMadeCampaign fact(SpecificRecord fact) {
    facts.add(new LedgerEntry(0, facts.size(), fact));
    return this;
  }

  static String name(int task) {
    return "cigri-" + ID + "-" + task;
  }

  static String tag(int task, int attempt) {
    return ID + "." + task + "." + attempt;
  }

  HandMadeCampaign sent(int task, int attempt) {
    List<SentTask> one = List.of(new SentTask(task, attempt, -1));
    return fact(new TasksSent(1L, ID, "be0", new CommandId(new byte[16]), one, false, false));
  }

  /** Two tasks are sent in one job, which ends so. */
  HandMadeCampaign pair(String job, int lead, int follower, int status, String steps) {
    List<SentTask> two = List.of(new SentTask(lead, 1, -1), new SentTask(follower, 1, lead));
    fact(new TasksSent(1L, ID, "be0", new CommandId(new byte[16]), two, false, false));
    jobs.queued(0, job, name(lead), tag(lead, 1)).granted(0, job, 1, 1);
    jobs.stepped(job, status, steps);
    return line(job, lead, 1);
  }

  HandMadeCampaign line(String job, int task, int attempt) {
    lines.add(new TaskLine(job, 1, task, attempt));
    return this;
  }

  HandMadeCampaign ended(int task, int attempt, TaskStatus status, String job, int exitStatus) {
    return fact(new AttemptEnded(1L, ID, task, attempt, status, job, exitStatus, 5L, "", false));
  }

  HandMadeCampaign dropped(int task, int attempt, String job) {
    return fact(new AttemptDropped(1L, ID, task, attempt, job, 0, 5L, "", false));
  }

  /** The job of an attempt, from its submission to the end of its only run. */
  HandMadeCampaign job(String job, int task, int attempt, int exitStatus) {
    jobs.queued(0, job, name(task), tag(task, attempt)).granted(0, job, 1, 1);
    jobs.finished(0, job, 1, exitStatus);
    return this;
  }

  /** An attempt that succeeds and is counted. */
  HandMadeCampaign done(int task, int attempt, String job) {
    sent(task, attempt).job(job, task, attempt, 0).line(job, task, attempt);
    return ended(task, attempt, TaskStatus.DONE, job, 0);
  }

  /** An attempt that had to give way before it wrote its line. */
  HandMadeCampaign gaveWay(int task, int attempt, String job) {
    sent(task, attempt);
    jobs.queued(0, job, name(task), tag(task, attempt)).granted(0, job, 1, 1);
    jobs.preempted(0, job, 1).finished(0, job, 1, -33);
    return ended(task, attempt, TaskStatus.WAITING, job, -33);
  }

  HandMadeCampaign over() {
    return fact(new CampaignEnded(1L, ID, "ada", ""));
  }

  /** What gridstat says. */
  HandMadeCampaign shown(String state, int done) {
    shown =
        "  State: "
            + state
            + "\n  Progress: "
            + done
            + "/"
            + tasks
            + " (0%)\n    be0:\n      finished_jobs: "
            + done
            + "\n";
    return this;
  }

  HandMadeCampaign ended(int done) {
    return over().shown("terminated", done);
  }
}
