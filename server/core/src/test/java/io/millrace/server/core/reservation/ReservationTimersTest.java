package io.millrace.server.core.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.state.Frozen;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The timers of a reservation, and that none is taken back that is not set. */
class ReservationTimersTest {
  private final Tables plain = Tables.inMemory(0, 1);
  private final List<String> inVain = new ArrayList<>();
  private final Tables tables =
      new Tables(
          0,
          1,
          WireCodec.local(),
          name -> name.equals("timers") ? new WatchedTimers() : plain.table(name));

  private final class WatchedTimers implements Table<Timer> {
    private final Table<Timer> timers = plain.table("timers");

    @Override
    public Timer get(String key) {
      return timers.get(key);
    }

    @Override
    public void scan(String from, String to, RecordVisitor<Timer> visitor) {
      timers.scan(from, to, visitor);
    }

    @Override
    public void put(String key, Timer value) {
      timers.put(key, value);
    }

    @Override
    public void remove(String key) {
      if (timers.get(key) == null) {
        inVain.add(key);
      }
      timers.remove(key);
    }

    @Override
    public Frozen<Timer> freeze() {
      return timers.freeze();
    }
  }

  private Reservation put(Reservation.Builder record) {
    Reservation it = record.build();
    ReservationRecords.put(tables, it);
    return it;
  }

  private Set<String> kinds() {
    Set<String> kinds = new TreeSet<>();
    tables.timers().each(it -> kinds.add(it.getKind() + " " + it.getDueMs()));
    return kinds;
  }

  @Test
  void eachRecordHasItsOwn() {
    ReservationSpec spec = ReservationCalls.spec("ann", "pbs-default", 1_000, 9_000, "");
    Reservation asked =
        put(
            Reservation.newBuilder()
                .setId("R7.s")
                .setNumber(7)
                .setQueue("R7")
                .setSpec(spec)
                .setState(ReservationState.UNCONFIRMED)
                .setSubstate(ReservationState.UNCONFIRMED)
                .setCreatedMs(1)
                .setModifiedMs(1)
                .setWaiting(new Calls().meta("ann", Role.USER, 1))
                .setAnswerDueMs(500));
    assertEquals(Set.of("reservation-answer 500", "reservation-start 1000"), kinds());
    List<NodeShare> shares = List.of(Calls.share("n0", 1, 1));
    Reservation confirmed =
        put(
            Reservation.newBuilder(asked)
                .setState(ReservationState.CONFIRMED)
                .setWaiting(null)
                .setRetryMs(700)
                .setShares(shares));
    assertEquals(Set.of("reservation-retry 700", "reservation-start 1000"), kinds());
    Reservation begun =
        put(
            Reservation.newBuilder(confirmed)
                .setState(ReservationState.RUNNING)
                .setStartedMs(1_000)
                .setRetryMs(0)
                .setIdleDueMs(3_000));
    assertEquals(Set.of("reservation-end 9000", "reservation-idle 3000"), kinds());
    ReservationRecords.remove(tables, begun);
    assertEquals(Set.of(), kinds());
    assertEquals(List.of(), inVain);
  }
}
