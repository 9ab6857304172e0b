package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.PastOccurrence;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is known of occurrences that are over, and of those that were not to be. */
class PastOccurrencesTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private String standing(double... hours) {
    ReservationSpec spec = all.spec("ann", hours[0], hours[0] + 1, "", chunk(1, 2));
    List<Long> later = new ArrayList<>();
    for (int i = 1; i < hours.length; i++) {
      later.add(all.beginMs + (long) (hours[i] * Reserving.HOUR_MS));
    }
    spec.setLaterMs(later);
    spec.setRule("FREQ=HOURLY;COUNT=" + hours.length);
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    return id;
  }

  /** Hours and nodes of all occurrences. */
  private String times(Reservation of) {
    StringBuilder text = new StringBuilder();
    for (BookedTime time : BookedTime.occurrences(of)) {
      text.append(hour(time.startMs())).append('-').append(hour(time.endMs()));
      time.booked().forEach(it -> text.append(' ').append(it.getNode()));
      text.append("; ");
    }
    return text.toString().strip();
  }

  private double hour(long ms) {
    return (ms - all.beginMs) / (double) Reserving.HOUR_MS;
  }

  private Reservation ended() {
    List<Reservation> past = new ArrayList<>();
    shards.tables(0).table(PastReservation.class).each(it -> past.add(it.getReservation()));
    return past.get(0);
  }

  @Test
  void thoseThatAreOverAreKnownWithTheirTimesAndNodes() {
    String id = standing(1, 3, 5, 7);
    AlterReservation longer =
        ReservationCalls.alter(shards.user("ann"), id)
            .setEndMs(all.beginMs + 2 * Reserving.HOUR_MS + Reserving.HOUR_MS / 2)
            .build();
    assertEquals(0, shards.ask(0, longer).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    all.toHour(4.5);
    assertEquals(
        "1.0-2.5 n1; 3.0-4.0 n0; 5.0-6.0 n0; 7.0-8.0 n0;", times(all.find(id)), "two are over");
    all.toHour(8.5);
    assertEquals("1.0-2.5 n1; 3.0-4.0 n0; 5.0-6.0 n0; 7.0-8.0 n0;", times(ended()), "and all");
    assertTrue(all.bookings().isEmpty());
  }

  @Test
  void thoseThatArePassedOverWereBooked() {
    String id = standing(1, 3, 5, 7);
    all.toHour(1.5);
    shards.nowMs = all.beginMs + 6 * Reserving.HOUR_MS + Reserving.HOUR_MS / 2;
    shards.pass(1);
    assertEquals("1.0-2.0 n0; 3.0-4.0 n0; 5.0-6.0 n0; 7.0-8.0 n0;", times(all.find(id)));
  }

  @Test
  void oneThatIsDeletedKnowsWhatItWasToHave() {
    String id = standing(1, 3, 5, 7);
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "mill", "job_history_duration=03:00:00");
    all.toHour(2.5);
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    assertEquals("1.0-2.0 n0; 3.0-4.0 n0; 5.0-6.0 n0;", times(ended()), "what is not kept so long");
  }

  @Test
  void whatIsOverIsForgottenAsReservationsAre() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "mill", "job_history_duration=02:30:00");
    String id = standing(1, 3, 5, 7);
    all.toHour(6.5);
    assertEquals("3.0-4.0 n0; 5.0-6.0 n0; 7.0-8.0 n0;", times(all.find(id)));
  }

  /** A node that comes to be on its host is its own from then on, and was not before. */
  @Test
  void aNodeThatIsMadeOnItsHostIsReservedFromThenOn() {
    String id = all.submit(all.spec("ann", 1, 3, "exclhost", chunk(1, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    all.toHour(2);
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n0b", "Mom=n0");
    assertEquals("1.0-2.0 n0; 2.0-3.0 n0 n0b;", about(all.find(id)));
    all.toHour(3.1);
    assertEquals("1.0-2.0 n0; 2.0-3.0 n0 n0b;", about(ended()));
  }

  /** Hours and nodes of all occurrences, to a tenth of an hour. */
  private String about(Reservation of) {
    StringBuilder text = new StringBuilder();
    for (BookedTime time : BookedTime.occurrences(of)) {
      text.append(String.format("%.1f-%.1f", hour(time.startMs()), hour(time.endMs())));
      time.booked().forEach(it -> text.append(' ').append(it.getNode()));
      text.append("; ");
    }
    return text.toString().strip();
  }

  @Test
  void nodesThatAreReplacedInTheWindowAreKnownWithTheirTimes() {
    String id = all.reserved("ann", 1, 4, "n0", 2);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    assertEquals("1.0-4.0 n1;", about(all.find(id)), "it had not begun");
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    all.toHour(2);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n1", "state=offline");
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals("1.0-2.0 n1; 2.0-4.0 n0;", about(all.find(id)));
    all.toHour(3);
    AlterReservation later =
        ReservationCalls.alter(shards.user("ann"), id)
            .setStartMs(all.beginMs + 5 * Reserving.HOUR_MS)
            .setEndMs(all.beginMs + 6 * Reserving.HOUR_MS)
            .build();
    assertEquals(0, shards.ask(0, later).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals("1.0-2.0 n1; 2.0-3.0 n0; 5.0-6.0 n0;", about(all.find(id)), "it was moved");
    all.toHour(6.5);
    assertEquals("1.0-2.0 n1; 2.0-3.0 n0; 5.0-6.0 n0;", about(ended()));
  }

  /** What is over fills the record nearly; the alteration adds what the later ones are like. */
  @Test
  void whatIsOverMakesRoomForAnAlteration() {
    String id = standing(1, 3, 5, 7);
    all.toHour(2.5);
    Reservation full = Copies.of(all.find(id));
    List<PastOccurrence> past = new ArrayList<>(full.getPast());
    long size = RecordSizes.of(full);
    long each = RecordSizes.of(past.get(0));
    for (long i = (PastOccurrences.RECORD_BYTES_MAX - size) / each; i > 0; i--) {
      past.add(past.get(0));
    }
    full.setPast(past);
    assertTrue(PastOccurrences.makeRoom(full), "as full as it may be");
    assertEquals(past.size(), full.getPast().size());
    shards.tables(0).table(Reservation.class).put(Keys.number(full.getNumber()), full);
    AlterReservation longer =
        ReservationCalls.alter(shards.user("ann"), id)
            .setEndMs(all.beginMs + 4 * Reserving.HOUR_MS + Reserving.HOUR_MS / 2)
            .build();
    assertEquals(0, shards.ask(0, longer).getCode());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    Reservation after = all.find(id);
    assertEquals(4.5, hour(after.getSpec().getEndMs()));
    assertTrue(after.getPastForgotten() > 0);
    assertEquals(past.size(), after.getPast().size() + after.getPastForgotten());
    assertEquals(
        List.of("n0"),
        after.getPlacements().get(0).getBooked().stream().map(BookedNode::getNode).toList());
  }

  @Test
  void nodesOfAnOccurrenceThatWereReplacedAreOfItsPast() {
    String id = standing(1, 3);
    all.toHour(1.5);
    shards.must(ChangeOperation.SET, ObjectKind.NODE, "n0", "state=offline");
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n0", "state");
    all.toHour(2.5);
    assertEquals("1.0-1.5 n0; 1.5-2.0 n1; 3.0-4.0 n0;", about(all.find(id)));
  }
}
