package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schemas.fact.ConsentGiven;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.fact.NodeAccepted;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.NodeHandedOver;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.NodeOffered;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.fact.NodeWentDown;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationAnswered;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationForgotten;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.fact.RunEnding;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunMadeResumable;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.fact.SubjobsWithdrawn;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;

/** Applies each kind of fact to a scheduler's state. Facts without an entry do not concern it. */
final class FactFollower {

  private final Map<Class<?>, BiConsumer<ShardFollower, SpecificRecord>> byFact = new HashMap<>();

  FactFollower() {
    jobs();
    handOvers();
    runs();
    nodes();
    reservations();
    on(ObjectWritten.class, (state, fact) -> state.written(fact.getObject()));
    on(ObjectDeleted.class, (state, fact) -> state.deleted(fact.getKind(), fact.getName()));
  }

  void follow(ShardFollower state, SpecificRecord fact) {
    BiConsumer<ShardFollower, SpecificRecord> change = byFact.get(fact.getClass());
    if (change != null) {
      change.accept(state, fact);
    }
  }

  /** Number of a job id. */
  static long number(String jobId) {
    long number = JobNumbers.of(jobId);
    if (number < 0) {
      throw new IllegalArgumentException("not an id of a job: " + jobId);
    }
    return number;
  }

  private void jobs() {
    on(JobQueued.class, (state, fact) -> state.job(fact.getJob()));
    on(JobHeld.class, (state, fact) -> state.holds(number(fact.getJobId()), fact.getHolds()));
    on(JobReleased.class, (state, fact) -> state.holds(number(fact.getJobId()), fact.getHolds()));
    on(
        JobAltered.class,
        (state, fact) ->
            state.altered(number(fact.getJobId()), fact.getSpec(), RunWalltimes.askedAnew(fact)));
    on(
        JobMoved.class,
        (state, fact) -> state.moved(number(fact.getJobId()), fact.getQueue(), fact.getRank()));
    on(
        JobReordered.class,
        (state, fact) -> state.moved(number(fact.getJobId()), fact.getQueue(), fact.getRank()));
    on(JobDeleted.class, (state, fact) -> state.gone(number(fact.getJobId())));
    on(
        SubjobsWithdrawn.class,
        (state, fact) -> {
          long array = number(fact.getJobId());
          fact.getIndices().forEach(index -> state.gone(JobNumbers.subjob(array, index)));
        });
    on(JobPurged.class, (state, fact) -> state.gone(number(fact.getJobId())));
  }

  private void handOvers() {
    on(JobOffered.class, (state, fact) -> state.transit(number(fact.getJobId()), true));
    on(JobKept.class, (state, fact) -> state.transit(number(fact.getJobId()), false));
    on(JobAccepted.class, (state, fact) -> state.job(fact.getJob()));
    on(JobHandedOver.class, (state, fact) -> state.gone(number(fact.getJobId())));
  }

  private void runs() {
    on(
        RunGranted.class,
        (state, fact) ->
            state.granted(number(fact.getJobId()), fact.getAllocation(), fact.getMeta().getAtMs()));
    on(
        RunStarted.class,
        (state, fact) -> state.began(number(fact.getJobId()), fact.getStartedMs()));
    on(
        RunShortened.class,
        (state, fact) ->
            state.shortened(number(fact.getJobId()), fact.getBeganMs(), fact.getWalltimeS()));
    on(RunSuspended.class, (state, fact) -> state.suspended(number(fact.getJobId()), fact));
    on(RunMadeResumable.class, (state, fact) -> state.resumable(number(fact.getJobId())));
    on(
        RunResumed.class,
        (state, fact) -> state.resumed(number(fact.getJobId()), fact.getMeta().getAtMs()));
    on(
        RunKillRequested.class,
        (state, fact) -> state.ending(number(fact.getJobId()), fact.getMeta().getAtMs()));
    on(
        RunPreempted.class,
        (state, fact) -> state.ending(number(fact.getJobId()), fact.getMeta().getAtMs()));
    on(
        RunEnding.class,
        (state, fact) -> state.ending(number(fact.getJobId()), fact.getMeta().getAtMs()));
    on(RunFinished.class, (state, fact) -> state.gone(number(fact.getJobId())));
    on(RunRequeued.class, (state, fact) -> state.requeued(number(fact.getJobId())));
  }

  private void nodes() {
    on(
        NodeCameUp.class,
        (state, fact) -> state.nodeUp(fact.getName(), fact.getHost(), fact.getMeasured()));
    on(NodeWentDown.class, (state, fact) -> state.nodeDown(fact.getName()));
    on(NodeOffered.class, (state, fact) -> state.nodeOffered(fact.getName(), fact.getTo()));
    on(NodeKept.class, (state, fact) -> state.nodeOffered(fact.getName(), -1));
    on(NodeAccepted.class, (state, fact) -> state.node(fact.getNode()));
    on(ConsentGiven.class, (state, fact) -> fact.getClosingNodes().forEach(state::nodeClosing));
    on(NodeRemoved.class, (state, fact) -> state.nodeGone(fact.getName()));
    on(NodeHandedOver.class, (state, fact) -> state.nodeGone(fact.getName()));
  }

  private void reservations() {
    on(ReservationSubmitted.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationConfirmed.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationDenied.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationAltered.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationAnswered.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationStarted.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationReturned.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationDegraded.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationRetried.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationClosing.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationSettled.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationEnded.class, (state, fact) -> state.reservation(fact.getReservation()));
    on(ReservationForgotten.class, (state, fact) -> state.forgotten(fact.getNumber()));
  }

  private <F extends SpecificRecord> void on(Class<F> type, BiConsumer<ShardFollower, F> change) {
    byFact.put(type, (state, fact) -> change.accept(state, type.cast(fact)));
  }
}
