package io.millrace.server.gateway.session;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
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
 * Listens on the gateway's Unix socket and gives each caller a thread of a bounded pool. Callers
 * beyond the bounds do not queue here: they are told to try again later.
 */
public final class SessionServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SessionServer.class);
  private static final long IDLE_THREAD_S = 60;
  private static final long ACCEPT_PAUSE_MS = 100;
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final SocketFile place;
  private final SessionLimits limits;
  private final CommandHandler handler;
  private final SessionSlots slots;
  private final Deadlines deadlines;
  private final ThreadPoolExecutor threads;
  private final Thread doorkeeper;
  private volatile boolean stopping;

  private SessionServer(SocketFile place, SessionLimits limits, CommandHandler handler) {
    this.place = place;
    this.limits = limits;
    this.handler = handler;
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
    this.doorkeeper = new Thread(this::acceptAll, "session-door");
  }

  /**
   * Listens at the path (mode 0666, its directory 0755) until {@link #close}.
   *
   * @throws IOException with one line when another gateway answers there, or the path cannot be
   *     used
   */
  public static SessionServer start(Path socket, SessionLimits limits, CommandHandler handler)
      throws IOException {
    SessionServer server = new SessionServer(SocketFile.take(socket), limits, handler);
    server.doorkeeper.start();
    return server;
  }

  /** Number of sessions that are open now. */
  public int openSessions() {
    return slots.open();
  }

  private void acceptAll() {
    while (!stopping) {
      try {
        admit(place.server().accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        LOG.warn("accepting a caller: {}", e.getMessage());
        pause();
      }
    }
  }

  /** Waits after a failed accept, most likely for lack of file descriptors, instead of looping. */
  private void pause() {
    try {
      Thread.sleep(ACCEPT_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
    }
  }

  private void admit(SocketChannel channel) {
    FrameSocket socket = new FrameSocket(channel, limits.timeouts().stalledWrite());
    SessionSlot seat = SessionSlot.take(slots);
    if (seat == null) {
      turnAway(socket);
      return;
    }
    deadlines.watch(socket);
    try {
      threads.execute(() -> serve(socket, seat));
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The system gives no more threads: that must not end the accepting thread.
      LOG.warn("no thread for a caller: {}", e.getMessage());
      end(socket, seat);
      turnAway(socket);
    }
  }

  private void serve(FrameSocket socket, SessionSlot seat) {
    try (socket) {
      new SocketSession(socket, limits, slots, seat, handler).run();
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

  private void turnAway(FrameSocket socket) {
    try (socket) {
      SocketSession.turnAway(
          socket,
          "the gateway serves "
              + limits.sessions()
              + " commands at once, which is the most; try again when some have ended");
    } catch (IOException e) {
      LOG.debug("a caller who was turned away had left: {}", e.getMessage());
    }
  }

  /**
   * Stops listening, lets running commands end for some seconds, then breaks off the rest; their
   * clients repeat them under the same command id when a gateway is back.
   */
  @Override
  public void close() throws IOException {
    stopping = true;
    try {
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
