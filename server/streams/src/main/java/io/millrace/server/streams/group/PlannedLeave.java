package io.millrace.server.streams.group;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Leaving the group before the shards are closed. The shards' thread takes no more commands,
 * commits what it has begun, and leaves: the next owners begin while it closes its stores. What it
 * had polled and not begun is polled by them.
 */
public final class PlannedLeave {

  /** After so many empty polls all that was polled has been decided and committed. */
  private static final int QUIET_POLLS = 2;

  private final BooleanSupplier begun;
  private final Runnable leave;
  private final CountDownLatch left = new CountDownLatch(1);
  private volatile boolean asked;
  private int quiet;

  /**
   * @param begun whether a transaction of the shards is open
   * @param leave leaves the group
   */
  public PlannedLeave(BooleanSupplier begun, Runnable leave) {
    this.begun = begun;
    this.leave = leave;
  }

  /** Has the shards' thread leave, and waits for it; false when it has not in time. */
  public boolean ask(Duration patience) throws InterruptedException {
    asked = true;
    return left.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Whether it has left; from then on the shards are not lost, but gone. */
  public boolean hasLeft() {
    return left.getCount() == 0;
  }

  /**
   * Called by the shards' thread before each poll.
   *
   * @param usual how long it would poll
   * @return whether it is to poll no more
   */
  public boolean insteadOfPoll(Duration usual) {
    if (!asked) {
      return false;
    }
    if (hasLeft()) {
      rest(usual);
      return true;
    }
    quiet = begun.getAsBoolean() ? 0 : quiet + 1;
    if (quiet > QUIET_POLLS) {
      leave.run();
      left.countDown();
    } else if (quiet > 0) {
      // Commands without an outcome, and the marks of others' transactions, begin none here and are
      // committed with the interval. After leaving that is refused, and Kafka Streams deletes the
      // tables of who is refused.
      rest(usual);
    }
    return true;
  }

  private static void rest(Duration usual) {
    try {
      TimeUnit.NANOSECONDS.sleep(usual.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
