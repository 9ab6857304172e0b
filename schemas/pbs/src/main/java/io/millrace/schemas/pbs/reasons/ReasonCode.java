package io.millrace.schemas.pbs.reasons;

import java.util.Optional;

/** Why a class of jobs was left waiting; the name is the code in {@code ClassReason}. */
public enum ReasonCode {
  /** The queue is stopped. Subject: queue. */
  QUEUE_NOT_STARTED,
  /** The scheduler object has scheduling=False. Subject: scheduler. */
  SCHEDULING_OFF,
  /** The text by which the scheduler decides cannot be obeyed. Subject: what is wrong with it. */
  POLICY_WRONG,
  /**
   * As many jobs run as a limit allows. Subject: the limit, see {@link LimitSubject}. Free: how
   * many more it allows now; total: the limit.
   */
  RUN_LIMIT,
  /** As {@link #RUN_LIMIT}, for a limit on an amount of a resource in use. */
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
  /** No usable node has a property. Subject: {@code name (wanted != shown,shown)}. */
  NO_MATCH,
  /**
   * Needs more than all nodes together have, or more in one chunk than the largest empty node.
   * Subject: resource.
   */
  NEVER_FITS,
  /** Less is free on all nodes together than needed. Subject: resource. */
  TOTAL_INSUFFICIENT,
  /**
   * Enough is free in total, but no node has enough for one chunk. Free: most on one node. Subject:
   * resource.
   */
  NODE_INSUFFICIENT,
  /**
   * Enough is free, but not on as many hosts, or not as empty, as the place directive asks.
   * Subject: place.
   */
  PLACE_INSUFFICIENT,
  /** Fewer nodes or hosts exist than the place directive needs. Subject: place. */
  PLACE_NEVER,
  /**
   * Jobs have to lie in one placement set, and none has room now. Subject: the last set that was
   * looked at, which is the largest.
   */
  SET_INSUFFICIENT,
  /**
   * The job fits into no placement set, not even an empty one, and may not use several. Subject:
   * the resources that make the sets.
   */
  SET_NEVER,
  /**
   * Nodes of a run have to be all of one cluster of another system, or all of none, and there is
   * room on neither now. Subject: place; needed: chunks.
   */
  CLUSTER_INSUFFICIENT,
  /** The same, not even when nothing runs. Subject: place; needed: chunks. */
  CLUSTER_NEVER,
  /**
   * The job fits now but would delay the promised start of another one. Subject: number of that
   * job.
   */
  WOULD_DELAY,
  /**
   * The job fits now but would still run when a reservation has booked its nodes, or its promised
   * start has moved for one. Subject: the reservation, by its queue.
   */
  BOOKED,
  /** Its reservation has not begun. Subject: the reservation, by its queue. */
  RESERVATION_AHEAD,
  /** No job may overtake an earlier one in the order. Subject: number of that job. */
  STRICT_ORDER,
  /**
   * The job's job_sort_formula value is not above the scheduler's threshold. Subject: the
   * threshold.
   */
  UNDER_THRESHOLD,
  /** The entity to which the jobs belong is entitled to nothing. Subject: entity. */
  NO_SHARES,
  /** It is dedicated time and the queue is not for it, or the other way round. Subject: queue. */
  DEDICATED_TIME,
  /** The job would run into a dedicated time, or beyond its end. Subject: queue. */
  CROSSES_DEDICATED,
  /** The queue is for prime time. Subject: queue. */
  PRIME_ONLY,
  /** The queue is for non-prime time. Subject: queue. */
  NON_PRIME_ONLY,
  /**
   * The job would run from prime into non-prime time, or back. Subject: PBS's word for the period
   * that it would run into.
   */
  CROSSES_PERIOD,
  /** The cycle used up its units of work before it reached the class. */
  WORK_LIMIT,
  /**
   * Running jobs of a lower level are being preempted for the job, which starts when they have
   * ended. Needed: how many.
   */
  PREEMPTING,
  /** A proposal for the class was refused; it is tried again after a pause. Subject: code. */
  BACKING_OFF;

  /** The code of this name; empty for one that a newer engine wrote. */
  public static Optional<ReasonCode> find(String name) {
    for (ReasonCode code : values()) {
      if (code.name().equals(name)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
