package io.millrace.server.web.event;

import static io.millrace.server.web.event.ChangeText.ChangedObjectKind.CAMPAIGN;

import io.millrace.server.http.AnswerSink;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells all listeners of changes. Reads only while somebody listens. */
public final class Feed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Feed.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration CATCH_UP_POLL = Duration.ofMillis(100);
  private static final long READY_S = 15;
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final int CATCHING_UP = 4;

  /** Of those that catch up: the fact of a campaign with all its parameters may have 14 MiB. */
  private static final int WITH_CAMPAIGNS = 2;

  private static final long CATCH_UP_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final String TURN = "it is the turn of others; come back with this id";
  private static final String OTHER_TABLES =
      "the id was of other tables: load all anew, and come back with the id of this event";
  private static final String AWAY = "the tables cannot be read now; come back with this id";
  private static final String SLOW = "you do not keep up; come back with this id";
  private static final long WAIT_MS = 20;

  /**
   * What a feed grants.
   *
   * @param listeners at once
   * @param ofUser of them of one user
   * @param longest how long one is told before he has to show who he is again
   */
  public record FeedLimits(int listeners, int ofUser, Duration longest) {}

  private final Supplier<ChangeReader> readers;
  private final FeedLimits limits;
  private final Semaphore catchingUp = new Semaphore(CATCHING_UP);
  private final Semaphore campaigns = new Semaphore(WITH_CAMPAIGNS);

  /** Told by the shared reader, with when they have to go; guarded by this. */
  private final Map<Listener, Long> listeners = new LinkedHashMap<>();

  private final Map<String, Integer> byUser = new HashMap<>();
  private int open;
  private Positions read;
  private Thread thread;
  private boolean closed;

  Feed(Supplier<ChangeReader> readers, FeedLimits limits) {
    this.readers = readers;
    this.limits = limits;
  }

  /** Of the tables of a cluster. */
  public static Feed of(Map<String, Object> kafka, ChangeText text, FeedLimits limits) {
    return new Feed(() -> new ChangeReader(ChangeReader.consumer(kafka), text), limits);
  }

  /** False when there is no room for one more of this user; else {@link #leave} gives it back. */
  public synchronized boolean enter(String user) {
    int now = byUser.getOrDefault(user, 0);
    if (closed || open >= limits.listeners() || now >= limits.ofUser()) {
      return false;
    }
    open++;
    byUser.put(user, now + 1);
    return true;
  }

  public synchronized void leave(String user) {
    open--;
    byUser.computeIfPresent(user, (name, count) -> count == 1 ? null : count - 1);
  }

  /**
   * Waits until changes are read.
   *
   * @return how many partitions a position has; empty when the tables cannot be read now
   */
  public synchronized Optional<Integer> ready() throws InterruptedException {
    if (thread == null && !closed) {
      thread = new Thread(this::follow, "web-events");
      thread.setDaemon(true);
      thread.start();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(READY_S);
    while (read == null && !closed) {
      long leftMs = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        return Optional.empty();
      }
      wait(leftMs);
    }
    return closed ? Optional.empty() : Optional.of(read.partitions());
  }

  /** Whether a text is a position in these tables. */
  public static boolean isPosition(String text, int partitions) {
    return Positions.parse(text, partitions).isPresent();
  }

  /**
   * Tells from now on, or from a position on.
   *
   * @param interest of what the listener is told
   * @param from text of a position; empty for now
   */
  public void listen(AnswerSink sink, EventFilter interest, String from) {
    Listener listener;
    synchronized (this) {
      Positions now = read == null ? new Positions(0) : read;
      listener =
          new Listener(
              sink, interest, Positions.parse(from, now.partitions()).orElseGet(now::copy));
      if (read == null) {
        listener.end(AWAY);
        return;
      }
      if (from.isEmpty()) {
        join(listener);
        return;
      }
      if (!read.reaches(listener.told())) {
        // The tables were made anew: he would wait for ever for what lies behind his position.
        new Listener(sink, interest, read.copy()).end(OTHER_TABLES);
        return;
      }
    }
    if (!mayCatchUp(listener)) {
      listener.end("too many are catching up; come back with this id");
      return;
    }
    Thread own = new Thread(() -> catchUp(listener), "web-events-again");
    own.setDaemon(true);
    own.start();
  }

  private boolean mayCatchUp(Listener listener) {
    if (!catchingUp.tryAcquire()) {
      return false;
    }
    if (listener.wants(CAMPAIGN) && !campaigns.tryAcquire()) {
      catchingUp.release();
      return false;
    }
    return true;
  }

  private synchronized void join(Listener listener) {
    listener.greet();
    listeners.put(listener, System.nanoTime() + limits.longest().toNanos());
  }

  /** Reads what the listener has missed, until he has heard as much as the others. */
  private void catchUp(Listener listener) {
    long turnEnds = System.nanoTime() + CATCH_UP_NANOS;
    try (ChangeReader reader = readers.get()) {
      reader.seek(listener.told());
      reader.passUnless(listener::wants);
      while (true) {
        synchronized (this) {
          if (closed || !listener.open()) {
            return;
          }
          if (listener.told().reaches(read)) {
            join(listener);
            return;
          }
        }
        for (Change change : reader.poll(CATCH_UP_POLL)) {
          if (!awaitRoom(listener) || !listener.tell(change)) {
            listener.end(SLOW);
            return;
          }
        }
        listener.pass(reader.positions());
        if (System.nanoTime() - turnEnds > 0) {
          listener.end(TURN);
          return;
        }
      }
    } catch (RuntimeException e) {
      failed("catching up", e);
      listener.end(AWAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      catchingUp.release();
      if (listener.wants(CAMPAIGN)) {
        campaigns.release();
      }
    }
  }

  /** One who catches up may take some time to take what there is. */
  private static boolean awaitRoom(Listener listener) throws InterruptedException {
    long deadline = System.nanoTime() + STALLED_NANOS;
    while (!listener.keepsUp()) {
      if (!listener.open() || System.nanoTime() > deadline) {
        return false;
      }
      Thread.sleep(WAIT_MS);
    }
    return true;
  }

  private void follow() {
    try (ChangeReader reader = readers.get()) {
      Positions begin = reader.end();
      synchronized (this) {
        read = begin;
        notifyAll();
      }
      long nextPing = System.nanoTime() + PING_NANOS;
      while (!Thread.currentThread().isInterrupted()) {
        List<Change> changes = reader.poll(POLL);
        boolean ping = System.nanoTime() > nextPing;
        nextPing = ping ? System.nanoTime() + PING_NANOS : nextPing;
        if (tellAll(changes, reader.positions(), ping)) {
          return;
        }
      }
    } catch (RuntimeException e) {
      failed("reading changes", e);
      stopped();
    }
  }

  /** Whatever it was, the next listener starts anew. */
  private static void failed(String what, RuntimeException e) {
    if (e instanceof KafkaException) {
      LOG.warn("{}: {}", what, e.toString());
    } else {
      LOG.error("{}", what, e);
    }
  }

  /** Whoever listened is to come back, and the next one starts a new reader. */
  private synchronized void stopped() {
    thread = null;
    read = null;
    listeners.keySet().forEach(it -> it.end(AWAY));
    listeners.clear();
  }

  /** True when nobody listens any more, and reading has ended. */
  private synchronized boolean tellAll(List<Change> changes, Positions positions, boolean ping) {
    long now = System.nanoTime();
    Iterator<Map.Entry<Listener, Long>> all = listeners.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Listener, Long> each = all.next();
      Listener listener = each.getKey();
      if (!listener.open()) {
        all.remove();
      } else if (!tell(listener, changes) || (ping && !listener.ping())) {
        listener.end(SLOW);
        all.remove();
      } else {
        listener.pass(positions);
        if (now - each.getValue() > 0) {
          listener.end("time is over; come back with this id");
          all.remove();
        }
      }
    }
    read = positions;
    if (open > 0 && !closed) {
      return false;
    }
    thread = null;
    read = null;
    return true;
  }

  private static boolean tell(Listener listener, List<Change> changes) {
    for (Change change : changes) {
      if (!listener.tell(change)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized void close() {
    closed = true;
    listeners.keySet().forEach(it -> it.end("the door is closed"));
    listeners.clear();
    notifyAll();
  }
}
