package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets callers in and reads their openings, all on one thread that waits for none of them. Only who
 * has sent a whole opening goes on and takes a thread and a place among the sessions.
 *
 * <p>The names of callers come from threads of their own, since the host's name service may take
 * its time: as long as it is quick that is one, in the order of the callers.
 */
final class SessionDoor {
  private static final Logger LOG = LoggerFactory.getLogger(SessionDoor.class);
  private static final long PAUSE_MS = 100;
  private static final int READ_BYTES = 64 * 1024;

  /** Callers that are let in before those who are there are heard. */
  private static final int LET_IN_AT_ONCE = 64;

  private static final long FAREWELL_MS = 5_000;

  /** Beyond this time a name counts as slow, and those behind it get another thread. */
  private static final long SLOW_MS = 5;

  /** Names that are asked for at once; one whose service does not answer holds a thread. */
  private static final int NAMES_AT_ONCE = 64;

  private static final long IDLE_THREAD_S = 60;

  /** How long a caller waits at least for his name when there are too many who do. */
  private static final long NAME_PATIENCE_MS = 1_000;

  private final ServerSocketChannel server;
  private final SessionLimits limits;
  private final SessionSlots slots;
  private final Consumer<PendingOpening> entrance;
  private final PendingOpenings pending;
  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final List<PendingOpening> whole = new ArrayList<>();
  private final Naming naming;
  private final SparseLog log = new SparseLog(LOG::info, System::nanoTime);
  private final Thread thread = new Thread(this::run, "session-door");
  private volatile boolean stopping;

  /** Says who a caller is; may take as long as the name service of the host does. */
  interface Names {
    PeerIdentity of(SocketChannel channel) throws IOException;
  }

  /**
   * @param entrance takes who has sent a whole opening; his channel blocks from then on
   */
  SessionDoor(
      ServerSocketChannel server,
      SessionLimits limits,
      SessionSlots slots,
      Consumer<PendingOpening> entrance)
      throws IOException {
    this(server, limits, slots, entrance, PeerIdentity::of);
  }

  SessionDoor(
      ServerSocketChannel server,
      SessionLimits limits,
      SessionSlots slots,
      Consumer<PendingOpening> entrance,
      Names names)
      throws IOException {
    this.naming = new Naming(names, limits.openings().all());
    this.server = server;
    this.limits = limits;
    this.slots = slots;
    this.entrance = entrance;
    this.pending = new PendingOpenings(limits.openings().all(), limits.openings().ofUser());
    this.selector = Selector.open();
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  void start() {
    thread.start();
  }

  /** Lets nobody in any more; who has not sent his opening is cut off and comes again. */
  void close() throws IOException {
    stopping = true;
    selector.wakeup();
    try {
      thread.join(FAREWELL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    selector.close();
  }

  private void run() {
    while (!stopping) {
      try {
        select();
        naming.named().forEach(this::welcome);
        round();
        naming.help();
      } catch (IOException e) {
        LOG.warn("waiting for callers: {}", e.getMessage());
        pause();
      } catch (RuntimeException | OutOfMemoryError e) {
        // Without this thread nobody would come in any more, and the process would live on.
        LOG.error("the opening that holds most is given up", e);
        pending.oldestOfTheLargest().ifPresent(this::makeRoom);
        pause();
      }
    }
    pending.clear().forEach(PendingOpening::drop);
    naming.close();
  }

  private void select() throws IOException {
    if (naming.knows()) {
      // Its wake-up may have gone to a look between two rounds.
      selector.selectNow();
    } else {
      selector.select(naming.wantsHelp() ? SLOW_MS : untilTheNextDeadlineMs());
    }
  }

  private long untilTheNextDeadlineMs() {
    Optional<PendingOpening> oldest = pending.oldest();
    if (oldest.isEmpty()) {
      return 0; // for as long as nobody comes
    }
    long left = oldest.get().deadlineNanos() - System.nanoTime();
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1);
  }

  private void round() throws IOException {
    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
    while (keys.hasNext()) {
      SelectionKey key = keys.next();
      keys.remove();
      if (!key.isValid()) {
        continue;
      }
      if (key.isAcceptable()) {
        letIn();
      } else {
        hear(key, (PendingOpening) key.attachment());
      }
    }
    giveUpTheLate();
    if (!whole.isEmpty()) {
      // A channel blocks again once the selector has let go of it.
      selector.selectNow();
      whole.forEach(this::handOver);
      whole.clear();
    }
  }

  private void letIn() {
    try {
      for (int i = 0; i < LET_IN_AT_ONCE; i++) {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        take(channel);
      }
    } catch (IOException e) {
      LOG.warn("accepting a caller: {}", e.getMessage());
      // Most likely for lack of descriptors: some are given back, instead of looping.
      pending.oldestOfTheLargest().ifPresent(this::makeRoom);
      pause();
    }
  }

  private void take(SocketChannel channel) {
    try {
      channel.configureBlocking(false);
      naming.add(channel);
    } catch (IOException e) {
      LOG.debug("a caller had left: {}", e.getMessage());
      PendingOpening.close(channel);
    }
  }

  private void welcome(NamedCaller named) {
    SocketChannel channel = named.channel();
    PeerIdentity caller = named.caller();
    try {
      if (!caller.hasName()) {
        String text = "millrace: uid " + caller.user() + " has no name on this host\n";
        PendingOpening.farewell(
            channel,
            PendingOpening.frame(Frames.ERR, text.getBytes(StandardCharsets.UTF_8)),
            PendingOpening.frame(Frames.EXIT, new byte[] {1}));
        return;
      }
      PendingOpening opening =
          new PendingOpening(
              channel,
              caller,
              new SessionRoom(slots, caller.user()),
              limits.openingBytes(),
              System.nanoTime() + limits.timeouts().opening().toNanos());
      SelectionKey key = channel.register(selector, SelectionKey.OP_READ, opening);
      pending.add(opening).ifPresent(this::makeRoom);
      // Most callers have sent all of it already.
      hear(key, opening);
    } catch (IOException e) {
      LOG.debug("a caller had left: {}", e.getMessage());
      PendingOpening.close(channel);
    }
  }

  private void makeRoom(PendingOpening victim) {
    pending.remove(victim);
    String most =
        "user "
            + victim.user()
            + " has too many connections here that have not said what is to run";
    log.say(most);
    victim.turnAway(most + "; try again");
  }

  private void hear(SelectionKey key, PendingOpening opening) {
    try {
      buffer.clear();
      int got = opening.channel().read(buffer);
      if (got < 0) {
        end(opening);
        return;
      }
      if (!opening.room().ahead(got)) {
        pending.remove(opening);
        opening.turnAway(SocketSession.NO_ROOM);
        return;
      }
      opening.bytes().add(buffer.flip());
      if (opening.bytes().ready()) {
        pending.remove(opening);
        key.cancel();
        whole.add(opening);
      }
    } catch (IOException e) {
      LOG.debug("a caller of {} ended early", opening.user(), e);
      end(opening);
    }
  }

  private void end(PendingOpening opening) {
    pending.remove(opening);
    opening.drop();
  }

  private void giveUpTheLate() {
    long now = System.nanoTime();
    Optional<PendingOpening> oldest = pending.oldest();
    while (oldest.isPresent() && oldest.get().deadlineNanos() - now <= 0) {
      log.say("gave up the client of " + oldest.get().user() + ": it was silent for too long");
      end(oldest.get());
      oldest = pending.oldest();
    }
  }

  private void handOver(PendingOpening opening) {
    try {
      opening.channel().configureBlocking(true);
    } catch (IOException e) {
      LOG.debug("a caller of {} had left", opening.user(), e);
      opening.drop();
      return;
    }
    entrance.accept(opening);
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      stopping = true;
    }
  }

  private record Unnamed(SocketChannel channel, long sinceNanos) {}

  private record NamedCaller(SocketChannel channel, PeerIdentity caller) {}

  /** Finds out who callers are, and wakes the door for those whom it knows. */
  private final class Naming {
    private final Names names;
    private final int most;
    private final Deque<Unnamed> waiting = new ArrayDeque<>();
    private final Queue<NamedCaller> known = new ConcurrentLinkedQueue<>();
    private final ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_THREAD_S,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Naming::thread);
    private int busy;

    /** When a name was last asked for. */
    private long askedNanos;

    /**
     * @param most callers that wait for their names; beyond it those go who have waited for long
     */
    Naming(Names names, int most) {
      this.names = names;
      this.most = most;
    }

    /** It may stand in the name service for as long as that likes. */
    private static Thread thread(Runnable task) {
      Thread thread = new Thread(task, "caller-names");
      thread.setDaemon(true);
      return thread;
    }

    synchronized void add(SocketChannel channel) {
      long now = System.nanoTime();
      waiting.add(new Unnamed(channel, now));
      long late = now - TimeUnit.MILLISECONDS.toNanos(NAME_PATIENCE_MS);
      while (waiting.size() > most && waiting.element().sinceNanos() - late < 0) {
        String why = "the host does not say in time who its users are";
        log.say("turned away: " + why);
        byte[] words = (why + "; try again").getBytes(StandardCharsets.UTF_8);
        SocketChannel first = waiting.remove().channel();
        PendingOpening.farewell(first, PendingOpening.frame(Frames.BUSY, words));
      }
      help();
    }

    synchronized boolean wantsHelp() {
      return !waiting.isEmpty() && busy < NAMES_AT_ONCE;
    }

    /** Begins a thread when nobody is at work for those who wait, or all are held up. */
    synchronized void help() {
      boolean slow = System.nanoTime() - askedNanos > TimeUnit.MILLISECONDS.toNanos(SLOW_MS);
      if (!wantsHelp() || busy > 0 && !slow) {
        return;
      }
      // Counted only when the system has given the thread, which cannot have ended before.
      threads.execute(this::work);
      busy++;
      askedNanos = System.nanoTime();
    }

    private void work() {
      SocketChannel channel = next();
      while (channel != null) {
        try {
          known.add(new NamedCaller(channel, names.of(channel)));
          if (stopping) {
            closeNamed();
          }
          selector.wakeup();
        } catch (IOException | RuntimeException e) {
          LOG.debug("a caller had left", e);
          PendingOpening.close(channel);
        }
        channel = next();
      }
    }

    private synchronized SocketChannel next() {
      Unnamed next = waiting.poll();
      if (next == null) {
        busy--;
        return null;
      }
      askedNanos = System.nanoTime();
      return next.channel();
    }

    boolean knows() {
      return !known.isEmpty();
    }

    /** Those who are known since the last call. */
    List<NamedCaller> named() {
      List<NamedCaller> some = new ArrayList<>();
      for (NamedCaller next = known.poll(); next != null; next = known.poll()) {
        some.add(next);
      }
      return some;
    }

    void close() {
      threads.shutdown();
      synchronized (this) {
        waiting.forEach(left -> PendingOpening.close(left.channel()));
        waiting.clear();
      }
      closeNamed();
    }

    private void closeNamed() {
      named().forEach(left -> PendingOpening.close(left.channel()));
    }
  }
}
