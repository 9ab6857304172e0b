package io.millrace.connectors.forward.reserve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.bridge.system.OutsideReservations;
import io.millrace.schemas.state.Reservation;
import java.io.IOException;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When the reservations that are known are carried out. */
class ReservationThreadTest {

  private static final ClusterFile FILE = new ClusterFile(null, Map.of("name", "c1"), Map.of());

  private final CircuitBreaker breaker = new CircuitBreaker();
  private final List<String> done = new ArrayList<>();
  private Optional<String> standing = Optional.empty();

  private final OutsideReservations outside =
      new OutsideReservations() {
        @Override
        public Optional<String> carryOut(String home, Collection<OutsideReservation> wanted) {
          done.add(home + wanted);
          return Optional.empty();
        }

        @Override
        public Optional<String> standing() {
          return standing;
        }
      };

  private final ReservationThread thread =
      new ReservationThread(FILE, breaker, outside, Map.of(), null);

  private record Known(boolean isBlank, boolean isSame) implements KnownReservations {
    @Override
    public Collection<Reservation> present() {
      return List.of();
    }

    @Override
    public void checkSame() throws IOException {
      if (!isSame) {
        throw new IOException("made anew");
      }
    }

    @Override
    public String home() {
      return "h1";
    }
  }

  /** It may have been lost with its reservations: no absence says that one is over. */
  @Test
  void anEmptyTopicEndsNothing() throws Exception {
    standing = Optional.of("R7");
    thread.follow(new Known(true, true));
    assertEquals(List.of(), done);
    assertTrue(thread.obstacle().contains("topic of reservations is empty"), thread.obstacle());
    assertTrue(thread.obstacle().endsWith(": R7"), thread.obstacle());
  }

  @Test
  void anEmptyTopicIsNoObstacleWhereNothingStands() throws Exception {
    thread.follow(new Known(true, true));
    assertEquals(List.of(), done);
    assertEquals("", thread.obstacle());
  }

  @Test
  void oneThatHasHadRecordsIsCarriedOut() throws Exception {
    thread.follow(new Known(false, true));
    assertEquals(List.of("h1[]"), done);
  }

  @Test
  void anErrorIsAnObstacle() throws Exception {
    Map<String, Object> settings =
        new AbstractMap<>() {
          @Override
          public Set<Map.Entry<String, Object>> entrySet() {
            throw new NoClassDefFoundError("a/B");
          }
        };
    ReservationThread broken = new ReservationThread(FILE, breaker, outside, settings, null);
    broken.start();
    broken.awaitEnd();
    assertEquals(
        "reservations in c1 are not followed any more: java.lang.NoClassDefFoundError: a/B",
        broken.obstacle());
  }

  @Test
  void aClusterThatDoesNotAnswerIsLeftAlone() throws Exception {
    for (int i = 0; i < 3; i++) {
      breaker.silent("no answer", Instant.EPOCH);
    }
    thread.follow(new Known(false, true));
    assertEquals(List.of(), done);
    assertEquals("reservations in c1 wait: no answer", thread.obstacle());
    breaker.answered();
    thread.follow(new Known(false, true));
    assertEquals(List.of("h1[]"), done);
    assertEquals("", thread.obstacle());
  }

  @Test
  void oneThatWasMadeAnewIsReadAgainFirst() {
    assertThrows(IOException.class, () -> thread.follow(new Known(false, false)));
    assertEquals(List.of(), done);
  }
}
