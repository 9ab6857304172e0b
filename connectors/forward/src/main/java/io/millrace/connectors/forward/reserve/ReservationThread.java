package io.millrace.connectors.forward.reserve;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.bridge.system.OutsideReservations;
import io.millrace.schemas.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the cluster follow the present reservations: at once when one changes, and as a whole now and
 * then, so that what somebody has changed there comes right again.
 */
public final class ReservationThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReservationThread.class);

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration AGAIN = Duration.ofSeconds(3);
  private static final Duration WHOLE = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A topic without a record may have been made anew, and says nothing of what was in it. */
  private static final String BLANK =
      "the topic of reservations is empty, so that nothing is taken back of what stands there: %s";

  private final ClusterFile file;
  private final CircuitBreaker breaker;
  private final OutsideReservations outside;
  private final Map<String, Object> kafka;
  private final RecordCodec codec;
  private final Thread thread = new Thread(this::run, "millrace-reservations");
  private List<OutsideReservation> done = List.of();
  private Instant due = Instant.MIN;
  private volatile boolean closed;
  private volatile String trouble = "";

  /**
   * @param breaker of all who ask the cluster anything; while it is open, these do not
   */
  public ReservationThread(
      ClusterFile file,
      CircuitBreaker breaker,
      OutsideReservations outside,
      Map<String, Object> kafka,
      RecordCodec codec) {
    this.file = file;
    this.breaker = breaker;
    this.outside = outside;
    this.kafka = kafka;
    this.codec = codec;
  }

  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** What is in the way, in one line; empty for nothing. */
  public String obstacle() {
    return trouble;
  }

  private void run() {
    try {
      work();
    } catch (Error e) {
      // As of a class that is missing: it would end this thread unseen.
      trouble = "reservations in " + file.name() + " are not followed any more: " + e;
      log.error("{}", trouble, e);
    }
  }

  private void work() {
    while (!closed) {
      try (ReservationTopic topic = new ReservationTopic(kafka, codec)) {
        while (!closed) {
          if (topic.read(WAIT)) {
            follow(topic);
          }
        }
      } catch (IOException | RuntimeException e) {
        log.warn("reservations of cluster {} cannot be followed; trying again", file.name(), e);
        trouble = "reservations cannot be followed: " + e.getMessage();
        pause();
      } catch (InterruptedException e) {
        closed = true;
      }
    }
  }

  void follow(KnownReservations topic) throws IOException, InterruptedException {
    List<OutsideReservation> wanted = WantedReservations.of(file, topic.present());
    Instant now = Instant.now();
    if (wanted.equals(done) && now.isBefore(due)) {
      return;
    }
    if (breaker.isOpen()) {
      trouble = "reservations in " + file.name() + " wait: " + breaker.reason();
      return;
    }
    topic.checkSame();
    Optional<String> undone =
        topic.isBlank()
            ? outside.standing().map(BLANK::formatted)
            : outside.carryOut(topic.home(), wanted);
    done = wanted;
    due = Instant.now().plus(undone.isPresent() ? AGAIN : WHOLE);
    if (undone.isPresent() && !undone.get().equals(trouble)) {
      log.warn("reservations in cluster {}: {}", file.name(), undone.get());
    }
    trouble = undone.map(it -> "reservations in " + file.name() + ": " + it).orElse("");
  }

  /** Returns when it has ended. */
  public void awaitEnd() throws InterruptedException {
    thread.join();
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Ends after the command that runs; what stands there stays until the next process looks. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
