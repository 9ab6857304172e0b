package io.millrace.schedulers.engine;

import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunSuspended;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of an engine's proposals: the shard's answers, the facts that accepted ones lead to,
 * and the time that passes without either. Used by the engine's thread.
 */
final class ProposalOutcomes {

  private static final Logger LOG = LoggerFactory.getLogger(ProposalOutcomes.class);

  /** Epoch of shadow engines, to whose proposals nobody ever answers. */
  static final long SHADOW = 0;

  /** The facts that accepted proposals lead to. */
  private static final Set<Class<?>> WANTED =
      Set.of(
          RunGranted.class,
          RunResumed.class,
          RunKillRequested.class,
          RunPreempted.class,
          RunSuspended.class,
          JobDeleted.class,
          ReservationConfirmed.class,
          ReservationDenied.class);

  private final EngineSeat seat;
  private final Followers states;
  private final Planners planners;
  private final ReservationPlanner reservations;
  private final InFlight inFlight;

  ProposalOutcomes(
      EngineSeat seat,
      Followers states,
      Planners planners,
      ReservationPlanner reservations,
      InFlight inFlight) {
    this.seat = seat;
    this.states = states;
    this.planners = planners;
    this.reservations = reservations;
    this.inFlight = inFlight;
  }

  /** Follows a fact, which may be what a proposal led to. */
  void fact(SpecificRecord fact) {
    if (WANTED.contains(fact.getClass())) {
      // An engine in a process of its own gets no answers; the fact that its proposal led to is the
      // answer.
      inFlight.confirmed(fact);
    }
    states.follow(fact);
    if (!seat.answered()) {
      planners.refusedBefore(fact, inFlight).forEach(it -> unheard(it, Planner.NO_LEASE));
    }
    planners.heard(fact, System.currentTimeMillis());
  }

  /** The shard has said what it does with a proposal. */
  void answer(Mailbox.AnswerMessage answer) {
    // An accepted start stays in flight until its fact arrives; its nodes are allocated either way.
    if (answer.code() == 0) {
      if (!inFlight.isStart(answer.proposal())) {
        inFlight.remove(answer.proposal());
      }
      return;
    }
    InFlight.OpenProposal rejected = inFlight.remove(answer.proposal());
    if (rejected == null || rejected.kind() == InFlight.ProposalKind.RECORD) {
      return;
    }
    if (rejected.kind() == InFlight.ProposalKind.RESERVATION) {
      LOG.warn("The decision on R{} was refused: {}", rejected.jobNumber(), answer.code());
      reservations.refused(rejected.jobNumber(), answer.proposal());
      return;
    }
    if (rejected.kind() == InFlight.ProposalKind.GIVE_UP) {
      // The job was held, altered or deleted meanwhile, and those facts have been followed by now.
      planners.notGivenUp(rejected.jobNumber());
      return;
    }
    long nowMs = System.currentTimeMillis();
    if (rejected.kind() == InFlight.ProposalKind.STOP) {
      for (long number : states.bestEffort().notStopped(rejected.jobNumber())) {
        planners.inUse().refused(number, answer.code(), nowMs);
      }
      return;
    }
    states.each(state -> state.withdraw(rejected.jobNumber()));
    planners.inUse().refused(rejected.jobNumber(), answer.code(), nowMs);
  }

  /** Gives up proposals to which nothing was said for too long. */
  void expire(long now) {
    for (InFlight.OpenProposal open : inFlight.expire(now)) {
      long number = open.jobNumber();
      // A shadow's proposals are never answered; its jobs become due again as time passes.
      if (seat.epoch() != SHADOW) {
        String what = open.kind() == InFlight.ProposalKind.START ? "start" : "end";
        LOG.warn(
            "Engine {}: the {} of job {} was never answered",
            Thread.currentThread().getName(),
            what,
            number);
      }
      switch (open.kind()) {
        case STOP -> states.bestEffort().notStopped(number);
        case GIVE_UP -> planners.notGivenUp(number);
        case RESERVATION ->
            reservations.unanswered(number, !seat.answered() && seat.epoch() != SHADOW);
        default -> unheard(number, Planner.UNHEARD);
      }
    }
  }

  /** An engine apart hears no refusal: a start that no fact has confirmed counts as refused. */
  private void unheard(long number, int code) {
    states.each(state -> state.withdraw(number));
    if (!seat.answered() && seat.epoch() != SHADOW) {
      planners.inUse().refused(number, code, System.currentTimeMillis());
    }
  }
}
