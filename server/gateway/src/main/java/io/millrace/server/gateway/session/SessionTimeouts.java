package io.millrace.server.gateway.session;

import java.time.Duration;

/**
 * How long a session waits for its client before it gives the client up.
 *
 * @param opening from the connection to the end of the opening: arguments, environment, directory
 * @param answer for one frame of an answer about a file; raise it for very slow network file
 *     systems
 * @param input for the next bytes of standard input, which a person may be typing
 * @param stalledWrite for a client that does not read, for example behind a pager
 */
public record SessionTimeouts(
    Duration opening, Duration answer, Duration input, Duration stalledWrite) {

  /** Refuses durations that are not positive. */
  public SessionTimeouts {
    requirePositive("opening", opening);
    requirePositive("answer", answer);
    requirePositive("input", input);
    requirePositive("stalledWrite", stalledWrite);
  }

  /** 10 s for the opening, 60 s for an answer, 1 h for typed input, 5 min for a stalled write. */
  public static SessionTimeouts defaults() {
    return new SessionTimeouts(
        Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofHours(1), Duration.ofMinutes(5));
  }

  Duration shortest() {
    Duration files = opening.compareTo(answer) < 0 ? opening : answer;
    Duration streams = input.compareTo(stalledWrite) < 0 ? input : stalledWrite;
    return files.compareTo(streams) < 0 ? files : streams;
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + ": " + duration + " is not a positive duration");
    }
  }
}
