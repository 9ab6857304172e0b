package io.millrace.server.core.job.array;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.job.delete.Deciders;
import io.millrace.server.core.job.depend.Dependents;
import io.millrace.server.core.job.depend.JobEnd;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.run.grant.Orders;
import java.util.ArrayList;
import java.util.List;

/** Deletion of a whole array, and of a subjob that has no record. */
public final class Deletion {
  /** Continued work: ends runs; the cursor: the array's key, the last index told, which, who. */
  public static final String WORK = "array-deletion";

  /** Continued work: forgets a finished array; the cursor is its id. */
  public static final String PURGE = "array-purge";

  private static final int AT_ONCE = 100;
  private static final int PARTS_MAX = 1000;

  private Deletion() {}

  /**
   * All that waits goes at once; runs are ended a hundred at a time.
   *
   * @param by who wishes it
   * @param why set where nobody does
   */
  public static void all(Context c, Job array, String by, String why, Decision decision) {
    boolean first = array.getEndedBy().isEmpty();
    ArrayState now = Window.close(c, array, decision);
    if (array.getStartedMs() < 0) {
      int exitStatus = why.isEmpty() ? Deciders.EXIT_TERMINATED : 0;
      decision.fact(new JobDeleted(c.stamp(), array.getId(), exitStatus, by, why));
      JobEnd end = why.isEmpty() ? JobEnd.ofWaiting(array, exitStatus) : JobEnd.impossible();
      Dependents.ended(c, array, end, decision);
      return;
    }
    if (first) {
      now = cut(c, array, now, by, decision);
    }
    if (Arrays.over(now)) {
      Window.end(c, array, now, true, decision);
    }
    kill(c, array, -1, List.of(), by, decision);
  }

  /** All indices that are left go. */
  static ArrayState cut(Context c, Job array, ArrayState now, String by, Decision decision) {
    decision.fact(new ArrayCut(c.stamp(), array.getId(), List.of(), now.getLeft(), by, true));
    return Arrays.cut(now);
  }

  /** Whether parts that somebody names can be understood. */
  public static boolean sound(List<IndexSteps> which) {
    return which.size() <= PARTS_MAX && Indices.sound(which);
  }

  /** Some of the subjobs: those that wait at once, runs as for all. */
  public static void some(
      Context c, Job array, List<IndexSteps> which, String by, Decision decision) {
    ArrayState now = array.getArray();
    List<Integer> waiting =
        now.getWaiting().stream().filter(index -> Indices.named(which, index)).toList();
    if (!waiting.isEmpty()) {
      now = Window.withdraw(c, array, waiting, decision);
    }
    List<IndexRange> gone = Indices.of(now, index -> Indices.named(which, index));
    if (!gone.isEmpty()) {
      List<IndexRange> left = Indices.of(now, index -> !Indices.named(which, index));
      decision.fact(new ArrayCut(c.stamp(), array.getId(), left, gone, by, false));
      now = Arrays.cut(now, left, gone);
    }
    Window.goOn(c, array, now, decision);
    kill(c, array, -1, which, by, decision);
  }

  /** Goes on with the runs. */
  public static Decision go(Context c, String cursor) {
    String[] parts = cursor.split("/", 4);
    Job array = c.view().jobs().get(parts[0]);
    Decision decision = Decision.none();
    if (array != null) {
      List<IndexSteps> which = Indices.parse(parts[2]);
      kill(c, array, Integer.parseInt(parts[1]), which, parts[3], decision);
    }
    return decision;
  }

  private static void kill(
      Context c, Job array, int after, List<IndexSteps> which, String by, Decision decision) {
    List<Integer> next =
        array.getArray().getBegun().stream()
            .filter(index -> index > after && (which.isEmpty() || Indices.named(which, index)))
            .sorted()
            .limit(AT_ONCE + 1L)
            .toList();
    for (int index : next.subList(0, Math.min(next.size(), AT_ONCE))) {
      Job subjob = c.view().jobs().get(Window.key(array, index));
      if (subjob.getStatus() == JobStatus.RUNNING) {
        if (subjob.getKilling() != KillPurpose.DELETE) {
          decision.fact(
              new RunKillRequested(
                  c.stamp(), subjob.getId(), subjob.getRun(), KillPurpose.DELETE, by));
        }
        decision.dispatch(Orders.kill(c, subjob));
      }
    }
    if (next.size() > AT_ONCE) {
      String told = next.get(AT_ONCE - 1) + "/" + Indices.cursor(which) + "/" + by;
      String cursor = Keys.number(array.getNumber()) + "/" + told;
      decision.tell(c.shard(), new Continue(c.asShard(), WORK, cursor));
    }
  }

  /** Forgets an array with what its subjobs have left here, these first. */
  public static Decision purge(Context c, String jobId) {
    Decision decision = Decision.none();
    Job array = c.job(jobId);
    if (array == null || array.getStatus() != JobStatus.FINISHED) {
      return decision;
    }
    List<Job> some = new ArrayList<>();
    String from = Keys.number(array.getNumber()) + Keys.SUBJOBS;
    c.view()
        .jobs()
        .scan(
            from,
            from + Character.MAX_VALUE,
            (key, subjob) -> some.add(subjob) && some.size() < AT_ONCE);
    some.forEach(subjob -> decision.fact(new JobPurged(c.stamp(), subjob.getId())));
    if (some.isEmpty()) {
      Purge.purge(c, array, decision);
    } else {
      decision.tell(c.shard(), new Continue(c.asShard(), PURGE, jobId));
    }
    return decision;
  }

  /** Whether it is a subjob of an array here, and has no record yet. */
  public static boolean waits(Context c, long number) {
    Job array =
        JobNumbers.isSubjob(number)
            ? c.view().jobs().get(Keys.number(JobNumbers.array(number)))
            : null;
    return array != null
        && Arrays.is(array)
        && array.getStatus() != JobStatus.FINISHED
        && Arrays.isLeft(array.getArray(), JobNumbers.index(number));
  }

  /** A subjob that has no record yet; null when there is none such here. */
  public static Decision one(Context c, long number) {
    if (!waits(c, number)) {
      return null;
    }
    Job array = c.view().jobs().get(Keys.number(JobNumbers.array(number)));
    int index = JobNumbers.index(number);
    if (!c.mayActOn(array)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    Decision decision = Decision.done(c);
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    some(c, array, List.of(new IndexSteps(index, index, 1)), by, decision);
    return decision;
  }
}
