package io.millrace.server.gateway.query;

import io.millrace.server.gateway.session.CommandHandler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets each user have a few lists of jobs made at once: further ones of his wait for their turn.
 * Lists take processor time of server and gateway; a hundred of one user at once would have
 * everybody else's commands wait behind them. Nobody holds a turn while his client reads.
 */
public final class ListTurns implements CommandHandler.ClientWaits {
  /** Of each user, on a small machine; a part of the processors of a large one. */
  private static final int FEWEST = 2;

  private static final int PART = 4;

  /** When the server does not answer, lists fail one after the other: then none waits for all. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final int ofUser;
  private final Duration patience;
  private final Map<String, Turn> byUser = new HashMap<>();

  /** Threads that hold a turn, or will again when their client has read. */
  private final Map<Thread, Turn> holders = new ConcurrentHashMap<>();

  /** What a user's lists share while there are any. */
  private static final class Turn {
    private final Semaphore free;
    private int lists;

    Turn(int atOnce) {
      free = new Semaphore(atOnce, true);
    }
  }

  /** The making of a list. */
  interface Making {
    void run() throws QueryException, InterruptedException;
  }

  ListTurns() {
    this(Math.max(FEWEST, Runtime.getRuntime().availableProcessors() / PART), PATIENCE);
  }

  /**
   * @param ofUser lists of one user that are made at once
   * @param patience how long a list waits for its turn; then it is made out of turn
   */
  ListTurns(int ofUser, Duration patience) {
    this.ofUser = ofUser;
    this.patience = patience;
  }

  /** Makes a list when it is the turn of one of the user's. */
  void take(String user, Making list) throws QueryException, InterruptedException {
    Thread self = Thread.currentThread();
    if (holders.containsKey(self)) {
      list.run(); // it is part of another list
      return;
    }
    Turn turn = enter(user);
    try {
      if (!turn.free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        list.run();
        return;
      }
      holders.put(self, turn);
      try {
        list.run();
      } finally {
        holders.remove(self);
        turn.free.release();
      }
    } finally {
      leave(user, turn);
    }
  }

  @Override
  public void begin() {
    Turn held = holders.get(Thread.currentThread());
    if (held != null) {
      held.free.release();
    }
  }

  @Override
  public void end() {
    Turn held = holders.get(Thread.currentThread());
    if (held != null) {
      held.free.acquireUninterruptibly();
    }
  }

  private synchronized Turn enter(String user) {
    Turn turn = byUser.computeIfAbsent(user, name -> new Turn(ofUser));
    turn.lists++;
    return turn;
  }

  private synchronized void leave(String user, Turn turn) {
    if (--turn.lists == 0) {
      byUser.remove(user);
    }
  }
}
