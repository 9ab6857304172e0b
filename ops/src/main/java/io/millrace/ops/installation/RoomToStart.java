package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.OneLine;
import io.millrace.server.gateway.command.DiskRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a part that died waits for before it is started again: room on the disk of the log, for
 * which the reserve is given, and the broker, without which the others would only die again.
 */
final class RoomToStart {

  private static final Logger LOG = LoggerFactory.getLogger(RoomToStart.class);
  private static final long LOOK_MS = 1_000;
  private static final long BROKER_LOOK_MS = 200;
  private static final long BROKER_PATIENCE_MS = 60_000;

  /** How often to look whether there is room for the reserve again. */
  private static final long AGAIN_MS = 10_000;

  private static final String BROKER = "broker";

  private final Home home;
  private final LogReserve reserve;
  private final boolean withBroker;

  /** Wakes who makes the reserve again. */
  private final Object given = new Object();

  RoomToStart(Home home, List<String> parts) {
    this.home = home;
    this.reserve = new LogReserve(home);
    this.withBroker = parts.contains(BROKER);
  }

  /**
   * Waits until a part can be started, or {@code down} has been called.
   *
   * @return whether a full disk was what it has waited for
   */
  boolean await(String part) throws IOException, InterruptedException {
    boolean full = awaitRoom(part);
    if (withBroker && !part.equals(BROKER)) {
      awaitBroker(part);
    }
    return full;
  }

  private boolean awaitRoom(String part) throws IOException, InterruptedException {
    boolean full = isFull();
    String words = DiskRoom.words(home.root());
    if (full && giveReserve()) {
      LOG.warn("{}: the log gets the room that was kept back", words);
    }
    boolean told = false;
    while (isFull() && !Down.isMeant(home, part)) {
      if (!told) {
        LOG.warn("{}: what died is started when there is room", DiskRoom.words(home.root()));
        told = true;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return full;
  }

  /** Whether the disk is full that the log lies on, or the one where parts mark themselves. */
  private boolean isFull() {
    return reserve.isNeeded() || DiskRoom.isFull(home.lock().getParent());
  }

  private boolean giveReserve() throws IOException {
    synchronized (given) {
      boolean gave = reserve.isNeeded() && reserve.give();
      given.notifyAll();
      return gave;
    }
  }

  private void awaitBroker(String part) throws IOException, InterruptedException {
    Processes processes = new Processes(home);
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BROKER_PATIENCE_MS);
    while (!Down.isMeant(home, part)
        && (processes.alive(BROKER).isEmpty() || !Files.exists(home.ready(BROKER)))
        && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(BROKER_LOOK_MS);
    }
  }

  /** Keeps room back for the log, also after it was given, until the thread is interrupted. */
  void keepReserve() {
    try {
      while (withBroker) {
        boolean kept = false;
        try {
          kept = reserve.keep();
        } catch (IOException e) {
          LOG.warn("no room is kept back for the log: {}", OneLine.of(e));
        }
        synchronized (given) {
          if (kept && reserve.isKept()) {
            given.wait();
          }
        }
        TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
      }
    } catch (IOException e) {
      LOG.warn("no room is kept back for the log any more: {}", OneLine.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
