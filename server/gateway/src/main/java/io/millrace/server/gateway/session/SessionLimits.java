package io.millrace.server.gateway.session;

/**
 * What a gateway grants to its callers. A session holds one thread, so that {@code sessions} bounds
 * the threads too; callers beyond a bound are turned away and come again in their own time.
 *
 * @param sessions sessions at once, 1 to 10,000
 * @param sessionsPerUser sessions at once of one user, at most {@code sessions}; keep it below, so
 *     that one user cannot shut out the others
 * @param lasting sessions of commands that may last for hours, 0 to 10,000, besides those
 * @param lastingPerUser of one user, at most {@code lasting}
 * @param openingBytes arguments, environment and directory together; the kernel allows a process 2
 *     MiB with usual settings, 6 MiB at most
 * @param timeouts how long a silent client is waited for
 */
public record SessionLimits(
    int sessions,
    int sessionsPerUser,
    int lasting,
    int lastingPerUser,
    int openingBytes,
    SessionTimeouts timeouts) {
  private static final int MOST_SESSIONS = 10_000;

  /**
   * Number of openings of the largest size that are held at once, half as many of one user, and
   * more of smaller ones. It bounds the memory that users fill with their environments.
   */
  static final int LARGE_OPENINGS = 16;

  /** Refuses bounds that contradict each other. */
  public SessionLimits {
    if (sessions < 1 || sessions > MOST_SESSIONS) {
      throw new IllegalArgumentException(
          "sessions: " + sessions + " is not in 1.." + MOST_SESSIONS);
    }
    if (sessionsPerUser < 1 || sessionsPerUser > sessions) {
      throw new IllegalArgumentException(
          "sessionsPerUser: " + sessionsPerUser + " is not in 1.." + sessions);
    }
    if (lasting < 0 || lasting > MOST_SESSIONS) {
      throw new IllegalArgumentException("lasting: " + lasting + " is not in 0.." + MOST_SESSIONS);
    }
    if (lastingPerUser < 0 || lastingPerUser > lasting) {
      throw new IllegalArgumentException(
          "lastingPerUser: " + lastingPerUser + " is not in 0.." + lasting);
    }
    if (openingBytes < 1024) {
      throw new IllegalArgumentException("openingBytes: " + openingBytes + " is below 1024");
    }
  }

  /**
   * 512 sessions, 128 of one user; as many and 256 that last; 4 MiB of arguments and environment.
   */
  public static SessionLimits defaults() {
    return new SessionLimits(512, 128, 512, 256, 4 * 1024 * 1024, SessionTimeouts.defaults());
  }
}
