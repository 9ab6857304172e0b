package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Route;
import io.millrace.server.core.decision.Context;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A routing queue as its attributes say.
 *
 * @param lifetimeMs how long a job may be there; 0 for ever
 */
public record RouteQueue(
    String name,
    boolean started,
    List<String> destinations,
    boolean routesHeld,
    long retryMs,
    long lifetimeMs) {
  private static final String RETRY_S = "30";
  private static final int BITS = 60;

  /** Whether it is a routing queue. */
  public static boolean is(ClusterObject queue) {
    return "Route".equals(Context.attribute(queue, "queue_type", ""));
  }

  /** Null for no queue, and for one that is not a routing queue. */
  public static RouteQueue of(ClusterObject queue) {
    if (!is(queue)) {
      return null;
    }
    return new RouteQueue(
        queue.getName(),
        "True".equals(Context.attribute(queue, "started", "")),
        destinations(queue),
        "True".equals(Context.attribute(queue, "route_held_jobs", "")),
        Math.max(1000, milliseconds(queue, "route_retry_time", RETRY_S)),
        milliseconds(queue, "route_lifetime", "0"));
  }

  private static long milliseconds(ClusterObject queue, String attribute, String otherwise) {
    String seconds = Context.attribute(queue, attribute, otherwise);
    return Amounts.milliseconds(Long.parseLong(seconds));
  }

  /**
   * Names of its destinations in their order, the server's name left off; each once, since the
   * position after a refusal is found by name.
   */
  public static List<String> destinations(ClusterObject queue) {
    return Arrays.stream(Context.attribute(queue, "route_destinations", "").split(","))
        .map(it -> it.replaceFirst("@.*", "").strip())
        .filter(it -> !it.isEmpty())
        .distinct()
        .toList();
  }

  /** Some of the destinations as a number, a bit for each; those that come late have none. */
  public long bits(Set<String> names) {
    long bits = 0;
    for (int i = 0; i < Math.min(BITS, destinations.size()); i++) {
      bits |= names.contains(destinations.get(i)) ? 1L << i : 0;
    }
    return bits;
  }

  /** The destinations that {@link #bits} stands for, as long as nobody changes them. */
  public Set<String> named(long bits) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < Math.min(BITS, destinations.size()); i++) {
      if ((bits >> i & 1) == 1) {
        names.add(destinations.get(i));
      }
    }
    return names;
  }

  /** The routing record of a job that enters the queue; null for an execution queue. */
  public static Route entered(ClusterObject queue, long nowMs) {
    return is(queue) ? new Route(List.of(), nowMs) : null;
  }

  public boolean expired(Job job, long nowMs) {
    return lifetimeMs > 0 && nowMs - job.getRoute().getEnteredMs() >= lifetimeMs;
  }

  /** Whether the job may be routed now. */
  public boolean routes(Job job) {
    return (job.getStatus() == JobStatus.QUEUED || job.getStatus() == JobStatus.HELD)
        && routes(job.getStatus() == JobStatus.HELD);
  }

  /** Whether held jobs, or jobs that are not held, may be routed now. */
  public boolean routes(boolean held) {
    return started && (!held || routesHeld);
  }

  /** Whether the job must be tried again after a time, without another event. */
  public boolean awaits(Job job) {
    return routes(job) || (started && lifetimeMs > 0 && job.getStatus() == JobStatus.HELD);
  }

  public long nextMs(long nowMs) {
    return nowMs + (lifetimeMs > 0 ? Math.min(retryMs, lifetimeMs) : retryMs);
  }
}
