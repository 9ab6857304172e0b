package io.millrace.server.http;

import java.time.Duration;

/**
 * What a listener grants.
 *
 * @param connections at once, overall and of one address
 * @param bodyBytes of one request
 * @param memory of all connections together
 * @param workers how many requests are carried out at once, and how many wait
 * @param times how long a connection may take for what
 */
public record HttpLimits(
    Connections connections,
    int bodyBytes,
    HttpMemoryLimits memory,
    Workers workers,
    HttpTimeLimits times) {

  /**
   * Bytes that all connections hold together.
   *
   * @param known for requests of those who have proven who they are, with all copies of their
   *     bodies
   * @param strangers the same for those who have not yet
   * @param answers for answers that are sent
   */
  public record HttpMemoryLimits(long known, long strangers, long answers) {}

  /** Connections at once. A proxy in front needs more of one address. */
  public record Connections(int all, int ofAddress) {}

  /** Requests that are carried out at once, and that wait for it. */
  public record Workers(int threads, int waiting) {}

  /**
   * Longest times.
   *
   * @param idle from the connection, or the answer before, to the first byte of a head
   * @param head from there to the whole head, within what is left of {@code idle} if that is less
   * @param body from the head to the whole body
   * @param work until the answer is there
   * @param send until the answer is sent
   */
  public record HttpTimeLimits(
      Duration idle, Duration head, Duration body, Duration work, Duration send) {}
}
