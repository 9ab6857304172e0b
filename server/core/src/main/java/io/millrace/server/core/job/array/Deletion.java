package io.millrace.server.core.job.array;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.job.purge.Purge;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.state.ArrayIndices;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.ForcedEnd;
import java.util.ArrayList;
import java.util.List;

/** Deletion of a whole array, and of a subjob that has no record. */
public final class Deletion {
  /**
   * Continued work that ends runs; its cursor: the array's key, the last index, which indices, and
   * who asked.
   */
  private static final String WORK = "array-deletion";

  private static final int AT_ONCE = 100;
  private static final int PARTS_MAX = 1000;

  /**
   * Most ranges into which the waiting indices of an array may be split: each fact about the array
   * copies them. An array of ten thousand, as large as arrays are unless the site allows more, has
   * never more.
   */
  static final int PIECES_LEFT_MAX = 5000;

  /** Most ranges that one command may name. */
  private static final int PIECES_NAMED_MAX = 20_000;

  private Deletion() {}

  /**
   * Deletes all waiting subjobs at once; running ones are ended a hundred at a time.
   *
   * @param request whose
   * @param why set where nobody does
   */
  public static void all(
      Context c, Job array, DeletionRequest request, String why, Decision decision) {
    boolean first = array.getEndedBy().isEmpty();
    ArrayState now = SubjobWindow.close(c, array, decision);
    if (array.getStartedMs() < 0) {
      int exitStatus = why.isEmpty() ? ExitStatus.TERMINATED : 0;
      decision.fact(
          new JobDeleted(c.stamp(), array.getId(), exitStatus, request.by(), why, request.quiet()));
      JobEnd end = why.isEmpty() ? JobEnd.ofWaiting(array, exitStatus) : JobEnd.impossible();
      Dependents.ended(c, array, end, decision);
      return;
    }
    if (first) {
      now = cut(c, array, now, request, decision);
    }
    if (ArrayStates.over(now)) {
      SubjobWindow.end(c, array, now, true, decision);
    }
    kill(c, array, -1, List.of(), request, decision);
  }

  /** Deletes all indices that wait without a record. */
  static ArrayState cut(
      Context c, Job array, ArrayState now, DeletionRequest request, Decision decision) {
    decision.fact(
        new ArrayCut(
            c.stamp(),
            array.getId(),
            List.of(),
            now.getLeft(),
            request.by(),
            true,
            request.quiet()));
    return ArrayStates.cut(now);
  }

  /** Deletes some of the subjobs: waiting ones at once, running ones as in {@link #all}. */
  public static void some(
      Context c, Job array, List<IndexSteps> which, DeletionRequest request, Decision decision)
      throws PbsRefusal {
    discard(c, array, checked(array.getArray(), which), request, decision);
    kill(c, array, -1, which, request, decision);
  }

  private static SubjobSelection checked(ArrayState state, List<IndexSteps> which)
      throws PbsRefusal {
    if (which.size() > PARTS_MAX) {
      String many = ": more than " + PARTS_MAX + " ranges at once";
      throw new PbsRefusal(PbsError.INVALID_REQUEST, many);
    }
    if (!ArrayIndices.sound(which)) {
      throw new PbsRefusal(PbsError.INVALID_REQUEST);
    }
    if (SubjobSelection.pieces(state, which) > PIECES_NAMED_MAX) {
      String many = ": more than " + PIECES_NAMED_MAX + " indices apart from each other";
      throw new PbsRefusal(PbsError.INVALID_REQUEST, many);
    }
    SubjobSelection named = SubjobSelection.of(state, which);
    SubjobSelection.Cut cut = named.cut(state.getLeft());
    int pieces = cut.left().size();
    if (pieces > PIECES_LEFT_MAX && pieces > state.getLeft().size()) {
      String many = ": of what waits more than " + PIECES_LEFT_MAX + " pieces would be left";
      throw new PbsRefusal(PbsError.INVALID_REQUEST, many);
    }
    if (named.isEmpty()) {
      throw new PbsRefusal(PbsError.INVALID_REQUEST);
    }
    if (cut.gone().isEmpty()
        && state.getWaiting().stream().noneMatch(named::has)
        && state.getBegun().stream().noneMatch(named::has)) {
      throw new PbsRefusal(PbsError.SUBJOB_FINISHED);
    }
    return named;
  }

  /** Deletes those of the named subjobs that wait, with and without a record. */
  private static void discard(
      Context c, Job array, SubjobSelection named, DeletionRequest request, Decision decision) {
    ArrayState now = array.getArray();
    List<Integer> waiting = now.getWaiting().stream().filter(named::has).toList();
    if (!waiting.isEmpty()) {
      now = SubjobWindow.withdraw(c, array, waiting, decision);
    }
    SubjobSelection.Cut cut = named.cut(now.getLeft());
    if (!cut.gone().isEmpty()) {
      decision.fact(
          new ArrayCut(
              c.stamp(),
              array.getId(),
              cut.left(),
              cut.gone(),
              request.by(),
              false,
              request.quiet()));
      SubjobWindow.goOn(c, array, ArrayStates.cut(now, cut.left(), cut.gone()), decision);
    }
  }

  /** Goes on ending runs; a run may have ended meanwhile, and its subjob may wait again. */
  static Decision go(Context c, String cursor) {
    String[] parts = cursor.split("/", 4);
    Job array = c.view().jobs().get(parts[0]);
    Decision decision = Decision.none();
    if (array == null
        || array.getStatus() == JobStatus.FINISHED
        || array.getStatus() == JobStatus.TRANSIT) {
      return decision;
    }
    List<IndexSteps> which = ArrayIndices.parse(parts[2]);
    DeletionRequest request = DeletionRequest.parse(parts[3]);
    discard(c, array, SubjobSelection.of(array.getArray(), which), request, decision);
    kill(c, array, Integer.parseInt(parts[1]), which, request, decision);
    return decision;
  }

  private static void kill(
      Context c,
      Job array,
      int after,
      List<IndexSteps> which,
      DeletionRequest request,
      Decision decision) {
    SubjobSelection named = SubjobSelection.of(array.getArray(), which);
    List<Integer> next =
        array.getArray().getBegun().stream()
            .filter(index -> index > after && (which.isEmpty() || named.has(index)))
            .sorted()
            .limit(AT_ONCE + 1L)
            .toList();
    for (int index : next.subList(0, Math.min(next.size(), AT_ONCE))) {
      Job subjob = c.view().jobs().get(SubjobWindow.key(array, index));
      if (subjob.getStatus() == JobStatus.RUNNING) {
        if (subjob.getKilling() != KillPurpose.DELETE) {
          decision.fact(
              new RunKillRequested(
                  c.stamp(),
                  subjob.getId(),
                  subjob.getRun(),
                  KillPurpose.DELETE,
                  request.by(),
                  request.quiet()));
        }
        Orders.kill(c, subjob, decision);
        if (request.force()) {
          ForcedEnd.ask(c, subjob, decision);
        }
      }
    }
    if (next.size() > AT_ONCE) {
      String told = next.get(AT_ONCE - 1) + "/" + ArrayIndices.cursor(which) + "/" + request.text();
      String cursor = Keys.number(array.getNumber()) + "/" + told;
      decision.goOn(c, WORK, cursor);
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
      ArrayWork.purge(c, jobId, decision);
    }
    return decision;
  }

  /** Deletes a subjob that has no record; null when it is not one of an array of this shard. */
  public static Decision one(Context c, long number, DeleteJob command) {
    Job array = c.view().jobs().get(Keys.number(JobNumbers.array(number)));
    int index = JobNumbers.index(number);
    if (!ArrayStates.isUnbegun(c.view(), number)) {
      List<IndexSteps> which = List.of(new IndexSteps(index, index, 1));
      boolean none =
          array != null
              && ArrayStates.is(array)
              && SubjobSelection.of(array.getArray(), which).isEmpty();
      return none ? Decision.rejected(c, PbsError.INVALID_REQUEST) : null;
    }
    if (!c.mayActOn(array)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (array.getStatus() == JobStatus.TRANSIT) {
      // The array has been offered to another shard with these indices.
      String key = Keys.number(array.getNumber());
      return Parking.park(c, Parking.Cause.JOB, key, command, Decision.none());
    }
    Decision decision = Decision.done(c);
    try {
      some(
          c,
          array,
          List.of(new IndexSteps(index, index, 1)),
          DeletionRequest.of(c, command),
          decision);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
    return decision;
  }
}
