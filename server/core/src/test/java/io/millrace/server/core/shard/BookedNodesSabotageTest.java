package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.UsualOccurrence;
import io.millrace.server.core.reservation.Appliers;
import io.millrace.server.core.state.BookingWrites;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What histories hold against each fact finds a shard that gives too much. */
class BookedNodesSabotageTest {
  private static final int HOUR_MS = 3_600_000;

  private final TestShards shards = TestShards.threePartitions();
  private final Tables tables = shards.tables(0);

  /** Of n0, which has four processors, from the next hour until the one behind it. */
  private ReservationConfirmed reserved(long ncpus) {
    Chunk chunk = new Chunk(1, Map.of("ncpus", ncpus), Map.of());
    ReservationSpec spec =
        ReservationCalls.spec(
            "ann", "pbs-default", shards.nowMs + HOUR_MS, shards.nowMs + 2 * HOUR_MS, "", chunk);
    shards.ask(0, ReservationCalls.submit(shards.user("ann"), spec, 0));
    Reservation fresh = ReservationCalls.all(tables).get(0);
    int code =
        shards.code(
            0,
            ReservationCalls.confirm(
                shards.engine("default"),
                shards.epoch("default"),
                "default",
                fresh,
                List.of(Calls.share("n0", 1, ncpus))));
    assertEquals(0, code);
    return shards.facts(ReservationConfirmed.class).get(0);
  }

  /** A fact that no shard decides, applied all the same. */
  private ReservationConfirmed forged(ReservationConfirmed real, Reservation record) {
    ReservationConfirmed fact =
        new ReservationConfirmed(real.getMeta(), record, "default", real.getEpoch(), false);
    new Appliers().apply(tables, fact);
    return fact;
  }

  private static Reservation twin(Reservation of) {
    long number = of.getNumber() + 1;
    return Reservation.newBuilder(of)
        .setNumber(number)
        .setQueue("R" + number)
        .setId("R" + number + ".mill")
        .build();
  }

  @Test
  void aNodeThatIsBookedTwice() {
    ReservationConfirmed first = reserved(3);
    new BookedNodes().check(tables, first);
    ReservationConfirmed second = forged(first, twin(first.getReservation()));
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, second));
  }

  @Test
  void aBookingOverARunThatDoesNotGiveWay() {
    ReservationConfirmed real = reserved(1);
    String job = shards.submit(Calls.job("cy", "workq", 3));
    assertEquals(0, shards.grant(job, "default", "n0", 3).getCode());
    Reservation more =
        Reservation.newBuilder(real.getReservation())
            .setBooked(List.of(new BookedNode("n0", Map.of("ncpus", 2L), false)))
            .build();
    ReservationConfirmed wrong = forged(real, more);
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, wrong));
    more.getSpec().setOthers(new OthersAtStart(StartAction.REQUEUE, 0L));
    new BookedNodes().check(tables, wrong);
  }

  /** The present occurrence alone is short; the later one lies over what is booked. */
  @Test
  void aLaterOccurrenceThatIsLongerThanThePresentOne() {
    ReservationConfirmed first = reserved(3);
    Reservation other = twin(first.getReservation());
    ReservationSpec spec = ReservationSpec.newBuilder(other.getSpec()).build();
    spec.setStartMs(shards.nowMs + 1000);
    spec.setEndMs(shards.nowMs + 2000);
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(shards.nowMs + 3000));
    other.setSpec(spec);
    other.setUsual(new UsualOccurrence((long) HOUR_MS, spec.getRequest(), List.of()));
    other.setPlacements(List.of(new Placement(other.getShares(), other.getBooked(), "")));
    other.setLies(List.of(0));
    ReservationConfirmed second = forged(first, other);
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, second));
  }

  @Test
  void aBookingThatIsForgotten() {
    ReservationConfirmed real = reserved(2);
    BookedNodes.derived(tables);
    String[] key = new String[1];
    tables
        .bookings()
        .scan(
            "",
            null,
            (found, booking) -> {
              key[0] = found;
              return false;
            });
    BookingWrites.remove(tables, key[0]);
    assertThrows(AssertionError.class, () -> BookedNodes.derived(tables));
    assertEquals(2, real.getReservation().getBooked().get(0).getAmounts().get("ncpus"));
  }
}
