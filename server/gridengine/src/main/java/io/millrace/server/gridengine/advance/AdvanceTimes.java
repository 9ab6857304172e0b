package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gridengine.submit.StartTime;
import java.time.Clock;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The window that qrsub asks for, in seconds since 1970.
 *
 * @param end is not part of it
 */
record AdvanceTimes(long start, long end) {

  /** A window that is to begin now begins this many seconds later: it is decided before. */
  private static final long LEAD = 5;

  private static final Pattern CLOCK = Pattern.compile("(\\d{0,6}):(\\d{0,6}):(\\d{0,6})");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,10}");

  /**
   * The window of -a, -e and -d.
   *
   * @throws Failure when one of them cannot be read
   * @throws RequestRefused when they make no window
   */
  static AdvanceTimes of(AdvanceOptions options, Clock clock) throws Failure {
    Optional<Long> start = time(options, "-a", clock);
    Optional<Long> end = time(options, "-e", clock);
    Optional<Long> length = length(options);
    long now = clock.instant().getEpochSecond();
    if (end.isEmpty() && length.isEmpty()) {
      throw new RequestRefused(
          "missing value for \"end time or duration\" in advance reservation request");
    }
    long first = start.orElse(now + LEAD);
    if (start.isEmpty() && end.isPresent() && length.isPresent()) {
      first = end.get() - length.get();
    }
    if (first < now) {
      throw new RequestRefused("start time is in the past");
    }
    long last = end.isPresent() ? end.get() : first + length.get();
    if (last <= first) {
      throw new RequestRefused("start time is later than end time");
    }
    if (length.isPresent() && last - first != length.get()) {
      throw new RequestRefused("start time, end time and duration do not agree");
    }
    return new AdvanceTimes(first, last);
  }

  private static Optional<Long> time(AdvanceOptions options, String option, Clock clock)
      throws Failure {
    if (!options.has(option)) {
      return Optional.empty();
    }
    try {
      String text = options.value(option).orElseThrow();
      return Optional.of(StartTime.seconds("qrsub", option, text, clock));
    } catch (RequestRefused e) {
      throw new Failure("error: " + e.getMessage().strip() + "\n", 1);
    }
  }

  private static Optional<Long> length(AdvanceOptions options) throws Failure {
    if (!options.has("-d")) {
      return Optional.empty();
    }
    String text = options.value("-d").orElseThrow();
    Matcher match = CLOCK.matcher(text);
    if (match.matches()) {
      return Optional.of(part(match, 1) * 3600 + part(match, 2) * 60 + part(match, 3));
    }
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(Long.parseLong(text));
    }
    throw AdvanceOptions.invalid("-d " + text);
  }

  private static long part(Matcher match, int group) {
    return match.group(group).isEmpty() ? 0 : Long.parseLong(match.group(group));
  }

  long startMs() {
    return start * 1000;
  }

  long endMs() {
    return end * 1000;
  }
}
