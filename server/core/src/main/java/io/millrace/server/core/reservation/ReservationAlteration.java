package io.millrace.server.core.reservation;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Decides alterations. Names and lists change at once; another window or fewer chunks are looked at
 * by the scheduler first, and until then everything is as it was. Of a standing reservation they
 * are those of the present occurrence or of the next one.
 */
final class ReservationAlteration {
  private static final String REQUESTED = "ALTER REQUESTED";

  private final Context c;
  private final Reservation before;
  private final AlterReservation wish;
  private final List<String> changed = new ArrayList<>();

  private ReservationAlteration(Context c, Reservation before, AlterReservation wish) {
    this.c = c;
    this.before = before;
    this.wish = wish;
  }

  /** The caller has been found to be the owner or an operator. */
  static Decision decide(Context c, Reservation before, AlterReservation wish) {
    try {
      return new ReservationAlteration(c, before, wish).decide();
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private Decision decide() throws PbsRefusal {
    refuseState();
    refuseMoreOfCell();
    ReservationRequest.checkInteractive(wish.getInteractiveS());
    Reservation after = Revision.of(c, before);
    ReservationSpec described = ReservationRequest.measured(described(before.getSpec()));
    if (!wish.getTransaction()) {
      after.setSpec(described);
    }
    boolean moved = movesWindow();
    boolean smaller = wish.getRequest() != null;
    if (wish.getTransaction()) {
      refuseHeld(smaller);
      after.setPending(Pending.of(c, TransactionKind.MODIFY));
    }
    if (!moved && !smaller) {
      return describe(wish.getTransaction() ? Pending.described(c, before, described) : after);
    }
    ReservationSpec asked = asked(described);
    if (Reservations.isMaintenance(before)) {
      return Maintenance.moved(c, before, asked);
    }
    if (!Reservations.hasQueue(before)) {
      return otherWish(asked);
    }
    if (endsNow()) {
      return over(asked);
    }
    if (wish.getForce()) {
      return force(asked);
    }
    after.setAsked(asked);
    Decision decision = Decision.none();
    if (wish.getInteractiveS() != 0 && c.meta().getReplyTo() >= 0) {
      ReservationRequest.wait(c, after, wish.getInteractiveS());
    } else {
      decision.answer(c.meta(), 0, List.of(before.getId() + " " + REQUESTED));
    }
    return decision.fact(altered(Revision.settled(c, after)));
  }

  private void refuseState() throws PbsRefusal {
    if (wish.getForce() && !c.isManager()) {
      throw new PbsRefusal(PbsError.UNAUTHORIZED);
    }
    if (wish.getForce() && wish.getRequest() != null) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": chunks are not changed by force");
    }
    boolean settled =
        (Reservations.hasQueue(before) || mayBeAskedOtherwise())
            && !Reservations.isClosing(before)
            && before.getPending() == null
            && before.getState() != ReservationState.BEING_ALTERED;
    if (!settled) {
      throw new PbsRefusal(PbsError.BAD_STATE);
    }
  }

  /** Licences are looked for by qrsub alone, so that another time or other chunks may lack them. */
  private void refuseMoreOfCell() throws PbsRefusal {
    ReservationSpec now = before.getSpec();
    boolean within = start() >= now.getStartMs() && end() <= now.getEndMs();
    if (now.getGridEngine() != null && (wish.getRequest() != null || !within)) {
      String instead = ": what qrsub has reserved can only become shorter; qrdel it and ask again";
      throw new PbsRefusal(PbsError.UNSUPPORTED, instead);
    }
  }

  /** As in PBS a manager may change what no scheduler has decided yet. */
  private boolean mayBeAskedOtherwise() {
    ReservationSpec spec = before.getSpec();
    return wish.getForce() && !spec.getSoonest() && !Occurrences.isStanding(before);
  }

  /** In its window only its end and its users may be changed in a transaction. */
  private void refuseHeld(boolean other) throws PbsRefusal {
    boolean begun = before.getStartedMs() >= 0;
    boolean start = start() != before.getSpec().getStartMs();
    if (Pending.refuses(before.getSpec())) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, Pending.REFUSED);
    }
    if (wish.getForce() || begun && (other || start)) {
      throw new PbsRefusal(PbsError.BAD_STATE);
    }
  }

  /** Nothing that a scheduler would have to look at. */
  private Decision describe(Reservation after) {
    boolean asks = !changed.isEmpty() && wish.getInteractiveS() == 0;
    String said = asks ? REQUESTED : Revision.CONFIRMED;
    Decision decision = Decision.done(c, before.getId() + " " + said);
    return changed.isEmpty() ? decision : decision.fact(altered(after));
  }

  private ReservationAltered altered(Reservation after) {
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    return new ReservationAltered(c.stamp(), after, String.join(",", changed), by);
  }

  private ReservationSpec described(ReservationSpec now) {
    ReservationSpec spec = Copies.of(now);
    set(wish.getName(), spec::setName, "Reserve_Name");
    set(users(now), spec::setUsers, "Authorized_Users");
    set(wish.getGroups(), spec::setGroups, "Authorized_Groups");
    set(wish.getHosts(), spec::setHosts, "Authorized_Hosts");
    set(wish.getMailPoints(), spec::setMailPoints, "Mail_Points");
    set(wish.getMailUsers(), spec::setMailUsers, "Mail_Users");
    return spec;
  }

  /** As in PBS they may be others than its owner; somebody there always is. */
  private List<String> users(ReservationSpec now) {
    boolean nobody = wish.getUsers() != null && wish.getUsers().isEmpty();
    return nobody ? List.of(now.getOwner() + "@" + now.getSubmitHost()) : wish.getUsers();
  }

  private <T> void set(T value, Consumer<T> setter, String name) {
    if (value != null) {
      setter.accept(value);
      changed.add(name);
    }
  }

  private boolean movesWindow() {
    ReservationSpec now = before.getSpec();
    return start() != now.getStartMs() || end() != now.getEndMs();
  }

  private long start() {
    return wish.getStartMs() == null ? before.getSpec().getStartMs() : wish.getStartMs();
  }

  private long end() {
    return wish.getEndMs() == null ? before.getSpec().getEndMs() : wish.getEndMs();
  }

  /** As in PBS one that has begun may be given an end that has passed: it is over then. */
  private boolean endsNow() {
    return before.getStartedMs() >= 0
        && !Reservations.isMaintenance(before)
        && !wish.getTransaction()
        && wish.getRequest() == null
        && start() == before.getSpec().getStartMs()
        && end() > start()
        && end() <= c.nowMs();
  }

  private ReservationSpec asked(ReservationSpec described) throws PbsRefusal {
    ReservationSpec asked = Copies.of(described);
    if (start() != before.getSpec().getStartMs()) {
      if (start() < c.nowMs()) {
        throw new PbsRefusal(PbsError.BAD_TIMES);
      }
      if (before.getStartedMs() >= 0 && ReservedJobs.any(c.view(), before.getNumber())) {
        throw new PbsRefusal(PbsError.RESERVATION_NOT_EMPTY);
      }
    }
    refuseLater();
    if (movesWindow() && !endsNow()) {
      ReservationRequest.checkWindow(c, start(), end());
    }
    asked.setStartMs(start());
    asked.setEndMs(endsNow() ? c.nowMs() : end());
    if (wish.getRequest() != null) {
      if (Reservations.isMaintenance(before)) {
        throw new PbsRefusal(PbsError.SELECT_NOT_SUBSET);
      }
      ReservationRequest.checkRequest(wish.getRequest());
      if (!wish.getMore() || Occurrences.isStanding(before)) {
        refuseMore(described.getRequest(), wish.getRequest());
      }
      asked.setRequest(
          new ResourceRequest(
              wish.getRequest().getChunks(),
              described.getRequest().getPlace(),
              -1L,
              described.getRequest().getJobWide()));
      if (wish.getResourceList() != null) {
        asked.setResourceList(wish.getResourceList());
      }
      ReservationLimits.checkMore(c, before, asked);
    }
    return ReservationRequest.measured(asked);
  }

  /** As in PBS an occurrence that is altered is over before the next one begins. */
  private void refuseLater() throws PbsRefusal {
    List<Long> later = before.getSpec().getLaterMs();
    if (later.isEmpty()) {
      return;
    }
    // Each may end where the next one begins, and stays so when it is altered otherwise.
    boolean lasts = end() != before.getSpec().getEndMs() && end() >= later.get(0);
    if (lasts || start() >= later.get(0)) {
      throw new PbsRefusal(PbsError.OCCURRENCE_CONFLICT);
    }
  }

  /** As in PBS only chunks that it has may be asked for, and no more of them. */
  private static void refuseMore(ResourceRequest has, ResourceRequest asked) throws PbsRefusal {
    Map<Chunk, Integer> left = new HashMap<>();
    has.getChunks().forEach(it -> left.merge(kind(it), it.getCount(), Integer::sum));
    for (Chunk chunk : asked.getChunks()) {
      if (left.merge(kind(chunk), -chunk.getCount(), Integer::sum) < 0) {
        throw new PbsRefusal(PbsError.SELECT_NOT_SUBSET);
      }
    }
  }

  private static Chunk kind(Chunk chunk) {
    return new Chunk(1, chunk.getAmounts(), chunk.getMatches());
  }

  /** Its scheduler decides on what is asked for now instead. */
  private Decision otherWish(ReservationSpec asked) {
    Reservation after = Revision.of(c, before);
    after.setSpec(asked);
    return Decision.done(c, before.getId() + " " + Revision.CONFIRMED).fact(altered(after));
  }

  /** Its end is now, on whichever nodes it has; the timer of its end does the rest. */
  private Decision over(ReservationSpec asked) throws PbsRefusal {
    Reservation after = Revision.of(c, before);
    after.setSpec(asked);
    Occurrences.alteredAlone(before, after);
    String said = wish.getInteractiveS() == 0 ? REQUESTED : Revision.CONFIRMED;
    return Decision.done(c, before.getId() + " " + said)
        .fact(new ReservationConfirmed(c.stamp(), Revision.settled(c, after), "", 0L, false));
  }

  /** Decided at once for the nodes that it has: confirmed, or all is as it was. */
  private Decision force(ReservationSpec asked) {
    Decision decision = Decision.none();
    try {
      Reservation after = new Placing(c, before, asked).on(before.getShares());
      Occurrences.alteredAlone(before, after);
      return decision
          .fact(new ReservationConfirmed(c.stamp(), Confirmation.begun(c, after), "", 0L, false))
          .answer(c.meta(), 0, List.of(before.getId() + " " + Revision.CONFIRMED));
    } catch (PbsRefusal e) {
      return decision.answer(c.meta(), 0, List.of(before.getId() + " " + Revision.DENIED));
    }
  }
}
