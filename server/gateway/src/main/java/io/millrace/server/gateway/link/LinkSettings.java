package io.millrace.server.gateway.link;

import java.time.Duration;
import java.util.Map;

/**
 * How the gateway talks to the cluster.
 *
 * @param kafka properties of all Kafka clients: bootstrap.servers and security
 * @param replyPartition the gateway's own partition of the topic replies; one gateway each
 * @param limits bounds of what may be unanswered
 * @param timing when to repeat and when to give up
 */
public record LinkSettings(
    Map<String, Object> kafka, int replyPartition, UnansweredLimits limits, Timing timing) {

  /**
   * @param perClient most unanswered commands of one client; raise it for bulk clients on a slow
   *     network
   * @param overall most unanswered commands of the gateway
   * @param bytes what the unanswered commands of the gateway may hold together, those of one client
   *     half of it; bounds its memory
   */
  public record UnansweredLimits(int perClient, int overall, long bytes) {}

  /**
   * @param delivery longest time of one attempt to have the broker acknowledge a command
   * @param resend an unanswered command is sent again after this time, and again
   * @param answer longest time until the answer, all attempts together
   */
  public record Timing(Duration delivery, Duration resend, Duration answer) {}

  /** How long whoever asked waits while the outcome of a command is open. */
  public static final Duration ANSWER = Duration.ofSeconds(20);

  private static final long UNANSWERED_BYTES = 32L << 20;

  /**
   * The defaults: 256 and 4096 unanswered, of 32 MiB together; 4 s for an attempt, repeated after 3
   * s, 20 s to answer.
   */
  public static LinkSettings defaults(Map<String, Object> kafka, int replyPartition) {
    return new LinkSettings(
        kafka,
        replyPartition,
        new UnansweredLimits(256, 4096, UNANSWERED_BYTES),
        new Timing(Duration.ofSeconds(4), Duration.ofSeconds(3), ANSWER));
  }
}
