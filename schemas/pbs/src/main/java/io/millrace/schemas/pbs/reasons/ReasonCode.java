package io.millrace.schemas.pbs.reasons;

import java.util.Optional;

/** Why a class of jobs was left waiting; the name is the code in {@code ClassReason}. */
public enum ReasonCode {
  /** The queue is stopped. Subject: queue. */
  QUEUE_NOT_STARTED,
  /** The scheduler object has scheduling=False. Subject: scheduler. */
  SCHEDULING_OFF,
  /**
   * As many jobs run as a limit allows. Subject: the limit, see {@link LimitSubject}. Free: how
   * many more it allows now; total: the limit.
   */
  RUN_LIMIT,
  /** The same for an amount of a resource that is in use. */
  RESOURCE_LIMIT,
  /** No node of the queue's partition can be used now. Subject: partition. */
  NO_NODES,
  /** No node that is bound to the queue can be used now. Subject: queue. */
  NO_QUEUE_NODES,
  /**
   * Nodes of the queue's partition can be used now, but all of them are bound to other queues.
   * Subject: partition.
   */
  NO_UNBOUND_NODES,
  /** No usable node shows a property. Subject: {@code name (wanted != shown,shown)}. */
  NO_MATCH,
  /**
   * More than all nodes, or more in one chunk than the largest node has when empty. Subject:
   * resource.
   */
  NEVER_FITS,
  /** Less is free on all nodes together than needed. Subject: resource. */
  TOTAL_INSUFFICIENT,
  /**
   * Enough in all, but not on one node for one chunk; free: most on one node. Subject: resource.
   */
  NODE_INSUFFICIENT,
  /** Enough, but not on as many hosts, or not as empty, as the place asks. Subject: place. */
  PLACE_INSUFFICIENT,
  /** Fewer nodes or hosts exist than the place asks. Subject: place. */
  PLACE_NEVER,
  /**
   * It fits now, but would take away what is promised to another job from a time on. Subject:
   * number of that job.
   */
  WOULD_DELAY,
  /** Nobody may start before a job that comes earlier in the order. Subject: number of that job. */
  STRICT_ORDER,
  /**
   * What job_sort_formula gives of the job is no more than its scheduler's threshold. Subject: the
   * threshold.
   */
  UNDER_THRESHOLD,
  /** The cycle used up its units of work before it came to this class. */
  WORK_LIMIT,
  /**
   * Running jobs of a lower level are being stopped for it; it starts when they are gone. Needed:
   * how many.
   */
  PREEMPTING,
  /** A proposal for the class was refused; it is tried again after a pause. Subject: code. */
  BACKING_OFF;

  /** Code of this name, or nothing for one that a newer engine wrote. */
  public static Optional<ReasonCode> find(String name) {
    for (ReasonCode code : values()) {
      if (code.name().equals(name)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
