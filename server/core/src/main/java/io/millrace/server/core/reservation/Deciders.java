package io.millrace.server.core.reservation;

import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.fact.ReservationAnswered;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.AwaitedReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;
import java.util.List;

/** Decides reservations. */
public final class Deciders {
  private static final int AT_ONCE = 20;

  /** Reads a text once for many decisions; it says what the text says, whoever has read it. */
  private final RuleInForce reservable = new RuleInForce();

  public Decision decide(Context c, SubmitReservation command) {
    return ReservationRequest.decide(c, command);
  }

  public Decision decide(Context c, HoldPart command) {
    return PartHolding.hold(c, command);
  }

  /** There are no numbers for it. */
  public Decision refuse(Context c, HoldPart command) {
    return PartAnswers.refused(c, command, PbsError.TRY_AGAIN.text() + ": no job numbers");
  }

  public Decision decide(Context c, ReserveRun command) {
    return RunReservation.decide(c, command, reservable);
  }

  public Decision decide(Context c, ReserveForJob command) {
    return SoonestReservation.decide(c, command);
  }

  public Decision decide(Context c, DeleteReservation command) {
    Reservation reservation = named(c, command.getReservationId());
    if (reservation == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    if (!mayActOn(c, reservation)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    String part = PartAnswers.ofWhole(c, reservation);
    if (!part.isEmpty()) {
      return Decision.rejected(c, PbsError.BAD_STATE, part);
    }
    if (command.getTransaction()) {
      return Pending.end(c, reservation, command.getForget());
    }
    Decision decision = Decision.done(c);
    if (!Reservations.isClosing(reservation) || Reservations.isBetween(reservation)) {
      String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
      Reservation last = Copies.of(reservation);
      last.setForget(command.getForget());
      Ending.close(c, last, ReservationState.BEING_DELETED, by, "deleted", decision);
    } else if (command.getForget() && !reservation.getForget()) {
      Reservation last = Revision.of(c, reservation);
      last.setForget(true);
      decision.fact(new ReservationClosing(c.stamp(), last, "to be forgotten"));
    }
    return decision;
  }

  public Decision decide(Context c, AlterReservation command) {
    if (c.view().table(AwaitedReservation.class).get(Keys.command(c.meta().getId())) != null) {
      return Decision.none();
    }
    Reservation reservation = named(c, command.getReservationId());
    if (reservation == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    if (!mayActOn(c, reservation)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    return reservation.getWhole() == null
        ? ReservationAlteration.decide(c, reservation, command)
        : Decision.rejected(
            c, PbsError.BAD_STATE, PartAnswers.name(reservation) + ", which cannot be altered");
  }

  public Decision decide(Context c, ConfirmReservation command) {
    return Confirmation.decide(c, command, reservable);
  }

  public Decision decide(Context c, DenyReservation command) {
    return Confirmation.decide(c, command);
  }

  /** The window begins. An alteration of its start comes too late then. */
  public Decision reservationStart(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation before = timed(c, timer);
    if (before == null || Reservations.isClosing(before) || before.getStartedMs() >= 0) {
      return decision;
    }
    if (!Reservations.hasQueue(before)) {
      Ending.deny(c, before, "no scheduler has confirmed it before its start", decision);
      return decision;
    }
    ReservationSpec asked = before.getAsked();
    boolean late = asked != null && asked.getStartMs() != before.getSpec().getStartMs();
    Reservation now = late ? Ending.deny(c, before, "its window has begun", decision) : before;
    Reservation after = Revision.of(c, now);
    after.setStartedMs(c.nowMs());
    boolean idle =
        after.getSpec().getDeleteIdleS() > 0 && !ReservedJobs.any(c.view(), after.getNumber());
    after.setIdleDueMs(idle ? ReservedJobs.idleDueMs(after, c.nowMs()) : 0);
    Reservation begun = Revision.settled(c, after);
    decision.fact(new ReservationStarted(c.stamp(), begun));
    RunsOfOthers.begin(c, begun, decision);
    return decision;
  }

  /** Runs of others that would last into its window give way. */
  public Decision reservationLead(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation before = timed(c, timer);
    if (before != null && RunsOfOthers.isDue(c, before)) {
      RunsOfOthers.giveWay(c, before, "", decision);
    }
    return decision;
  }

  public Decision reservationOthers(Context c, Continue work) {
    return RunsOfOthers.go(c, work);
  }

  public Decision reservationEnd(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation reservation = timed(c, timer);
    // One that was due together with what has ended the occurrence is not that of the next one.
    boolean due = reservation != null && reservation.getSpec().getEndMs() <= c.nowMs();
    if (!due || Reservations.isClosing(reservation)) {
      return decision;
    }
    if (Reservations.hasNext(reservation)) {
      Occurrences.over(c, reservation, decision);
    } else {
      Ending.close(
          c, reservation, ReservationState.DELETING_JOBS, "", "its time is over", decision);
    }
    return decision;
  }

  /** It has had no job for as long as it may be without one. */
  public Decision reservationIdle(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation idle = timed(c, timer);
    boolean due = idle != null && idle.getIdleDueMs() == timer.getDueMs();
    if (!due || !Reservations.runs(idle) || ReservedJobs.any(c.view(), idle.getNumber())) {
      return decision;
    }
    if (Reservations.hasNext(idle)) {
      Occurrences.over(c, idle, decision);
    } else {
      String why = "it was without a job for " + idle.getSpec().getDeleteIdleS() + " seconds";
      Ending.close(c, idle, ReservationState.BEING_DELETED, "", why, decision);
    }
    return decision;
  }

  /**
   * It is time to look again for other nodes in the place of the lost ones. Each change of a node
   * says which are lost; one that was too small may have room since another reservation has gone.
   */
  public Decision reservationRetry(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation before = timed(c, timer);
    // One that could not be decided comes again later than it was due.
    boolean due = before != null && before.getRetryMs() > 0 && before.getRetryMs() <= c.nowMs();
    if (!due || Reservations.isClosing(before)) {
      return decision;
    }
    Reservation after = Revision.of(c, before);
    after.setLost(LostNodes.of(c, before));
    return decision.fact(new ReservationRetried(c.stamp(), Revision.settled(c, after)));
  }

  /** Somebody has waited for as long as he wanted to. */
  public Decision reservationAnswer(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation before = timed(c, timer);
    if (before == null || before.getWaiting() == null) {
      return decision;
    }
    if (before.getInteractiveS() < 0) {
      Ending.deny(c, before, "not confirmed in time", decision);
      return decision;
    }
    Reservation after = Revision.of(c, before);
    Revision.answer(after, Revision.UNCONFIRMED, decision);
    // From here on nobody waits for a denial, which is news by letter then.
    after.setAtOnce(false);
    return decision.fact(new ReservationAnswered(c.stamp(), after));
  }

  /** One that is being deleted has lost its last job, or has got one back. */
  public Decision reservationClosing(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Reservation closing = timed(c, timer);
    if (closing != null && Reservations.isBetween(closing)) {
      Occurrences.goOn(c, closing, decision);
    } else if (closing != null && Reservations.isClosing(closing)) {
      Ending.goOn(c, closing, decision);
    }
    return decision;
  }

  public Decision reservationHosts(Context c, Continue work) {
    return NewNodes.go(c, work);
  }

  public Decision reservationNodes(Context c, Continue work) {
    return LostNodes.go(c, work);
  }

  /**
   * The partition has gone to another shard: no change does that while it has reservations, but one
   * may have come while the change was under way.
   */
  public Decision reservationPartition(Context c, Continue work) {
    Decision decision = Decision.none();
    String partition = work.getCursor();
    if (PartitionTable.shardOf(c.view(), partition) == c.shard()) {
      return decision;
    }
    List<Reservation> left = Reservations.inPartition(c.view(), partition);
    left.removeIf(it -> Reservations.isClosing(it) && !Reservations.isBetween(it));
    for (Reservation reservation : left.subList(0, Math.min(left.size(), AT_ONCE))) {
      String why = "its partition has gone to another shard";
      Ending.close(c, reservation, ReservationState.BEING_DELETED, "", why, decision);
    }
    if (left.size() > AT_ONCE) {
      ReservationWork.partition(c, partition, decision);
    }
    return decision;
  }

  private static Reservation timed(Context c, Timer timer) {
    return c.view().table(Reservation.class).get(timer.getSubject());
  }

  /** The reservation with exactly this id, with or without its server. */
  private static Reservation named(Context c, String id) {
    Reservation found = Reservations.find(c.view(), ReservationIds.number(id));
    boolean named = found != null && (found.getId().equals(id) || found.getQueue().equals(id));
    return named ? found : null;
  }

  /** Its owner, and operators; as in PBS maintenance is theirs alone. */
  private static boolean mayActOn(Context c, Reservation reservation) {
    boolean owner = reservation.getSpec().getOwner().equals(c.meta().getPrincipal());
    return c.isOperator() || owner && !Reservations.isMaintenance(reservation);
  }
}
