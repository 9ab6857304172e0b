package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A queue within a cycle: its jobs, and what of it is used. */
final class CycleQueue {

  private final OriginQueueName name;
  private final OriginQueueState given;
  private final CycleHost host;
  private final List<CycleJob> jobs = new ArrayList<>();
  private final Map<String, Long> runningOf = new HashMap<>();
  private boolean disabled;
  private long assigned;
  private long running;
  private long reserved = -1;
  private long emptyBy;
  private long drainBy;
  private boolean draining;
  private boolean refusedForPrime;

  /** Why no job starts in it whatever it asks for; null while nobody has asked. */
  private Optional<String> closed;

  /** How often its host had been charged then. */
  private int closedAt;

  /**
   * @param host null when it does not answer
   */
  CycleQueue(OriginQueueName name, OriginQueueState given, CycleHost host) {
    this.name = name;
    this.given = given;
    this.host = host;
    disabled = !given.enabled();
  }

  OriginQueueName id() {
    return name;
  }

  String name() {
    return name.name();
  }

  CycleHost host() {
    return host;
  }

  OriginQueueState given() {
    return given;
  }

  List<CycleJob> jobs() {
    return jobs;
  }

  /** Takes the jobs that are in the queue, running ones in the order of their ends. */
  void claim(List<CycleJob> claimed, long now) {
    long ncpus = 0;
    long memory = 0;
    for (CycleJob job : claimed) {
      jobs.add(job);
      job.queue(this);
      if (job.runs()) {
        ncpus += job.given().ncpus();
        memory += job.given().memory();
        running++;
        runningOf.merge(job.owner(), 1L, Long::sum);
        emptyBy = Math.max(emptyBy, now + job.expectedS());
      }
    }
    assigned = OriginNodes.of(ncpus, memory);
  }

  boolean hasWaiting() {
    return jobs.stream().anyMatch(CycleJob::waits);
  }

  /**
   * Why no job starts in the queue, whatever it asks for.
   *
   * @param anew looks when a job has started on the host since the last time
   */
  Optional<String> closed(Supplier<Optional<String>> anew) {
    int charges = host == null ? 0 : host.charges();
    if (closed == null || closedAt != charges) {
      closed = anew.get();
      closedAt = charges;
    }
    return closed;
  }

  void disable() {
    disabled = true;
  }

  boolean isDisabled() {
    return disabled;
  }

  boolean isStopped() {
    return !given.started();
  }

  boolean isDown() {
    return disabled || isStopped();
  }

  boolean admits(String user) {
    return given.users() == null || given.users().contains(user);
  }

  /** Nodes of the queue; -1 when there is no limit. */
  long nodesMax() {
    return given.most().nodes();
  }

  long maxRunning() {
    return given.maxRunning();
  }

  long assigned() {
    return assigned;
  }

  long running() {
    return running;
  }

  long runningOf(String user) {
    return runningOf.getOrDefault(user, 0L);
  }

  /** Nodes that no job has; without limit as many as anybody wants. */
  long free() {
    return nodesMax() < 0 ? Long.MAX_VALUE : nodesMax() - assigned;
  }

  long reserved() {
    return reserved;
  }

  /** When its last job ends; 0 when none runs. */
  long emptyBy() {
    return emptyBy;
  }

  boolean isDraining() {
    return draining;
  }

  long drainBy() {
    return drainBy;
  }

  /** Keeps nodes for a job that can start at a time. */
  void drain(long by, long nodes) {
    reserved = nodes;
    drainBy = by;
    if (running == 0) {
      draining = false;
    } else if (by <= emptyBy) {
      draining = true;
    }
  }

  boolean refusedForPrime() {
    return refusedForPrime;
  }

  void refuseForPrime() {
    refusedForPrime = true;
  }

  /** Takes a job from the queue in which it waited. */
  void take(CycleJob job) {
    CycleQueue from = job.queue();
    if (from != this) {
      from.jobs.remove(job);
      jobs.add(job);
      job.queue(this);
    }
  }

  /** Counts a job that starts. */
  void start(CycleJob job, long now) {
    job.run();
    running++;
    runningOf.merge(job.owner(), 1L, Long::sum);
    assigned += job.nodes();
    emptyBy = Math.max(emptyBy, now + job.walltimeS());
    host.charge(job.nodes(), 1);
    if (job.given().hpm()) {
      host.useCounters();
    }
  }
}
