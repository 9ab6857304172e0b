package io.millrace.server.core.job.array;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.SubjobRuns;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.RecordSize;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.LeavingWork;
import java.util.List;

/** Gives records to the subjobs that are next to run, and ends the array with its last one. */
public final class SubjobWindow {
  /**
   * Subjobs of one array that wait with a record: as many as may begin before others can follow.
   */
  public static final int WAITING_MAX = 100;

  /** Bytes of new records in one decision; the window is filled by further ones. */
  static final long BYTES_AT_ONCE = 256 << 10;

  /** Stands for the index in the paths of an array. */
  public static final String INDEX = "^array_index^";

  private SubjobWindow() {}

  /** Creates the first subjobs of a new array. */
  public static void open(Context c, Job array, Decision decision) {
    if (ArrayStates.is(array)) {
      fill(c, array, array.getArray(), decision);
    }
  }

  /** Opens the window of an array as it is now. */
  static Decision go(Context c, String jobId) {
    Decision decision = Decision.none();
    Job array = c.job(jobId);
    if (array != null && ArrayStates.is(array)) {
      fill(c, array, array.getArray(), decision);
    }
    return decision;
  }

  /**
   * Takes back the records of all subjobs that wait, since the array is to change or to stop.
   *
   * @return the array's state behind that
   */
  public static ArrayState close(Context c, Job array, Decision decision) {
    ArrayState now = array.getArray();
    return now.getWaiting().isEmpty() ? now : withdraw(c, array, now.getWaiting(), decision);
  }

  static ArrayState withdraw(Context c, Job array, List<Integer> waiting, Decision decision) {
    ArrayState now = array.getArray();
    decision.fact(new SubjobsWithdrawn(c.stamp(), array.getId(), waiting));
    for (int index : waiting) {
      now = ArrayStates.withdrawn(now, index, runs(c, array, index));
    }
    return now;
  }

  /** Goes on with the array after waiting subjobs were deleted. */
  static void goOn(Context c, Job array, ArrayState now, Decision decision) {
    fill(c, array, now, decision);
    settle(c, array, now, decision);
  }

  /**
   * Takes back the records of waiting subjobs, and returns the array as it is then; other jobs are
   * returned as they are.
   */
  public static Job closed(Context c, Job job, Decision decision) {
    if (!ArrayStates.is(job)) {
      return job;
    }
    Job closed = Copies.of(job);
    closed.setArray(close(c, job, decision));
    return closed;
  }

  private static SubjobRuns runs(Context c, Job array, int index) {
    return Subjobs.runs(c.view().jobs().get(key(array, index)));
  }

  static String key(Job array, int index) {
    return Keys.number(JobNumbers.subjob(array.getNumber(), index));
  }

  /** A run of a subjob begins: another one may wait in its place. */
  public static void began(Context c, Job subjob, Decision decision) {
    Job array = array(c, subjob);
    if (array != null) {
      fill(c, array, ArrayStates.began(array.getArray(), ArrayStates.index(subjob)), decision);
    }
  }

  /** A run of a subjob has started: whoever waits for the start of the array is told. */
  public static void started(Context c, Job subjob, Decision decision) {
    Job array = array(c, subjob);
    if (array != null) {
      Dependents.begun(c, array, decision);
    }
  }

  /** A subjob waits again; if its array begins no more subjobs now, its record is taken back. */
  public static void requeued(Context c, Job subjob, Decision decision) {
    Job array = array(c, subjob);
    if (array == null || isOpen(c, array)) {
      return;
    }
    int index = ArrayStates.index(subjob);
    decision.fact(new SubjobsWithdrawn(c.stamp(), array.getId(), List.of(index)));
    ArrayState now = ArrayStates.requeued(array.getArray(), index);
    now = ArrayStates.withdrawn(now, index, Subjobs.runs(subjob));
    if (!array.getEndedBy().isEmpty()) {
      now = Deletion.cut(c, array, now, DeletionRequest.of(array.getEndedBy()), decision);
    }
    settle(c, array, now, decision);
  }

  /** Takes back the records of waiting subjobs, one that was running and waits again included. */
  public static void stop(Context c, Job array, Job requeued, Decision decision) {
    if (isOpen(c, array)) {
      Job now = Copies.of(array);
      now.setArray(ArrayStates.requeued(array.getArray(), ArrayStates.index(requeued)));
      close(c, now, decision);
    }
  }

  /** A subjob has ended. */
  public static void ended(Context c, Job subjob, int exitStatus, Decision decision) {
    Job array = array(c, subjob);
    if (array != null) {
      ArrayState now =
          ArrayStates.ended(array.getArray(), ArrayStates.index(subjob), exitStatus != 0);
      if (subjob.getStatus() != JobStatus.QUEUED && !ArrayStates.over(now)) {
        // The report of its start may have been lost.
        Dependents.begun(c, array, decision);
      }
      goOn(c, array, now, decision);
    }
  }

  /** The array of a subjob that is here; null for other jobs. */
  public static Job array(Context c, Job job) {
    return JobNumbers.isSubjob(job.getNumber())
        ? c.view().jobs().get(Keys.number(JobNumbers.array(job.getNumber())))
        : null;
  }

  /**
   * Ends the array with its last subjob, or hands it over after its last run when its queue is in
   * another shard.
   */
  static void settle(Context c, Job array, ArrayState now, Decision decision) {
    if (ArrayStates.over(now)) {
      end(c, array, now, !array.getEndedBy().isEmpty(), decision);
    } else if (now.getBegun().isEmpty() && !isHome(c, array)) {
      LeavingWork.job(c, array.getId(), decision);
    }
  }

  static void end(Context c, Job array, ArrayState now, boolean terminated, Decision decision) {
    int exitStatus = now.getFailed() == 0 ? 0 : 1;
    long eligibleMs = Accruals.eligibleMs(c.view(), array, c.nowMs());
    decision.fact(new ArrayEnded(c.stamp(), array.getId(), exitStatus, eligibleMs));
    JobEnd end = new JobEnd(false, terminated, true, exitStatus);
    Dependents.ended(c, array, end, decision);
  }

  /** Whether more subjobs of it may begin. */
  private static boolean isOpen(Context c, Job array) {
    return array.getStatus() == JobStatus.QUEUED
        && array.getRoute() == null
        && array.getEndedBy().isEmpty()
        && isHome(c, array);
  }

  private static boolean isHome(Context c, Job array) {
    ClusterObject queue = PartitionTable.queue(c.view(), array.getSpec().getQueue());
    int shard = queue == null ? -1 : PartitionTable.shardOf(c.view(), queue);
    return shard < 0 || shard == c.shard();
  }

  private static void fill(Context c, Job array, ArrayState now, Decision decision) {
    if (!isOpen(c, array)) {
      return;
    }
    int room = WAITING_MAX - now.getWaiting().size();
    if (now.getMost() > 0) {
      room = Math.min(room, now.getMost() - ArrayStates.open(now));
    }
    List<Integer> next = ArrayStates.next(now, Math.max(0, room));
    int some = Math.min(next.size(), atOnce(array, next.size()));
    for (int index : next.subList(0, some)) {
      decision.fact(new JobQueued(c.stamp(), subjob(c, array, now, index), List.of()));
    }
    if (some < next.size()) {
      ArrayWork.soon(c, array, decision);
    }
  }

  /** How many records one decision may write: each repeats what the array asks for. */
  private static int atOnce(Job array, int wanted) {
    long bytes = wanted > 1 ? RecordSize.of(array.getSpec()) : 1;
    return (int) Math.max(1, BYTES_AT_ONCE / bytes);
  }

  private static Job subjob(Context c, Job array, ArrayState now, int index) {
    Job job = Copies.of(array);
    long number = JobNumbers.subjob(array.getNumber(), index);
    String server = array.getId().substring(array.getId().indexOf('.') + 1);
    job.setNumber(number);
    job.setId(JobNumbers.id(number, server));
    job.setArray(null);
    job.setAccrual(null); // it has waited as long as its array has by then
    job.setDependents(0);
    job.setDepend(List.of());
    job.setRank(array.getRank() + 1 + ArrayStates.place(now, index));
    JobSpec spec = Copies.of(array.getSpec());
    spec.setOutputPath(spec.getOutputPath().replace(INDEX, Integer.toString(index)));
    spec.setErrorPath(spec.getErrorPath().replace(INDEX, Integer.toString(index)));
    spec.setExecutionMs(0L);
    job.setSpec(spec);
    SubjobRuns runs = ArrayStates.ran(now, index);
    job.setRun(runs.getRun());
    job.setRunCount(runs.getRunCount());
    job.setStatus(JobStatus.QUEUED);
    job.setHolds("n");
    job.setStartedMs(-1L);
    job.setModifiedMs(c.nowMs());
    job.setEvents(List.of(new JobEvent(c.nowMs(), "queued", spec.getQueue())));
    return job;
  }
}
