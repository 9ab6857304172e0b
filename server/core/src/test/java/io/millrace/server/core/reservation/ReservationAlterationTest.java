package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Alterations that need no scheduler, and what happens to a window that is moved. */
class ReservationAlterationTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private AlterReservation.Builder times(
      CommandMeta meta, String id, double fromHour, double toHour) {
    return ReservationCalls.alter(meta, id).setStartMs(at(fromHour)).setEndMs(at(toHour));
  }

  private long at(double hour) {
    return all.beginMs + (long) (hour * HOUR_MS);
  }

  private Reply ask(AlterReservation.Builder wish) {
    return shards.ask(0, wish.build());
  }

  /** As in PBS: its end may be given as one that has passed by now. */
  @Test
  void anEndThatHasPassedIsNow() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    String inside = shards.submit(job("ann", queue(id), 1, 0));
    int early = ask(times(shards.user("ann"), id, 1, 0.5)).getCode();
    assertEquals(PbsError.BAD_TIMES.code(), early, "before its window nothing has passed");
    all.toHour(2);
    assertEquals(0, all.run(inside, "n0", 1));
    shards.started(shards.lastStart());
    assertEquals(PbsError.BAD_TIMES.code(), ask(times(shards.user("ann"), id, 1, 0.9)).getCode());
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    Reply over = ask(times(shards.user("ann"), id, 1, 1.5));
    assertEquals(List.of(id + " ALTER REQUESTED"), over.getLines(), over::toString);
    shards.pass(1);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
    shards.finished(shards.lastStart(), 271);
    shards.pass(1);
    assertNull(all.find(id));
    Reservation last = shards.facts(ReservationEnded.class).get(0).getReservation();
    assertEquals(ReservationState.FINISHED, last.getState());
    assertTrue(last.getSpec().getEndMs() >= at(2), "it has lasted until now");
    assertTrue(all.bookings().isEmpty());
  }

  /** Its jobs stay where they are: what was asked for before they came is refused then. */
  @Test
  void anotherStartIsRefusedOnceAJobHasCome() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    all.toHour(1.1);
    assertEquals(0, ask(times(shards.user("ann"), id, 2, 3)).getCode());
    assertEquals(ReservationState.BEING_ALTERED, all.find(id).getState());
    assertEquals(0, all.queued(job("ann", queue(id), 1, 0)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    Reservation after = all.find(id);
    assertEquals(ReservationState.RUNNING, after.getState());
    assertNull(after.getAsked());
    assertEquals(at(1), after.getSpec().getStartMs());
    ReservationDenied denied = shards.facts(ReservationDenied.class).get(0);
    assertEquals("it has begun and has jobs", denied.getWhy());
    assertEquals(0, ask(times(shards.user("ann"), id, 1, 4)).getCode(), "it may be asked again");
  }

  @Test
  void anEndIsRefusedOnceItHasPassed() {
    String id = all.reserved("ann", 1, 3, "n0", 2);
    assertEquals(0, ask(times(shards.user("ann"), id, 1, 2)).getCode());
    all.toHour(2.1);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertNull(all.find(id).getAsked());
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    assertEquals("its time has passed", shards.facts(ReservationDenied.class).get(0).getWhy());
  }

  /** Its licences are those of its window, and only qrsub looks for them. */
  @Test
  void whatQrsubHasReservedOnlyBecomesShorter() {
    ReservationSpec spec = all.spec("ann", 1, 3, "", chunk(1, 2));
    spec.setGridEngine(new GridEngineReservation(List.of(), "", List.of()));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    Reply later = ask(times(shards.user("ann"), id, 1, 3.5));
    assertEquals(PbsError.UNSUPPORTED.code(), later.getCode());
    assertTrue(later.getLines().get(0).contains("can only become shorter"), later::toString);
    assertEquals(PbsError.UNSUPPORTED.code(), ask(times(shards.user("ann"), id, 0.5, 2)).getCode());
    assertEquals(0, ask(times(shards.user("ann"), id, 1.5, 2)).getCode());
    assertEquals(at(2), all.find(id).getAsked().getEndMs());
  }

  @Test
  void anOccurrenceCanBeEndedSo() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 2));
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(at(3)));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    all.toHour(1.5);
    assertEquals(0, ask(times(shards.user("ann"), id, 1, 1.25).setInteractiveS(10)).getCode());
    shards.pass(1);
    Reservation next = all.find(id);
    assertEquals(2, next.getOccurrence());
    assertEquals(at(4), next.getSpec().getEndMs(), "as long as it was");
  }

  /** As in PBS, where the scheduler decides on the new times later. */
  @Test
  void whatNoSchedulerHasDecidedIsAskedForOtherwise() {
    String id = all.submit(all.spec("ann", 2, 3, "", chunk(1, 2)));
    int patient = ask(times(shards.manager(), id, 1, 2)).getCode();
    assertEquals(PbsError.BAD_STATE.code(), patient);
    int owner = ask(times(shards.user("ann"), id, 1, 2).setForce(true)).getCode();
    assertEquals(PbsError.UNAUTHORIZED.code(), owner);
    Reservation before = all.find(id);
    Reply forced = ask(times(shards.manager(), id, 1, 1.5).setForce(true));
    assertEquals(List.of(id + " CONFIRMED"), forced.getLines(), forced::toString);
    Reservation after = all.find(id);
    assertEquals(ReservationState.UNCONFIRMED, after.getState());
    assertEquals(at(1), after.getSpec().getStartMs());
    assertEquals(at(1.5), after.getSpec().getEndMs());
    int stale =
        shards
            .ask(
                0,
                ReservationCalls.confirm(
                    shards.engine("default"),
                    shards.epoch("default"),
                    "default",
                    before,
                    List.of(Calls.share("n0", 1, 2))))
            .getCode();
    assertEquals(PbsError.STALE_PROPOSAL.code(), stale, "it was for other times");
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    all.toHour(1.1);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
  }

  @Test
  void chunksAreNotChangedByForce() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    var wish = times(shards.manager(), id, 1, 1.5).setForce(true);
    wish.setRequest(Calls.request("", chunk(1, 2)));
    Reply refused = ask(wish);
    assertEquals(PbsError.UNSUPPORTED.code(), refused.getCode(), refused::toString);
    assertEquals(at(2), all.find(id).getSpec().getEndMs());
  }

  @Test
  void whoMayUseItIsSaidAnew() {
    String id = all.reserved("ann", 1, 2, "n0", 4);
    assertEquals(PbsError.UNAUTHORIZED.code(), all.queued(job("bob", queue(id), 1, 1)));
    ask(ReservationCalls.alter(shards.user("ann"), id).setUsers(List.of("bob")));
    assertEquals(0, all.queued(job("bob", queue(id), 1, 1)));
    assertEquals(PbsError.UNAUTHORIZED.code(), all.queued(job("ann", queue(id), 1, 1)));
    ask(ReservationCalls.alter(shards.user("ann"), id).setUsers(List.of("ann", "-bob")));
    assertEquals(PbsError.UNAUTHORIZED.code(), all.queued(job("bob", queue(id), 1, 1)));
    assertEquals(0, all.queued(job("ann", queue(id), 1, 1)));
    ask(ReservationCalls.alter(shards.user("ann"), id).setUsers(List.of()));
    assertEquals(List.of("ann@" + Calls.HOST), all.find(id).getSpec().getUsers());
    ask(
        ReservationCalls.alter(shards.user("ann"), id)
            .setUsers(List.of("ann", "bob"))
            .setGroups(List.of("physics")));
    assertEquals(PbsError.UNAUTHORIZED.code(), all.queued(job("ann", queue(id), 1, 1)));
    var physicist = job("bob", queue(id), 1, 1);
    physicist.getSpec().setGroup("physics");
    assertEquals(0, all.queued(physicist));
    ask(ReservationCalls.alter(shards.user("ann"), id).setGroups(List.of()));
    assertEquals(0, all.queued(job("ann", queue(id), 1, 1)));
  }

  /** A start in a window that has begun is given anew only while it has no job. */
  @Test
  void aWindowThatHasBegunIsMovedOnlyWhileItIsEmpty() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    all.toHour(1.1);
    assertEquals(0, ask(times(shards.user("ann"), id, 1.5, 2.5)).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(ReservationState.CONFIRMED, all.find(id).getState());
    shards.submit(job("ann", queue(id), 1, 0));
    assertEquals(0, ask(times(shards.user("ann"), id, 1.4, 2.4)).getCode(), "it has not begun");
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    all.toHour(1.45);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    for (boolean force : List.of(false, true)) {
      int refused = ask(times(shards.manager(), id, 1.6, 2.6).setForce(force)).getCode();
      assertEquals(PbsError.RESERVATION_NOT_EMPTY.code(), refused);
    }
    assertEquals(at(2.4), all.find(id).getSpec().getEndMs());
    assertEquals(0, ask(times(shards.user("ann"), id, 1.4, 3)).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(at(3), all.find(id).getSpec().getEndMs());
    all.toHour(2.9);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
  }

  @Test
  void theWalltimeIsThatOfTheWindow() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    for (double hours : new double[] {0.5, 1.25}) {
      assertEquals(0, ask(times(shards.user("ann"), id, 1, 1 + hours)).getCode());
      assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
      long seconds = (long) (hours * 3600);
      assertEquals(seconds, all.find(id).getSpec().getRequest().getWalltimeS());
    }
  }

  @Test
  void hundredsOfNodesAreToldInFull() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(256, 4));
    var shares = new NodeShare[256];
    for (int i = 0; i < shares.length; i++) {
      String name = "big" + i;
      shards.must(ChangeOperation.CREATE, ObjectKind.NODE, name);
      shards.nodeUp(name, 4);
      shares[i] = Calls.share(name, 1, 4);
    }
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, shares));
    assertEquals(0, ask(times(shards.user("ann"), id, 1.1, 2)).getCode());
    assertEquals(0, all.confirm(id, shares));
    List<ReservationConfirmed> told = shards.facts(ReservationConfirmed.class);
    assertEquals(256, told.get(1).getReservation().getNodes().split("\\+").length);
  }

  /** A node that is replaced meanwhile leaves the later occurrences as they were. */
  @Test
  void theNextOccurrenceIsAsBeforeThoughOneHasFewerChunksOnAnotherNode() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(2, 2));
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(at(3)));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 2, 4)));
    var fewer = ReservationCalls.alter(shards.user("ann"), id);
    assertEquals(0, ask(fewer.setRequest(Calls.request("", chunk(1, 2)))).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    assertEquals("(n1:ncpus=2)", all.find(id).getNodes());
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    all.toHour(2);
    assertEquals(2, all.find(id).getSpec().getRequest().getChunks().get(0).getCount());
    assertEquals(2, all.find(id).getShares().get(0).getChunks());
  }
}
