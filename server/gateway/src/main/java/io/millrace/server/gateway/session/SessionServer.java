package io.millrace.server.gateway.session;

import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the gateway's Unix socket and gives each caller who has sent his opening a thread of a
 * bounded pool. Callers beyond the bounds do not queue here: they are told to try again later.
 */
public final class SessionServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionServer.class);
  private static final long IDLE_THREAD_S = 60;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final SocketFile place;
  private final SessionLimits limits;
  private final CommandHandler handler;
  private final CommandHandler.ClientWaits waits;
  private final SessionSlots slots;
  private final Deadlines deadlines;
  private final ThreadPoolExecutor threads;
  private final SessionDoor door;
  private final SparseLog log = new SparseLog(LOG::info, System::nanoTime);

  private SessionServer(
      SocketFile place,
      SessionLimits limits,
      CommandHandler handler,
      CommandHandler.ClientWaits waits)
      throws IOException {
    this.place = place;
    this.limits = limits;
    this.handler = handler;
    this.waits = waits;
    this.slots = new SessionSlots(limits);
    this.deadlines = new Deadlines(limits.timeouts().shortest());
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            0,
            limits.sessions() + limits.lasting(),
            IDLE_THREAD_S,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> new Thread(task, "session-" + number.incrementAndGet()));
    this.door = new SessionDoor(place.server(), limits, slots, this::admit);
  }

  /**
   * Listens at the path (mode 0666, its directory 0755) until {@link #close}.
   *
   * @throws IOException with one line when another gateway answers there, or the path cannot be
   *     used
   */
  public static SessionServer start(Path socket, SessionLimits limits, CommandHandler handler)
      throws IOException {
    return start(socket, limits, handler, CommandHandler.ClientWaits.UNHEARD);
  }

  /**
   * The same.
   *
   * @param waits told when a session waits for its client to read
   */
  public static SessionServer start(
      Path socket, SessionLimits limits, CommandHandler handler, CommandHandler.ClientWaits waits)
      throws IOException {
    SessionServer server = new SessionServer(SocketFile.take(socket), limits, handler, waits);
    server.door.start();
    return server;
  }

  /** Number of sessions that are open now. */
  public int openSessions() {
    return slots.open();
  }

  /** Called by the door's thread. */
  private void admit(PendingOpening opening) {
    SessionSlot seat = SessionSlot.take(slots);
    if (seat == null) {
      turnAway(opening, overall());
      return;
    }
    if (!seat.of(opening.user())) {
      seat.close();
      turnAway(opening, ofUser(opening.user()));
      return;
    }
    FrameSocket socket =
        new FrameSocket(
            opening.channel(), limits.timeouts().stalledWrite(), waits, opening.bytes().take());
    deadlines.watch(socket);
    try {
      threads.execute(() -> serve(socket, opening, seat));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The system gives no more threads: that must not end the accepting thread.
      LOG.warn("no thread for a caller: {}", e.getMessage());
      end(socket, seat);
      turnAway(opening, overall());
    }
  }

  private void serve(FrameSocket socket, PendingOpening opening, SessionSlot seat) {
    try (socket) {
      new SocketSession(socket, opening, limits, seat, handler, log).run();
    } catch (IOException e) {
      LOG.warn("closing a session: {}", e.getMessage());
    } finally {
      end(socket, seat);
    }
  }

  private void end(FrameSocket socket, SessionSlot seat) {
    deadlines.forget(socket);
    seat.close();
  }

  private String overall() {
    return "the gateway serves "
        + limits.sessions()
        + " commands at once, which is the most; try again when some have ended";
  }

  private String ofUser(String user) {
    return "user "
        + user
        + " has "
        + slots.mostOf(user)
        + " commands running here, which is the most; try again when some have ended";
  }

  private void turnAway(PendingOpening opening, String reason) {
    try {
      opening.channel().configureBlocking(false);
      log.say("turned away: " + reason);
    } catch (IOException e) {
      LOG.debug("a caller who was turned away had left: {}", e.getMessage());
    }
    opening.turnAway(reason);
  }

  /**
   * Stops listening, lets running commands end for some seconds, then breaks off the rest; their
   * clients repeat them under the same command id when a gateway is back.
   */
  @Override
  public void close() throws IOException {
    try {
      door.close();
      place.close();
      threads.shutdown();
      if (!await()) {
        deadlines.closeAll();
        threads.shutdownNow();
        if (!await()) {
          LOG.warn("{} sessions did not end", slots.open());
        }
      }
    } finally {
      deadlines.close();
    }
  }

  private boolean await() {
    try {
      return threads.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
