package io.millrace.server.gateway.session;

import io.millrace.schemas.program.ConnectionBounds;

/**
 * What a gateway grants to its callers. A session holds one thread, so that {@code sessions} bounds
 * the threads too; callers beyond a bound are turned away and come again in their own time. As soon
 * as others are there too, a user has at most half of what they leave, so that a few users together
 * do not take everything.
 *
 * @param sessions sessions at once, 1 to 10,000
 * @param sessionsPerUser sessions at once of one user, at most {@code sessions}; keep it below, so
 *     that one user cannot shut out the others
 * @param lasting sessions of commands that may last for hours, 0 to 10,000, besides those
 * @param lastingPerUser of one user, at most {@code lasting}
 * @param openings of callers who have not said yet what is to run
 * @param timeouts how long a silent client is waited for
 */
public record SessionLimits(
    int sessions,
    int sessionsPerUser,
    int lasting,
    int lastingPerUser,
    Openings openings,
    SessionTimeouts timeouts) {
  private static final int MOST_SESSIONS = 10_000;
  private static final int LARGEST_OPENING = 4 * 1024 * 1024;

  /**
   * Number of openings of the largest size that are held at once, half as many of one user, and
   * more of smaller ones. It bounds the memory that users fill with their environments.
   */
  static final int LARGE_OPENINGS = 16;

  /**
   * Connections whose opening is not there yet: each holds a descriptor and what came of it.
   *
   * @param bytes arguments, environment and directory of one together; the kernel allows a process
   *     2 MiB with usual settings, 6 MiB at most
   * @param all at once, 1 to 100,000; beyond it the oldest of the user who has most makes room
   * @param ofUser at once of one user, at most {@code all}; beyond it his oldest makes room
   */
  public record Openings(int bytes, int all, int ofUser) {
    private static final int MOST = 100_000;

    /** Refuses bounds that contradict each other. */
    public Openings {
      if (bytes < 1024) {
        throw new IllegalArgumentException("openingBytes: " + bytes + " is below 1024");
      }
      if (all < 1 || all > MOST) {
        throw new IllegalArgumentException("openings: " + all + " is not in 1.." + MOST);
      }
      if (ofUser < 1 || ofUser > all) {
        throw new IllegalArgumentException("openingsPerUser: " + ofUser + " is not in 1.." + all);
      }
    }

    static Openings of(int bytes) {
      return new Openings(bytes, 2048, 256);
    }
  }

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
  }

  /** The usual number of openings, of this size. */
  SessionLimits(
      int sessions,
      int sessionsPerUser,
      int lasting,
      int lastingPerUser,
      int openingBytes,
      SessionTimeouts timeouts) {
    this(sessions, sessionsPerUser, lasting, lastingPerUser, Openings.of(openingBytes), timeouts);
  }

  int openingBytes() {
    return openings.bytes();
  }

  /**
   * 512 sessions, 128 of one user; as many and 256 that last; 4 MiB of arguments and environment;
   * 2048 connections that have not said what is to run, 256 of one user.
   */
  public static SessionLimits defaults() {
    return of(ConnectionBounds.usual());
  }

  /** With these bounds instead. */
  public static SessionLimits of(ConnectionBounds bounds) {
    return new SessionLimits(
        bounds.sessions().all(),
        bounds.sessions().ofOne(),
        bounds.lasting().all(),
        bounds.lasting().ofOne(),
        new Openings(LARGEST_OPENING, bounds.openings().all(), bounds.openings().ofOne()),
        SessionTimeouts.defaults());
  }
}
