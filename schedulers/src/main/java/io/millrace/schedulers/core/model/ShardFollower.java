package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.util.Map;

/** What follows a shard from a snapshot on, fact by fact. Jobs go by their number. */
public interface ShardFollower {

  /** A cluster object was written. */
  void written(ClusterObject object);

  /** A cluster object was deleted. */
  void deleted(ObjectKind kind, String name);

  /** A node of this shard, with what is held of it. */
  void node(Node node);

  /** An executor reported the node up, with what it measured. */
  void nodeUp(String name, String host, Map<String, Long> measured);

  /** Nothing is heard of the node: it takes no more runs. */
  void nodeDown(String name);

  /** The node is being handed over to another shard; -1 when it stays after all. */
  void nodeOffered(String name, int to);

  /** The shard has consented to a change of the node; it is not used until the change arrives. */
  void nodeClosing(String name);

  /** The node has moved to another shard. */
  void nodeGone(String name);

  /** A reservation on nodes of this shard, as it is after a change or in a snapshot. */
  void reservation(Reservation reservation);

  /** A reservation that has ended is not known any more. */
  default void forgotten(long reservation) {
    // Concerns those that count what users have reserved.
  }

  /** A job that was queued here, arrived from another shard, or is read from a snapshot. */
  void job(Job job);

  /** The full set of holds of the job after a change. */
  void holds(long number, String holds);

  /** The job is being handed over to another shard; {@code on} is false when it stays after all. */
  void transit(long number, boolean on);

  /**
   * @param askedAnew whether its walltime was asked for again, be it the same: no limit of a run
   *     that began late holds any longer
   */
  void altered(long number, JobSpec spec, boolean askedAnew);

  void moved(long number, String queue, long rank);

  /** The job has ended or left the shard; its allocation is free. */
  void gone(long number);

  /**
   * The shard granted a run.
   *
   * @param atMs when
   */
  void granted(long number, Allocation allocation, long atMs);

  /**
   * The run has begun: its walltime counts from then on, which is later than the grant by what its
   * host took to start it (stage-in, an outside queue).
   *
   * @param beganMs when, by the shard's clock
   */
  void began(long number, long beganMs);

  /** The run is suspended; its allocation is free. */
  void suspended(long number, RunSuspended fact);

  /**
   * The run began so late that it ends sooner than its walltime says.
   *
   * @param beganMs when it began
   * @param walltimeS how many seconds it may last from then on
   */
  default void shortened(long number, long beganMs, long walltimeS) {
    // Concerns those that plan for the time after a run by what is booked then.
  }

  /** The suspended run may be resumed as soon as there is room for it. */
  void resumable(long number);

  /**
   * The suspended run is resumed and has its allocation again.
   *
   * @param atMs when
   */
  void resumed(long number, long atMs);

  /**
   * The run has been told to end (qdel, qrerun, preemption).
   *
   * @param atMs when
   */
  void ending(long number, long atMs);

  /** The run ended and the job waits again. */
  void requeued(long number);

  /**
   * A proposal was rejected or has expired: the job waits again and the proposal's allocation is
   * free.
   */
  void withdraw(long number);
}
