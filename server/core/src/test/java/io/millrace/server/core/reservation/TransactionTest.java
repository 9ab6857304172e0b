package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static io.millrace.server.core.reservation.Reserving.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.NoteHostSilent;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Changes of reservations that are held until they are settled. */
class TransactionTest {
  private static final int BAD_STATE = PbsError.BAD_STATE.code();

  private final Reserving all = new Reserving();

  private String open(double fromHour, double toHour) {
    SubmitReservation wish =
        new SubmitReservation(
            all.shards.user("ann"),
            all.spec("ann", fromHour, toHour, "", chunk(1, 3)),
            0L,
            false,
            true,
            false);
    String id = all.shards.ask(0, wish).getLines().get(0).split(" ")[0];
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    return id;
  }

  private int settle(String user, String id, boolean commit) {
    return all.shards
        .ask(0, new SettleReservation(all.shards.user(user), id, commit, false))
        .getCode();
  }

  /** What qrsub has held while it counts. */
  private Reservation counted() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 3));
    spec.setGridEngine(new GridEngineReservation(List.of("-l", "license=1"), "", List.of()));
    SubmitReservation wish =
        new SubmitReservation(all.shards.user("ann"), spec, 0L, false, true, false);
    String id = all.shards.ask(0, wish).getLines().get(0).split(" ")[0];
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    return all.find(id);
  }

  @Test
  void whileQrsubCountsNobodyElseSettles() {
    String id = counted().getId();
    for (boolean commit : new boolean[] {true, false}) {
      SettleReservation wish = new SettleReservation(all.shards.user("ann"), id, commit, false);
      Reply reply = all.shards.ask(0, wish);
      assertEquals(BAD_STATE, reply.getCode());
      assertTrue(reply.getLines().get(0).contains("qrsub counts"), reply.getLines()::toString);
    }
    assertNotNull(all.find(id).getPending());
    SettleReservation counted = new SettleReservation(all.shards.user("ann"), id, true, true);
    assertEquals(0, all.shards.ask(0, counted).getCode());
    assertNull(all.find(id).getPending());
    assertFalse(all.find(id).getOnlyHeld());
  }

  @Test
  void whatIsDeletedBeforeItIsGrantedWasOnlyHeld() {
    String id = counted().getId();
    all.shards.ask(0, ReservationCalls.delete(all.shards.user("ann"), id));
    assertTrue(all.shards.facts(ReservationEnded.class).get(0).getReservation().getOnlyHeld());
    id = open(3, 4);
    assertEquals(0, settle("ann", id, false));
    assertTrue(all.shards.facts(ReservationEnded.class).get(1).getReservation().getOnlyHeld());
    id = open(3, 4);
    assertEquals(0, settle("ann", id, true));
    all.shards.ask(0, ReservationCalls.delete(all.shards.user("ann"), id));
    assertFalse(all.shards.facts(ReservationEnded.class).get(2).getReservation().getOnlyHeld());
  }

  private int delete(String id, boolean forget) {
    return delete(all.shards.user("ann"), id, forget);
  }

  private int delete(CommandMeta who, String id, boolean forget) {
    return all.shards.ask(0, new DeleteReservation(who, id, forget, true)).getCode();
  }

  private int alter(String id, Double fromHour, Double toHour) {
    return alter(all.shards.user("ann"), id, fromHour, toHour);
  }

  private int alter(CommandMeta who, String id, Double fromHour, Double toHour) {
    AlterReservation.Builder wish = ReservationCalls.alter(who, id).setTransaction(true);
    wish.setStartMs(fromHour == null ? null : all.beginMs + (long) (fromHour * HOUR_MS));
    wish.setEndMs(toHour == null ? null : all.beginMs + (long) (toHour * HOUR_MS));
    return all.shards.ask(0, wish.build()).getCode();
  }

  private int other(double fromHour, double toHour) {
    String id = all.submit(all.spec("bob", fromHour, toHour, "", chunk(1, 3)));
    int code = all.confirm(id, Calls.share("n0", 1, 3));
    all.shards.ask(0, ReservationCalls.delete(all.shards.user("bob"), id));
    return code;
  }

  private static long length(NodeBooking booking) {
    return booking.getEndMs() - booking.getStartMs();
  }

  @Test
  void whatIsReservedIsHeldUntilItIsSettled() {
    String kept = open(1, 2);
    assertNotNull(all.find(kept).getPending());
    assertEquals(PbsError.NO_ROOM.code(), other(1, 2));
    assertEquals(PbsError.UNAUTHORIZED.code(), settle("bob", kept, true));
    assertEquals(0, settle("ann", kept, true));
    assertNull(all.find(kept).getPending());
    assertEquals(BAD_STATE, settle("ann", kept, true), "twice");
    assertEquals(BAD_STATE, settle("ann", kept, false), "twice");
    assertEquals(PbsError.UNKNOWN_RESERVATION.code(), settle("ann", "R99.mill", true));
    assertEquals(PbsError.NO_ROOM.code(), other(1, 2));

    String gone = open(3, 4);
    assertEquals(0, settle("ann", gone, false));
    assertNull(all.find(gone));
    assertEquals(0, other(3, 4));
  }

  /** Neither one that is aborted, nor one that is deleted while it is held. */
  @Test
  void whatWasOnlyHeldIsKnownAsThatWhenItHasEnded() {
    String aborted = open(1, 2);
    assertEquals(0, settle("ann", aborted, false));
    String deleted = open(1, 2);
    DeleteReservation end = new DeleteReservation(all.shards.user("ann"), deleted, false, false);
    assertEquals(0, all.shards.ask(0, end).getCode());
    String had = open(1, 2);
    assertEquals(0, settle("ann", had, true));
    end = new DeleteReservation(all.shards.user("ann"), had, false, false);
    assertEquals(0, all.shards.ask(0, end).getCode());
    Map<String, Boolean> onlyHeld = new HashMap<>();
    all.shards
        .tables(0)
        .table(PastReservation.class)
        .each(it -> onlyHeld.put(it.getReservation().getId(), it.getReservation().getOnlyHeld()));
    assertEquals(Map.of(aborted, true, deleted, true, had, false), onlyHeld);
  }

  @Test
  void nothingIsCommittedBeforeTheSchedulerHasDecided() {
    SubmitReservation wish =
        new SubmitReservation(
            all.shards.user("ann"), all.spec("ann", 1, 2, "", chunk(1, 3)), 0L, false, true, false);
    String id = all.shards.ask(0, wish).getLines().get(0).split(" ")[0];
    assertEquals(BAD_STATE, settle("ann", id, true));
    assertEquals(0, settle("ann", id, false));
    assertNull(all.find(id));
  }

  @Test
  void beforeAndAfterAreBothHeld() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertEquals(0, alter(id, 1.0, 5.0));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    assertEquals(3, all.bookings().size(), () -> all.bookings().toString());
    assertEquals(4 * HOUR_MS, all.bookings().stream().mapToLong(TransactionTest::length).sum());
    assertEquals(all.beginMs + 2 * HOUR_MS, all.find(id).getSpec().getStartMs(), "not yet");
    for (double hour = 1; hour < 5; hour++) {
      assertEquals(PbsError.NO_ROOM.code(), other(hour, hour + 1));
    }
    assertEquals(0, other(0.5, 1));
    assertEquals(BAD_STATE, alter(id, null, 4.5), "one after the other");
    assertEquals(BAD_STATE, delete(id, false));
    assertEquals(0, settle("ann", id, true));
    assertEquals(1, all.bookings().size());
    assertEquals(4 * HOUR_MS, length(all.bookings().get(0)));
    assertEquals(all.beginMs + HOUR_MS, all.find(id).getSpec().getStartMs());
  }

  /** What was booked of the node before is left, and nothing more is booked above what it has. */
  @Test
  void aNodeThatWasShrunkIsLeftOrGivenUp() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    all.shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "resources_available.ncpus=2");
    assertEquals(0, alter(id, 2.0, 5.0));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(id, Calls.share("n0", 1, 3)));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(PbsError.NO_ROOM.code(), other(1, 2), "n0 has 2");
    assertEquals(0, settle("ann", id, false));
    assertEquals(List.of("n0"), nodes());
    assertEquals(0, alter(id, 2.0, 5.0));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(0, settle("ann", id, true));
    assertEquals(List.of("n1"), nodes());
    assertEquals(
        List.of(TransactionKind.MODIFY, TransactionKind.MODIFY),
        all.shards.facts(ReservationSettled.class).stream()
            .map(ReservationSettled::getKind)
            .toList());
  }

  private List<String> nodes() {
    return all.bookings().stream().map(NodeBooking::getNode).toList();
  }

  @Test
  void anAbortGivesBackWhatItWasToBe() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertEquals(0, alter(id, 6.0, 7.0));
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(2, all.bookings().size());
    assertEquals(0, settle("ann", id, false));
    assertEquals(1, all.bookings().size());
    assertEquals(all.beginMs + 2 * HOUR_MS, all.bookings().get(0).getStartMs());
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());

    assertEquals(0, alter(id, 6.0, 7.0));
    assertEquals(0, all.deny(id));
    assertNull(all.find(id).getPending(), "what is denied holds nothing");
    assertEquals(0, alter(id, 6.0, 7.0));
    assertEquals(0, settle("ann", id, false), "while the scheduler is asked");
    assertNull(all.find(id).getAsked());
  }

  /** What it is from now on is told from what it may be. */
  @Test
  void aNodeThatTakesThePlaceOfALostOneIsNotHeld() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertFalse(lastIsHeld());
    assertEquals(0, alter(id, 1.0, 5.0));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    assertTrue(lastIsHeld());
    open(6, 7);
    assertTrue(lastIsHeld());
    CommandMeta meta = all.shards.calls.silent("shard-0", Role.SHARD, all.shards.nowMs);
    all.shards.send(0, new NoteHostSilent(meta, "n0", Calls.SPOOL, 30L));
    all.shards.run();
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertFalse(lastIsHeld());
    assertEquals(0, settle("ann", id, false));
  }

  private boolean lastIsHeld() {
    List<ReservationConfirmed> facts = all.shards.facts(ReservationConfirmed.class);
    return facts.get(facts.size() - 1).getHeld();
  }

  @Test
  void anEndIsHeldToo() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertEquals(0, delete(id, false));
    assertEquals(BAD_STATE, delete(id, false));
    assertEquals(PbsError.NO_ROOM.code(), other(2, 3));
    assertEquals(0, settle("ann", id, false));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    assertEquals(0, delete(id, true));
    assertEquals(0, settle("ann", id, true));
    assertNull(all.find(id));
    assertEquals(0, other(2, 3));
    all.shards
        .tables(0)
        .table(PastReservation.class)
        .each(it -> assertFalse(it.getReservation().getId().equals(id), "it was destroyed"));
  }

  @Test
  void anOpenTransactionEndsByItself() {
    String late = open(1, 2);
    String early = open(0.1, 0.2);
    String kept = all.reserved("ann", 3, 4, "n0", 3);
    assertEquals(0, delete(kept, false));
    all.toHour(0.11);
    assertNull(all.find(early), "its window would have begun");
    assertNotNull(all.find(late));
    all.toHour((double) TransactionTimes.OPEN_MAX_MS / HOUR_MS + 0.01);
    assertNull(all.find(late), "after a time");
    assertEquals(BAD_STATE, settle("ann", kept, true));
    Reservation left = all.find(kept);
    assertNull(left.getPending());
    assertEquals(ReservationState.CONFIRMED, left.getState());
    assertEquals(
        List.of(),
        all.bookings().stream().filter(it -> it.getNumber() != left.getNumber()).toList());
  }

  @Test
  void usersChangeWithTheCommit() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    AlterReservation wish =
        ReservationCalls.alter(all.shards.user("ann"), id)
            .setUsers(List.of("bob"))
            .setTransaction(true)
            .build();
    assertEquals(0, all.shards.ask(0, wish).getCode());
    assertFalse(all.find(id).getSpec().getUsers().contains("bob"));
    assertEquals(0, settle("ann", id, true));
    assertTrue(all.find(id).getSpec().getUsers().contains("bob"));
    assertEquals(1, all.bookings().size());
  }

  @Test
  void standingOnesAndMaintenanceTakeNoTransaction() {
    ReservationSpec standing = standing(1, 3);
    int unsupported = PbsError.UNSUPPORTED.code();
    SubmitReservation held =
        new SubmitReservation(all.shards.user("ann"), standing, 0L, false, true, false);
    assertEquals(unsupported, all.shards.ask(0, held).getCode());
    String again = all.submit(standing);
    assertEquals(0, all.confirm(again, Calls.share("n0", 1, 3)));
    ReservationSpec hosts = all.spec("ann", 1, 2, "");
    hosts.setMaintained(List.of("n1"));
    CommandMeta manager = all.shards.manager();
    held = new SubmitReservation(manager, hosts, 0L, false, true, false);
    assertEquals(unsupported, all.shards.ask(0, held).getCode());
    String maintenance =
        all.shards
            .ask(0, ReservationCalls.submit(all.shards.manager(), hosts, 0))
            .getLines()
            .get(0)
            .split(" ")[0];
    for (String id : List.of(again, maintenance)) {
      assertEquals(unsupported, delete(all.shards.operator(), id, false));
      assertEquals(unsupported, alter(all.shards.operator(), id, null, 4.0));
      assertNull(all.find(id).getPending());
      assertEquals(BAD_STATE, settle("ann", id, true));
    }
    assertEquals(3, all.bookings().size());
  }

  /** Half an hour long. */
  private ReservationSpec standing(double... hours) {
    ReservationSpec spec = all.spec("ann", hours[0], hours[0] + 0.5, "", chunk(1, 3));
    spec.setLaterMs(List.of(all.beginMs + (long) (hours[1] * HOUR_MS)));
    spec.setRule("FREQ=HOURLY;COUNT=2");
    return spec;
  }

  @Test
  void whatIsHeldAndLaterOccurrencesAreBothBooked() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertEquals(0, alter(id, null, 5.0));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    String again = all.submit(standing(1, 4.25));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(again, Calls.share("n0", 1, 3)));
    assertEquals(0, all.confirm(again, Calls.share("n1", 1, 3)));
    assertEquals(4, all.bookings().size(), () -> all.bookings().toString());
    String late = all.reserved("ann", 6, 7, "n1", 3);
    assertEquals(0, alter(late, 4.5, 7.0));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(late, Calls.share("n1", 1, 3)));
    assertEquals(0, settle("ann", late, false));
    assertEquals(0, settle("ann", id, true));
    assertEquals(4, all.bookings().size(), () -> all.bookings().toString());
  }

  /** Maintenance asks nobody: what is held there is lost to it when it is committed. */
  @Test
  void maintenanceComesOverWhatIsHeld() {
    String id = all.reserved("ann", 2, 4, "n0", 3);
    assertEquals(0, alter(id, null, 5.0));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    ReservationSpec hosts = all.spec("root", 4.5, 6, "");
    hosts.setMaintained(List.of("n0"));
    assertEquals(
        0, all.shards.ask(0, ReservationCalls.submit(all.shards.manager(), hosts, 0)).getCode());
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState(), "as it is it ends before");
    assertEquals(0, settle("ann", id, true));
    assertEquals(ReservationState.IN_CONFLICT, all.find(id).getSubstate());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
  }

  @Test
  void insideTheWindowOnlyTheEndIsHeld() {
    String id = all.reserved("ann", 0.5, 2, "n0", 3);
    all.toHour(1);
    assertEquals(BAD_STATE, alter(id, 1.5, 3.0));
    assertEquals(0, alter(id, null, 3.0));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3)));
    assertEquals(PbsError.NO_ROOM.code(), other(2, 3));
    assertEquals(0, settle("ann", id, true));
    all.toHour(2.5);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
  }
}
