package io.millrace.ops.log;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says once a minute what Kafka's clients say, less clearly, at each attempt: whoever listens where
 * the broker should be has not proven that it knows our password.
 */
final class StrangeBroker implements Filter {

  /** Logger whose records it filters. */
  static final String LOGGER = "org.apache.kafka.clients.NetworkClient";

  private static final Pattern REFUSED =
      Pattern.compile(
          "Connection to node \\S+ \\(([^)]*)\\) failed authentication due to: (.*)",
          Pattern.DOTALL);

  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final LongSupplier nanos;
  private final AtomicLong next;

  StrangeBroker(LongSupplier nanos) {
    this.nanos = nanos;
    this.next = new AtomicLong(nanos.getAsLong());
  }

  @Override
  public boolean isLoggable(LogRecord record) {
    Matcher refused = REFUSED.matcher(String.valueOf(record.getMessage()));
    if (!refused.find()) {
      return true;
    }
    long now = nanos.getAsLong();
    long due = next.get();
    if (now - due < 0 || !next.compareAndSet(due, now + PAUSE_NANOS)) {
      return false;
    }
    record.setMessage(
        "whoever listens at "
            + refused.group(1)
            + " is not this cluster's broker, or the password here is not the present one;"
            + " it was told no password and no command (docs/keys.md). "
            + refused.group(2).replaceAll("\\s+", " "));
    record.setParameters(null);
    return true;
  }
}
