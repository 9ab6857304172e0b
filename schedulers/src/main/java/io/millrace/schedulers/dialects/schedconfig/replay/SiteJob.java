package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A job of a session as it is played. */
final class SiteJob {

  static final long NEVER = Long.MAX_VALUE;

  private final String label;
  private final long sleepMs;
  private final Job record;
  private String comment = "";
  private SiteOutcome.SiteStart started;
  private SiteOutcome.Promised promised;

  /** When the job's run, if nothing stops it, is over; its time is counted while it runs. */
  private long endMs = NEVER;

  private long ranMs;
  private long sinceMs = -1;
  private List<NodeShare> shares = List.of();
  private int runs;

  /** Names of resources in the order in which the job asks for them. */
  private final List<String> asked;

  SiteJob(SiteStep step, long number, JobSpec spec, long nowMs) {
    this.label = step.name();
    this.asked = List.of(String.join(":", step.words()).split("[:,=+]"));
    long sleepMs = Math.round(step.amount() * 1000);
    this.sleepMs = sleepMs;
    this.record =
        Job.newBuilder()
            .setId(number + ".pbs1")
            .setNumber(number)
            .setRank(number)
            .setSpec(spec)
            .setStatus(JobStatus.QUEUED)
            .setCreatedMs(nowMs)
            .setQueuedMs(nowMs)
            .setModifiedMs(nowMs)
            .setEvents(List.of())
            .build();
  }

  /** Resources in the order in which the job names them, the others before. */
  List<String> inOrder(Collection<String> resources) {
    return resources.stream()
        .sorted(Comparator.<String>comparingInt(asked::indexOf).thenComparing(name -> name))
        .toList();
  }

  String label() {
    return label;
  }

  long number() {
    return record.getNumber();
  }

  Job record() {
    return record;
  }

  boolean runs() {
    return record.getStatus() == JobStatus.RUNNING && record.getSuspension() == Suspension.NONE;
  }

  boolean waits() {
    return record.getStatus() == JobStatus.QUEUED || record.getSuspension() != Suspension.NONE;
  }

  boolean isGone() {
    return record.getStatus() == JobStatus.FINISHED;
  }

  long endMs() {
    return endMs;
  }

  List<NodeShare> shares() {
    return shares;
  }

  /** Seconds for which it has waited. */
  long waitedS(long nowMs) {
    return Math.round((nowMs - record.getQueuedMs() - ranMs) / 1000.0);
  }

  /** Seconds for which it has run, all its runs together. */
  long ranS(long nowMs) {
    return (ranMs + (sinceMs >= 0 ? nowMs - sinceMs : 0)) / 1000;
  }

  void starts(List<NodeShare> given, long nowMs) {
    shares = given;
    runs++;
    record.setRun(runs);
    record.setStatus(JobStatus.RUNNING);
    record.setSuspension(Suspension.NONE);
    record.setStartedMs(nowMs);
    record.setAllocation(new Allocation(given, "", "", null));
    goesOn(nowMs);
  }

  void resumes(long nowMs) {
    record.setSuspension(Suspension.NONE);
    record.setResumedMs(nowMs);
    goesOn(nowMs);
  }

  private void goesOn(long nowMs) {
    sinceMs = nowMs;
    endMs = nowMs + sleepMs - ranMs;
    comment = "";
    promised = null;
  }

  /** Its run stands still and may go on when there is room. */
  RunSuspended suspended(long nowMs) {
    ranMs += nowMs - sinceMs;
    sinceMs = -1;
    endMs = NEVER;
    record.setRanMs(ranMs);
    record.setSuspension(Suspension.RESUMABLE);
    RunSuspended fact = new RunSuspended();
    fact.setRun(runs);
    fact.setShares(shares);
    fact.setRanMs(ranMs);
    fact.setSuspension(Suspension.RESUMABLE);
    return fact;
  }

  void ends(long nowMs) {
    if (sinceMs >= 0) {
      ranMs += nowMs - sinceMs;
      sinceMs = -1;
    }
    endMs = NEVER;
    comment = "";
    promised = null;
    record.setSuspension(Suspension.NONE);
    record.setStatus(JobStatus.FINISHED);
  }

  /** Its first start is the one that is told. */
  void started(SiteOutcome.SiteStart now) {
    started = started == null ? now : started;
  }

  SiteOutcome.SiteStart started() {
    return started;
  }

  void comment(String now) {
    comment = now;
  }

  void promised(SiteOutcome.Promised now) {
    promised = now;
  }

  String comment() {
    return record.getStatus() == JobStatus.QUEUED ? comment : "";
  }

  /** PBS's letter for its state. */
  String letter() {
    return switch (record.getStatus()) {
      case FINISHED -> "F";
      case RUNNING -> record.getSuspension() == Suspension.NONE ? "R" : "S";
      default -> "Q";
    };
  }

  SiteOutcome.SiteJobEnd end() {
    return new SiteOutcome.SiteJobEnd(letter(), started, comment(), promised);
  }
}
