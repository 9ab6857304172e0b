package io.millrace.server.web.door;

import java.time.Duration;

/**
 * What the door grants.
 *
 * @param connections at once, overall and of one address
 * @param bodyBytes of one request
 * @param memory of all connections together
 * @param workers how many requests are carried out at once, overall, of one user, and how many wait
 * @param times how long a connection may take for what
 */
public record DoorLimits(
    Connections connections, int bodyBytes, Memory memory, Workers workers, Times times) {

  /**
   * Bytes that all connections hold together.
   *
   * @param known for requests of those who have proven who they are, with all copies of their
   *     bodies
   * @param strangers the same for those who have not yet
   * @param answers for answers that are sent
   */
  public record Memory(long known, long strangers, long answers) {}

  /** Connections at once. A proxy in front needs more of one address. */
  public record Connections(int all, int ofAddress) {}

  /** Requests that are carried out at once, and that wait for it. */
  public record Workers(int threads, int ofUser, int waiting) {}

  /**
   * Longest times.
   *
   * @param head from the connection, or the answer before, to a whole head
   * @param body from the head to the whole body
   * @param work until the answer is there
   * @param send until the answer is sent
   */
  public record Times(Duration head, Duration body, Duration work, Duration send) {}

  /** What fits a heap of 256 MiB, commands' output beside it. */
  public static DoorLimits defaults() {
    return new DoorLimits(
        new Connections(256, 128),
        4 << 20,
        new Memory(40L << 20, 20L << 20, 24L << 20),
        new Workers(32, 12, 64),
        new Times(
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(90),
            Duration.ofSeconds(60)));
  }
}
