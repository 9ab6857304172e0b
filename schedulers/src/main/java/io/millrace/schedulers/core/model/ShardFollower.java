package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
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

  /** The node is being offered to another shard, or (-1) stays. */
  void nodeOffered(String name, int to);

  /** The shard agreed to a change of the node, which is not used before the change is there. */
  void nodeClosing(String name);

  /** The node belongs to another shard now. */
  void nodeGone(String name);

  /** A job that was queued or accepted here, or is found in a snapshot. */
  void job(Job job);

  /** All holds of the job after a change. */
  void holds(long number, String holds);

  /** The job is being offered to another shard, or stays. */
  void transit(long number, boolean on);

  void altered(long number, JobSpec spec);

  void moved(long number, String queue, long rank);

  /** The job ended or left; what it holds is free again. */
  void gone(long number);

  /**
   * The shard granted a run.
   *
   * @param atMs when
   */
  void granted(long number, Allocation allocation, long atMs);

  /** The run stands still; what it held is free. */
  void suspended(long number, RunSuspended fact);

  /** The suspended run may go on as soon as there is room for it. */
  void resumable(long number);

  /**
   * The suspended run goes on and holds again what it held.
   *
   * @param atMs when
   */
  void resumed(long number, long atMs);

  /**
   * Somebody wants the run to end.
   *
   * @param atMs when
   */
  void ending(long number, long atMs);

  /** The run ended and the job waits again. */
  void requeued(long number);

  /** A proposal was rejected or expired: the job waits again and what it took is free. */
  void withdraw(long number);
}
