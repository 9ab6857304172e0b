package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState.RequestBound;
import java.util.Optional;

/** Whether a job fits a queue: by its size at all, and by the room that is left now. */
final class QueueFit {

  private final CycleContext cycle;
  private final OriginHostRule hosts;

  QueueFit(CycleContext cycle) {
    this.cycle = cycle;
    hosts = new OriginHostRule(cycle.config());
  }

  /** Why a job can never run in a queue; empty when it can. Special jobs are of any size. */
  Optional<String> wrongSize(CycleJob job, CycleQueue queue) {
    if (job.isSpecial()) {
      return Optional.empty();
    }
    RequestBound least = queue.given().least();
    RequestBound most = queue.given().most();
    if (least.walltimeS() >= 0 && job.walltimeS() < least.walltimeS()) {
      String time = OriginType.clock(least.walltimeS());
      return Optional.of("Does not meet " + quoted(queue) + "walltime minimum (" + time + ").");
    }
    if (most.walltimeS() >= 0 && job.walltimeS() > most.walltimeS()) {
      String time = OriginType.clock(most.walltimeS());
      return Optional.of("Would exceed " + quoted(queue) + "walltime limit (" + time + ").");
    }
    if (least.nodes() >= 0 && job.nodes() < least.nodes()) {
      return Optional.of(
          "Does not meet " + quoted(queue) + "node minimum (" + least.nodes() + ").");
    }
    if (most.nodes() >= 0 && job.nodes() > most.nodes()) {
      return Optional.of("Would exceed " + quoted(queue) + "node limit (" + most.nodes() + ").");
    }
    return Optional.empty();
  }

  private static String quoted(CycleQueue queue) {
    return "queue '" + queue.name() + "' ";
  }

  /** Why no job starts in a queue now. */
  Optional<String> closed(CycleQueue queue) {
    if (queue.isDisabled()) {
      return Optional.of("Queue " + queue.name() + " not enabled");
    }
    if (queue.isStopped()) {
      return Optional.of("Queue " + queue.name() + " not started");
    }
    Optional<String> many = manyRunning(queue);
    if (many.isPresent()) {
      return many;
    }
    return queue.free() <= 0
        ? Optional.of("Queue " + queue.name() + " node limit (" + queue.nodesMax() + ") reached")
        : Optional.empty();
  }

  /** Why no further job may run in a queue. */
  Optional<String> manyRunning(CycleQueue queue) {
    return queue.maxRunning() >= 0 && queue.running() >= queue.maxRunning()
        ? Optional.of("Queue " + queue.name() + " run limit (" + queue.maxRunning() + ") reached")
        : Optional.empty();
  }

  /** Why a job does not start in a queue now for want of room; empty when it has room. */
  Optional<String> noRoom(CycleJob job, CycleQueue queue) {
    Optional<String> why = queue.closed(() -> closed(queue).or(() -> hosts.refusal(queue.host())));
    if (why.isPresent()) {
      return why;
    }
    why = hostFull(job, queue, true);
    if (why.isPresent()) {
      return why;
    }
    return drained(job, queue)
        .or(() -> userLimits(job, queue))
        .or(() -> fragments(job, queue))
        .or(() -> counters(job, queue));
  }

  /**
   * Why a job does not fit what its host has left.
   *
   * @param all whether a job that is larger than the host is told so
   */
  Optional<String> hostFull(CycleJob job, CycleQueue queue, boolean all) {
    CycleHost host = queue.host();
    if (all && job.nodes() > host.nodes()) {
      return host.tooSmall();
    }
    return host.allocated() + job.nodes() > host.nodes() ? host.full() : Optional.empty();
  }

  private Optional<String> drained(CycleJob job, CycleQueue queue) {
    return queue.isDraining()
            && job.nodes() > queue.free() - queue.reserved()
            && cycle.now() + job.walltimeS() > queue.drainBy()
        ? Optional.of("Queue " + queue.name() + " is being drained.")
        : Optional.empty();
  }

  /** Why a job would be too many of its owner or too many nodes of the queue. */
  Optional<String> userLimits(CycleJob job, CycleQueue queue) {
    long most = queue.given().maxUserRun();
    String name = "Would exceed queue " + queue.name();
    if (most > 0 && queue.runningOf(job.owner()) >= most) {
      return Optional.of(name + " userrun limit (" + most + ")");
    }
    return job.nodes() > queue.free()
        ? Optional.of(name + " node limit (" + queue.nodesMax() + ")")
        : Optional.empty();
  }

  private Optional<String> fragments(CycleJob job, CycleQueue queue) {
    OriginConfig config = cycle.config();
    return config.on(OriginOption.AVOID_FRAGMENTATION) && !job.isUrgent()
        ? Fragmentation.of(queue, cycle.now()).refusal(job.nodes(), job.walltimeS())
        : Optional.empty();
  }

  private Optional<String> counters(CycleJob job, CycleQueue queue) {
    CycleHost host = queue.host();
    boolean switches =
        cycle.config().on(OriginOption.MANAGE_HPM_COUNTERS)
            && job.given().hpm()
            && !host.userCounters();
    return switches && !cycle.switchCounters(host, CycleHost.USER)
        ? Optional.of("Cannot set state of HPM counters on " + OutageCache.shortName(host.name()))
        : Optional.empty();
  }
}
