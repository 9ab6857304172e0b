package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Pauses after a file of which no answer came in time. All files are left alone for some seconds,
 * so that a spool that hangs costs one time limit and not one for each run; those of the file's
 * account for longer, so that nobody can keep others from theirs with one that hangs.
 */
final class SlowAccounts {

  private static final Duration FIRST = Duration.ofSeconds(5);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration FIRST_OF_ACCOUNT = Duration.ofSeconds(30);
  private static final Duration LONGEST_OF_ACCOUNT = Duration.ofMinutes(5);

  /** By the machine's own clock. */
  private record SlowPause(long end, Duration length) {

    static SlowPause after(SlowPause last, long now, Duration first, Duration longest) {
      // One that is slow again soon after is the same trouble.
      boolean again = last != null && now - last.end - longest.toNanos() < 0;
      Duration twice = again ? last.length.multipliedBy(2) : first;
      Duration length = twice.compareTo(longest) > 0 ? longest : twice;
      return new SlowPause(now + length.toNanos(), length);
    }

    boolean lasts(long now) {
      return now - end < 0;
    }
  }

  private final LongSupplier clock;
  private final Map<String, SlowPause> accounts = new HashMap<>();
  private SlowPause all;

  /**
   * @param clock nanoseconds, as the machine's own one
   */
  SlowAccounts(LongSupplier clock) {
    this.clock = clock;
  }

  /** A look at a file of an account, or an order in its spool, was not answered in time. */
  synchronized void slow(String account) {
    long now = clock.getAsLong();
    all = SlowPause.after(all, now, FIRST, LONGEST);
    accounts.compute(
        account, (it, last) -> SlowPause.after(last, now, FIRST_OF_ACCOUNT, LONGEST_OF_ACCOUNT));
  }

  /** Something of an account was answered: it is not all that hangs. */
  synchronized void answered() {
    all = null;
  }

  /**
   * @throws FileUnread while files of an account are not looked at
   */
  synchronized void require(String account) throws FileUnread {
    long now = clock.getAsLong();
    SlowPause own = accounts.get(account);
    if (all != null && all.lasts(now) || own != null && own.lasts(now)) {
      throw new FileUnread(
          UnreadCause.SKIPPED,
          "files of " + account + " are left alone for a while: one was not answered in time");
    }
  }
}
