package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.PartHeld;
import io.millrace.schemas.fact.PartSettled;
import io.millrace.schemas.fact.SitesConfirming;
import io.millrace.schemas.fact.WholeAnswered;
import io.millrace.schemas.fact.WholeDecided;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** How a reservation with parts goes on when one of them has, or when the time is over. */
final class WholeProgress {
  static final int WHY_MAX = 1_000;

  /** How long other installations have to say that their parts stay. */
  static final long CONFIRM_MS = 30_000;

  /** How long who waits is kept waiting for the end of what was held. */
  static final long ENDING_MS = 5_000;

  /** So long after its window a part elsewhere counts as gone, whoever has looked at it last. */
  static final long OVER_MS = 60_000;

  /**
   * So long after it was asked for a part of which no name is known counts as gone: the door of the
   * other installation takes an id for an hour, what is held there ends after ten minutes, and the
   * clocks there may be five minutes behind.
   */
  static final long UNHEARD_MS = 75 * 60_000;

  private static final String CONFIRMED = "CONFIRMED";
  private static final String DENIED = "DENIED";
  private static final String DELETED = "DELETED";

  private WholeProgress() {}

  /**
   * A part has come to another state.
   *
   * @param after with that state
   */
  static void goOn(Context c, ReservationWhole after, int index, Decision decision) {
    rest(after);
    switch (after.getParts().get(index).getState()) {
      case ASKED, HELD -> {
        decision.fact(new PartHeld(c.stamp(), after, index));
        if (after.getState() == WholeState.ENDING) {
          settle(c, after, index, false, decision);
        } else if (after.getState() == WholeState.HOLDING && all(after, PartState.HELD)) {
          allHeld(c, copy(after), decision);
        }
      }
      case COMMITTED -> committed(c, after, index, decision);
      case GONE -> gone(c, after, index, decision);
      default -> throw new IllegalStateException("a part is in no known state");
    }
  }

  /** What others hold for us may end by its own time, what is held here does not: they go first. */
  private static void allHeld(Context c, ReservationWhole after, Decision decision) {
    if (!hasSites(after)) {
      commit(c, after, decision);
      return;
    }
    after.setState(WholeState.CONFIRMING);
    after.setDueMs(c.nowMs() + CONFIRM_MS);
    tellSites(c, after);
    decision.fact(new SitesConfirming(c.stamp(), after));
  }

  private static void committed(Context c, ReservationWhole after, int index, Decision decision) {
    boolean sites =
        after.getState() == WholeState.CONFIRMING
            && after.getParts().stream()
                .filter(it -> it.getThere() != null)
                .allMatch(it -> it.getState() == PartState.COMMITTED);
    boolean last = after.getState() == WholeState.COMMITTING && all(after, PartState.COMMITTED);
    if (last) {
      keep(after, decision);
    }
    decision.fact(new PartSettled(c.stamp(), after, index));
    if (sites) {
      commit(c, copy(after), decision);
    }
  }

  private static void gone(Context c, ReservationWhole after, int index, Decision decision) {
    boolean ends = after.getState() == WholeState.ENDING;
    boolean nothing = all(after, PartState.GONE);
    String why = shown(after.getParts().get(index));
    boolean undone = !ends && after.getState() != WholeState.KEPT;
    if (nothing) {
      answer(after, after.getBy().isEmpty(), undone ? why : "", decision);
    }
    decision.fact(new PartSettled(c.stamp(), after, index));
    if (nothing) {
      decision.fact(new WholeEnded(c.stamp(), copy(after)));
    } else if (undone) {
      end(c, copy(after), why, decision);
    }
  }

  private static void commit(Context c, ReservationWhole after, Decision decision) {
    after.setState(WholeState.COMMITTING);
    after.setDueMs(0L);
    if (all(after, PartState.COMMITTED)) {
      keep(after, decision);
    }
    decision.fact(new WholeDecided(c.stamp(), after, true));
    for (int i = 0; i < after.getParts().size(); i++) {
      settle(c, after, i, true, decision);
    }
  }

  private static void keep(ReservationWhole after, Decision decision) {
    after.setState(WholeState.KEPT);
    String kept =
        after.getParts().stream().map(WholePart::getReservationId).collect(Collectors.joining(" "));
    answer(after, false, kept, decision);
    rest(after);
  }

  /** Tells all parts to go. Those that are not known yet are told when they are heard of. */
  static void end(Context c, ReservationWhole after, String why, Decision decision) {
    after.setState(WholeState.ENDING);
    after.setWhy(why);
    after.setDueMs(c.nowMs() + ENDING_MS);
    rest(after);
    tellSites(c, after);
    decision.fact(new WholeDecided(c.stamp(), after, false));
    for (int i = 0; i < after.getParts().size(); i++) {
      settle(c, after, i, false, decision);
    }
  }

  /** Who speaks to them reads it in the record. */
  private static void tellSites(Context c, ReservationWhole after) {
    for (WholePart part : after.getParts()) {
      if (part.getThere() != null && part.getState() != PartState.GONE) {
        part.getThere().setSettleId(c.asShard().getId());
      }
    }
  }

  private static void settle(
      Context c, ReservationWhole whole, int index, boolean commit, Decision decision) {
    WholePart part = whole.getParts().get(index);
    boolean here = part.getThere() == null && !part.getReservationId().isEmpty();
    if (here && part.getState() != PartState.GONE) {
      String by = whole.getBy();
      SettlePart settle =
          SettlePart.newBuilder()
              .setMeta(c.asShard())
              .setWhole(whole.getNumber())
              .setPart(index)
              .setWholeShard(c.shard())
              .setReservationId(part.getReservationId())
              .setCommit(commit)
              .setForget(whole.getForget())
              .setBy(by.isEmpty() ? whole.getOwner() : by)
              .setWhy(by.isEmpty() ? whole.getId() + " was given up: " + whole.getWhy() : "deleted")
              .build();
      decision.tell(part.getShard(), settle);
    }
  }

  /** The time is over that it had in its state. */
  static void due(Context c, ReservationWhole before, Decision decision) {
    switch (before.getState()) {
      case HOLDING -> {
        long seconds =
            (hasSites(before) ? WholeRequest.SITES_HOLD_MS : WholeRequest.HOLD_MS) / 1000;
        String late = ": no decision in " + seconds + " seconds";
        end(c, copy(before), late(before, PartState.ASKED, late), decision);
      }
      case CONFIRMING -> {
        String late = ": no answer to its commit in " + CONFIRM_MS / 1000 + " seconds";
        end(c, copy(before), late(before, PartState.HELD, late), decision);
      }
      default -> {
        if (before.getWaiting() == null) {
          over(c, before, decision);
          return;
        }
        ReservationWhole after = copy(before);
        Predicate<WholePart> there = it -> it.getState() != PartState.GONE;
        boolean here =
            after.getParts().stream().filter(there).allMatch(it -> it.getThere() == null);
        String who = here ? "its shard" : "its shard or installation";
        String left = "; not yet gone, and ends as soon as " + who + " answers: ";
        String rest = left + named(after, there);
        answer(after, after.getBy().isEmpty(), after.getWhy() + rest, decision);
        rest(after);
        decision.fact(new WholeAnswered(c.stamp(), after));
      }
    }
  }

  /** Nobody waits for it any more: what is due next is the end of a part elsewhere. */
  private static void rest(ReservationWhole after) {
    boolean settled = after.getState() == WholeState.KEPT || after.getState() == WholeState.ENDING;
    if (settled && after.getWaiting() == null) {
      after.setDueMs(
          after.getParts().stream()
              .filter(it -> it.getThere() != null && it.getState() != PartState.GONE)
              .mapToLong(it -> lastMs(after, it))
              .min()
              .orElse(0L));
    }
  }

  /** When a part elsewhere is surely gone, whether its installation can be reached or not. */
  private static long lastMs(ReservationWhole whole, WholePart part) {
    long overMs = whole.getEndMs() + OVER_MS;
    return part.getReservationId().isEmpty()
        ? Math.min(overMs, whole.getCreatedMs() + UNHEARD_MS)
        : overMs;
  }

  /** Nobody may speak to the other installation: what is over there is concluded from the time. */
  private static void over(Context c, ReservationWhole before, Decision decision) {
    ReservationWhole after = copy(before);
    boolean none = true;
    for (int i = 0; i < before.getParts().size(); i++) {
      WholePart part = before.getParts().get(i);
      boolean there = part.getThere() != null && part.getState() != PartState.GONE;
      if (there && lastMs(before, part) <= c.nowMs()) {
        none = false;
        after = copy(after);
        after.getParts().get(i).setState(PartState.GONE);
        after.getParts().get(i).setWhy("its time is over");
        rest(after);
        gone(c, after, i, decision);
      }
    }
    if (none) {
      // The clock was set back.
      rest(after);
      decision.fact(new WholeAnswered(c.stamp(), after));
    }
  }

  /**
   * Which part has kept all waiting; of one in another installation what was in the way, if known.
   */
  private static String late(ReservationWhole whole, PartState state, String late) {
    Predicate<WholePart> waited =
        it -> it.getState() == state && (it.getThere() != null || state == PartState.ASKED);
    return whole.getParts().stream()
        .filter(waited)
        .filter(it -> it.getThere() != null && !it.getThere().getTrouble().isEmpty())
        .findFirst()
        .map(it -> it.getPartition() + ": " + it.getThere().getTrouble())
        .orElseGet(() -> named(whole, waited) + late);
  }

  private static String named(ReservationWhole whole, Predicate<WholePart> which) {
    return whole.getParts().stream()
        .filter(which)
        .map(WholePart::getPartition)
        .collect(Collectors.joining(","));
  }

  /** Answers who waits, if anybody; without a reason with the one for which it ends. */
  private static void answer(
      ReservationWhole after, boolean denied, String why, Decision decision) {
    CommandMeta waiting = after.getWaiting();
    if (waiting == null) {
      return;
    }
    String reason = why.isEmpty() ? after.getWhy() : why;
    String kept = after.getState() == WholeState.KEPT ? CONFIRMED : DELETED;
    String line = after.getId() + " " + (denied ? DENIED : kept);
    List<String> lines = List.of(line, reason);
    decision.answer(waiting, 0, lines);
    after.setWaiting(null);
    after.setDueMs(0L);
  }

  private static String shown(WholePart part) {
    return part.getPartition() + ": " + (part.getWhy().isEmpty() ? "it ended" : part.getWhy());
  }

  private static boolean hasSites(ReservationWhole whole) {
    return whole.getParts().stream().anyMatch(it -> it.getThere() != null);
  }

  private static boolean all(ReservationWhole whole, PartState state) {
    return whole.getParts().stream().allMatch(it -> it.getState() == state);
  }

  static ReservationWhole copy(ReservationWhole whole) {
    return ReservationWhole.newBuilder(whole).build();
  }
}
