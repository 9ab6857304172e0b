package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.ReservationCycle;
import io.millrace.schedulers.core.cycle.ReservationDecision;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.command.DenyReservation;
import io.millrace.schemas.common.CommandId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decides on reservations, under whichever policy the scheduler has. */
final class ReservationPlanner {

  private final SchedulerState state;
  private final Pauses pauses = new Pauses();

  /** The last proposal about each reservation; answers to earlier ones say nothing any more. */
  private final Map<Long, CommandId> last = new HashMap<>();

  ReservationPlanner(SchedulerState state) {
    this.state = state;
  }

  boolean due() {
    return state.reservationsDue();
  }

  /** Looks at the reservations that wait for it. What it proposes is booked from now on. */
  List<Planner.Proposed> cycle(Proposals proposals, Instant now, long units) {
    List<Planner.Proposed> all = new ArrayList<>();
    for (ReservationDecision decision : ReservationCycle.run(state, now, units)) {
      Planner.Proposed one = proposed(decision, proposals, now.toEpochMilli());
      last.put(one.number(), one.id());
      all.add(one);
    }
    return all;
  }

  private static Planner.Proposed proposed(
      ReservationDecision decision, Proposals proposals, long nowMs) {
    if (decision.confirms()) {
      ConfirmReservation command = proposals.confirm(decision, nowMs);
      return new Planner.Proposed(decision.number(), command.getMeta().getId(), command);
    }
    DenyReservation command = proposals.deny(decision, nowMs);
    return new Planner.Proposed(decision.number(), command.getMeta().getId(), command);
  }

  /** The shard refused a proposal: the next one about this reservation comes after a pause. */
  void refused(long number, CommandId proposal) {
    if (last.remove(number, proposal)) {
      refused(number);
    }
  }

  private void refused(long number) {
    state.answers().refused(number);
    pauses.start(Long.toString(number), Planner.UNHEARD, System.nanoTime());
  }

  /**
   * Nobody has answered a proposal.
   *
   * @param meansNo true where a refusal would not be heard
   */
  void unanswered(long number, boolean meansNo) {
    last.remove(number);
    if (meansNo) {
      refused(number);
    } else {
      state.answers().unanswered(number);
    }
  }

  void timers(long nowNanos) {
    if (!pauses.isEmpty()) {
      pauses.ended(nowNanos).forEach(it -> state.answers().resumes(Long.parseLong(it)));
    }
  }

  long nanosToTimer(long nowNanos, long otherwise) {
    return pauses.nanosToEnd(nowNanos, otherwise);
  }
}
