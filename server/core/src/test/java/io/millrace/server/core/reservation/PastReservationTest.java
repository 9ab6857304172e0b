package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.HOUR_MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.ForgetReservation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.ReservationCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of reservations that have ended, and for how long. */
class PastReservationTest {
  private final Reserving all = new Reserving();

  private List<PastReservation> past() {
    List<PastReservation> past = new ArrayList<>();
    all.shards.tables(0).table(PastReservation.class).each(past::add);
    return past;
  }

  private int delete(String user, String id, boolean forget) {
    return all.shards
        .ask(0, new DeleteReservation(all.shards.user(user), id, forget, false))
        .getCode();
  }

  private int forget(String user, String id) {
    return all.shards.ask(0, new ForgetReservation(all.shards.user(user), id)).getCode();
  }

  @Test
  void whatHasEndedIsKeptAsLongAsTheServerSays() {
    all.shards.must(
        ChangeOperation.SET, ObjectKind.SERVER, "mill", "job_history_duration=10:00:00");
    all.reserved("ann", 1, 2, "n0", 2);
    String denied = all.submit(all.spec("bob", 1, 2, "", Reserving.chunk(1, 9)));
    all.deny(denied);
    assertEquals("full", past().get(0).getWhy());
    all.toHour(2.5);
    assertEquals(2, past().size());
    PastReservation first = past().get(0);
    assertEquals(ReservationState.FINISHED, first.getReservation().getState());
    assertEquals(all.beginMs + 2 * HOUR_MS, first.getEndedMs(), 60_000);
    all.toHour(10.5);
    assertEquals(1, past().size(), "the one that was denied is forgotten first");
    all.toHour(12.5);
    assertEquals(0, past().size());
  }

  @Test
  void oneThatIsDestroyedLeavesNothing() {
    String kept = all.reserved("ann", 1, 2, "n0", 2);
    String gone = all.reserved("ann", 1, 2, "n1", 2);
    assertEquals(PbsError.UNAUTHORIZED.code(), delete("bob", gone, true));
    assertEquals(0, delete("ann", gone, true));
    assertEquals(0, delete("ann", kept, false));
    assertEquals(List.of(kept), past().stream().map(it -> it.getReservation().getId()).toList());
    assertEquals(PbsError.UNKNOWN_RESERVATION.code(), forget("ann", gone));
    assertEquals(PbsError.UNAUTHORIZED.code(), forget("bob", kept));
    assertEquals(0, forget("ann", kept));
    assertTrue(past().isEmpty());
    assertEquals(PbsError.UNKNOWN_RESERVATION.code(), forget("ann", kept), "twice");
  }

  @Test
  void oneThatWaitsForItsJobsMayStillBeForgotten() {
    String id = all.reserved("ann", 0.5, 2, "n0", 2);
    all.queued(Reserving.job("ann", Reserving.queue(id), 1, 1));
    assertEquals(0, delete("ann", id, true));
    all.toHour(1);
    assertTrue(past().isEmpty(), () -> past().toString());
    assertTrue(ReservationCalls.all(all.shards.tables(0)).isEmpty());
  }
}
