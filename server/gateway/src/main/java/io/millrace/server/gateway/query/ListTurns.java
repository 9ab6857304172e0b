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

  /**
   * Threads that make a list, with the turn that they hold or will again when their client has
   * read; those out of turn hold {@link #NONE}.
   */
  private final Map<Thread, Turn> holders = new ConcurrentHashMap<>();

  private static final Turn NONE = new Turn(0);

  /** What a user's lists share while there are any. */
  private static final class Turn {
    private final Semaphore free;
    private int lists;

    Turn(int atOnce) {
      free = new Semaphore(atOnce, true);
    }

    boolean await(Duration patience) throws InterruptedException {
      return free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
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
      holders.put(self, turn.await(patience) ? turn : NONE);
      list.run();
    } finally {
      Turn held = holders.remove(self);
      if (held == turn) {
        turn.free.release();
      }
      leave(user, turn);
    }
  }

  @Override
  public void begin() {
    Turn held = holders.get(Thread.currentThread());
    if (held != null && held != NONE) {
      held.free.release();
    }
  }

  /** A list that does not get its turn again in time, or is to end, goes on out of turn. */
  @Override
  public void end() {
    Thread self = Thread.currentThread();
    Turn held = holders.get(self);
    if (held == null || held == NONE) {
      return;
    }
    try {
      if (!held.await(patience)) {
        holders.put(self, NONE);
      }
    } catch (InterruptedException e) {
      holders.put(self, NONE);
      self.interrupt();
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
