package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.AnswerPart;
import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.WholeBegun;
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
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.state.CutText;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides reservations that are made of parts in several partitions, also of other installations.
 */
public final class Deciders {
  /** Most of one shard: all are in memory. */
  static final long WHOLES_MAX = 10_000;

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
    String wrong = WholeRequest.wrong(c, command);
    if (!wrong.isEmpty()) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST, ": " + wrong);
    }
    String owner = WholeRequest.owner(c, command);
    if (!c.isManager() && !owner.equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    try {
      WholeRequest.checkElsewhere(c, command, all);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    return begin(c, blocks.take(), command, decision);
  }

  private static Decision begin(
      Context c, long number, ReserveTogether command, Decision decision) {
    ReservationWhole fresh = WholeRequest.fresh(c, number, command);
    decision.fact(new WholeBegun(c.stamp(), fresh));
    List<ReservationSpec> specs = command.getParts();
    List<String> partitions = fresh.getParts().stream().map(WholePart::getPartition).toList();
    for (int i = 0; i < specs.size(); i++) {
      PartOf of = new PartOf(fresh.getId(), number, c.shard(), i, partitions);
      HoldPart hold = new HoldPart(c.asShard(), of, specs.get(i), fresh.getDueMs());
      decision.tell(fresh.getParts().get(i).getShard(), hold);
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
    ReservationWhole after = WholeProgress.copy(before);
    after.setForget(command.getForget());
    after.setWaiting(c.meta().getReplyTo() >= 0 ? c.meta() : null);
    after.setBy(c.meta().getPrincipal() + "@" + c.meta().getHost());
    Decision decision = Decision.none();
    WholeProgress.end(c, after, "", decision);
    return decision;
  }

  /** What another installation says of a part, or why it says nothing. */
  public Decision decide(Context c, ReportSitePart command) {
    return SiteParts.decide(c, find(c, command.getWhole()), command);
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
    ReservationWhole after = WholeProgress.copy(before);
    WholePart part = after.getParts().get(command.getPart());
    if (part.getThere() != null) {
      return decision;
    }
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
    part.setWhy(CutText.of(command.getWhy(), WholeProgress.WHY_MAX));
    WholeProgress.goOn(c, after, command.getPart(), decision);
    return decision;
  }

  private static boolean same(WholePart part, AnswerPart command) {
    return part.getState() == command.getState();
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

  /** Who was asked has not answered in time, or what was held is not gone in time. */
  public Decision wholeDue(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    ReservationWhole before = c.view().table(ReservationWhole.class).get(timer.getSubject());
    if (before != null && before.getDueMs() == timer.getDueMs()) {
      WholeProgress.due(c, before, decision);
    }
    return decision;
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
}
