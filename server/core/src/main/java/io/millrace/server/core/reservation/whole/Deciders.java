package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.AnswerPart;
import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.PartHeld;
import io.millrace.schemas.fact.PartSettled;
import io.millrace.schemas.fact.WholeAnswered;
import io.millrace.schemas.fact.WholeBegun;
import io.millrace.schemas.fact.WholeDecided;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.Timer;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.CutText;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides reservations that are made of parts in several partitions. */
public final class Deciders {
  /** Most parts: each is a message to a shard, and all are in one record. */
  static final int PARTS_MAX = 64;

  /** Most of one shard: all are in memory. */
  static final long WHOLES_MAX = 10_000;

  /** How long the schedulers have together. */
  static final long HOLD_MS = 10_000;

  /** How long who waits is kept waiting for the end of what was held. */
  static final long ENDING_MS = 5_000;

  private static final int WHY_MAX = 1_000;
  private static final String CONFIRMED = "CONFIRMED";
  private static final String DENIED = "DENIED";
  private static final String DELETED = "DELETED";

  public Decision decide(Context c, ReserveTogether command) {
    List<ReservationWhole> all = new ArrayList<>();
    c.view().table(ReservationWhole.class).each(all::add);
    if (all.stream().anyMatch(it -> waits(it, c.meta()))) {
      return Decision.none();
    }
    if (all.size() >= WHOLES_MAX) {
      return Decision.rejected(
          c, PbsError.TRY_AGAIN, ": the shard has " + WHOLES_MAX + " of them already");
    }
    List<ReservationSpec> specs = command.getParts();
    String wrong = wrong(c, specs);
    if (!wrong.isEmpty()) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST, ": " + wrong);
    }
    String owner = specs.get(0).getOwner();
    if (!c.isManager() && !owner.equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    return begin(c, blocks.take(), specs, decision);
  }

  /** What is wrong with a request; empty for nothing. */
  private static String wrong(Context c, List<ReservationSpec> specs) {
    if (specs.isEmpty() || specs.size() > PARTS_MAX) {
      return "there are 1 to " + PARTS_MAX + " parts";
    }
    Set<String> partitions = new HashSet<>();
    for (ReservationSpec spec : specs) {
      String partition = spec.getPartition();
      if (PartitionTable.shardOf(c.view(), partition) < 0) {
        return "unknown partition: " + CutText.of(partition, WHY_MAX);
      }
      if (!partitions.add(partition)) {
        return partition + " is named twice";
      }
      if (!spec.getOwner().equals(specs.get(0).getOwner())) {
        return "the parts have one owner";
      }
    }
    return "";
  }

  private static Decision begin(
      Context c, long number, List<ReservationSpec> specs, Decision decision) {
    List<WholePart> parts = new ArrayList<>();
    List<String> partitions = new ArrayList<>();
    for (ReservationSpec spec : specs) {
      String partition = spec.getPartition();
      int shard = PartitionTable.shardOf(c.view(), partition);
      parts.add(
          WholePart.newBuilder()
              .setPartition(partition)
              .setShard(shard)
              .setState(PartState.ASKED)
              .build());
      partitions.add(partition);
    }
    ReservationWhole fresh =
        ReservationWhole.newBuilder()
            .setId(ReservationIds.whole(number) + "." + c.serverName())
            .setNumber(number)
            .setOwner(specs.get(0).getOwner())
            .setState(WholeState.HOLDING)
            .setParts(parts)
            .setCreatedMs(c.nowMs())
            .setDueMs(c.nowMs() + HOLD_MS)
            .setWaiting(c.meta().getReplyTo() >= 0 ? c.meta() : null)
            .build();
    decision.fact(new WholeBegun(c.stamp(), fresh));
    for (int i = 0; i < parts.size(); i++) {
      PartOf of = new PartOf(fresh.getId(), number, c.shard(), i, partitions);
      HoldPart hold = new HoldPart(c.asShard(), of, specs.get(i), fresh.getDueMs());
      decision.tell(parts.get(i).getShard(), hold);
    }
    return decision;
  }

  /** Ends all parts of one that stays. */
  public Decision decide(Context c, DeleteTogether command) {
    ReservationWhole before = find(c, ReservationIds.wholeNumber(command.getWholeId()));
    if (before == null || !isNamed(before, command.getWholeId())) {
      return Decision.rejected(c, PbsError.UNKNOWN_RESERVATION);
    }
    if (!c.isOperator() && !before.getOwner().equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (waits(before, c.meta())) {
      return Decision.none();
    }
    if (before.getState() != WholeState.KEPT) {
      boolean ends = before.getState() == WholeState.ENDING;
      return Decision.rejected(
          c, PbsError.BAD_STATE, ends ? ": it is ending" : ": it is not decided yet");
    }
    ReservationWhole after = copy(before);
    after.setForget(command.getForget());
    after.setWaiting(c.meta().getReplyTo() >= 0 ? c.meta() : null);
    after.setBy(c.meta().getPrincipal() + "@" + c.meta().getHost());
    Decision decision = Decision.none();
    end(c, after, "", decision);
    return decision;
  }

  /** Something has become of a part. */
  public Decision decide(Context c, AnswerPart command) {
    Decision decision = Decision.none();
    if (command.getShard() < 0 || command.getShard() >= c.view().shards()) {
      return decision;
    }
    ReservationWhole before = find(c, command.getWhole());
    boolean there = command.getState() != PartState.GONE;
    if (before == null || command.getPart() < 0 || command.getPart() >= before.getParts().size()) {
      // It was given up meanwhile.
      return there ? release(c, before, command, decision) : decision;
    }
    ReservationWhole after = copy(before);
    WholePart part = after.getParts().get(command.getPart());
    boolean known = part.getReservationId().equals(command.getReservationId());
    boolean fresh = part.getReservationId().isEmpty() && part.getState() != PartState.GONE;
    if (!known && !fresh) {
      // A second one was made of the same part, or it was refused once and made once.
      return there ? release(c, before, command, decision) : decision;
    }
    if (command.getState().compareTo(part.getState()) < 0 || known && same(part, command)) {
      return decision;
    }
    part.setReservationId(command.getReservationId());
    part.setShard(command.getShard());
    part.setState(command.getState());
    part.setWhy(CutText.of(command.getWhy(), WHY_MAX));
    goOn(c, after, command, decision);
    return decision;
  }

  private static boolean same(WholePart part, AnswerPart command) {
    return part.getState() == command.getState();
  }

  private static void goOn(
      Context c, ReservationWhole after, AnswerPart command, Decision decision) {
    int index = command.getPart();
    switch (command.getState()) {
      case ASKED, HELD -> {
        decision.fact(new PartHeld(c.stamp(), after, index));
        if (after.getState() == WholeState.ENDING) {
          settle(c, after, index, false, decision);
        } else if (after.getState() == WholeState.HOLDING && all(after, PartState.HELD)) {
          commit(c, copy(after), decision);
        }
      }
      case COMMITTED -> {
        boolean last = after.getState() == WholeState.COMMITTING && all(after, PartState.COMMITTED);
        if (last) {
          after.setState(WholeState.KEPT);
          answer(after, false, kept(after), decision);
        }
        decision.fact(new PartSettled(c.stamp(), after, index));
      }
      case GONE -> gone(c, after, index, decision);
      default -> throw new IllegalStateException("a part is " + command.getState());
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
    decision.fact(new WholeDecided(c.stamp(), after, true));
    for (int i = 0; i < after.getParts().size(); i++) {
      settle(c, after, i, true, decision);
    }
  }

  /** Tells all parts to go. Those that are not known yet are told when they are heard of. */
  private static void end(Context c, ReservationWhole after, String why, Decision decision) {
    after.setState(WholeState.ENDING);
    after.setWhy(why);
    after.setDueMs(after.getWaiting() == null ? 0L : c.nowMs() + ENDING_MS);
    decision.fact(new WholeDecided(c.stamp(), after, false));
    for (int i = 0; i < after.getParts().size(); i++) {
      settle(c, after, i, false, decision);
    }
  }

  private static void settle(
      Context c, ReservationWhole whole, int index, boolean commit, Decision decision) {
    WholePart part = whole.getParts().get(index);
    if (!part.getReservationId().isEmpty() && part.getState() != PartState.GONE) {
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

  /** A reservation that is no part of anything goes. */
  private static Decision release(
      Context c, ReservationWhole whole, AnswerPart command, Decision decision) {
    SettlePart settle =
        SettlePart.newBuilder()
            .setMeta(c.asShard())
            .setWhole(command.getWhole())
            .setPart(command.getPart())
            .setWholeShard(c.shard())
            .setReservationId(command.getReservationId())
            .setCommit(false)
            .setForget(false)
            .setBy(whole == null ? "" : whole.getOwner())
            .setWhy("the whole of which it was a part was given up")
            .build();
    return decision.tell(command.getShard(), settle);
  }

  /** The schedulers have not answered in time, or what was held is not gone in time. */
  public Decision wholeDue(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    ReservationWhole before = c.view().table(ReservationWhole.class).get(timer.getSubject());
    if (before == null || before.getDueMs() != timer.getDueMs()) {
      return decision;
    }
    if (before.getState() == WholeState.HOLDING) {
      String late = named(before, PartState.ASKED);
      String why = late + ": no decision in " + HOLD_MS / 1000 + " seconds";
      end(c, copy(before), why, decision);
    } else {
      ReservationWhole after = copy(before);
      after.setDueMs(0L);
      String left = "; not yet gone, and ends as soon as its shard answers: ";
      String rest = left + named(after, PartState.ASKED, PartState.HELD, PartState.COMMITTED);
      answer(after, after.getBy().isEmpty(), after.getWhy() + rest, decision);
      decision.fact(new WholeAnswered(c.stamp(), after));
    }
    return decision;
  }

  private static String named(ReservationWhole whole, PartState... states) {
    Set<PartState> wanted = Set.of(states);
    return whole.getParts().stream()
        .filter(it -> wanted.contains(it.getState()))
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

  private static String kept(ReservationWhole whole) {
    return whole.getParts().stream()
        .map(WholePart::getReservationId)
        .collect(Collectors.joining(" "));
  }

  private static String shown(WholePart part) {
    return part.getPartition() + ": " + (part.getWhy().isEmpty() ? "it ended" : part.getWhy());
  }

  private static boolean all(ReservationWhole whole, PartState state) {
    return whole.getParts().stream().allMatch(it -> it.getState() == state);
  }

  private static boolean waits(ReservationWhole whole, CommandMeta meta) {
    return whole.getWaiting() != null && whole.getWaiting().getId().equals(meta.getId());
  }

  private static ReservationWhole find(Context c, long number) {
    return number < 0 ? null : c.view().table(ReservationWhole.class).get(Keys.number(number));
  }

  private static boolean isNamed(ReservationWhole whole, String id) {
    return whole.getId().equals(id) || ReservationIds.whole(whole.getNumber()).equals(id);
  }

  private static ReservationWhole copy(ReservationWhole whole) {
    return ReservationWhole.newBuilder(whole).build();
  }
}
