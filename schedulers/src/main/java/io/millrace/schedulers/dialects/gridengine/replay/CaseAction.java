package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import java.util.List;

/** Something that an administrator or user does during a session, at a time from its begin. */
public sealed interface CaseAction {

  long at_s();

  /** qdel: the job leaves, and its running tasks end at once. */
  record Delete(long at_s, String job) implements CaseAction {}

  /** qhold or qrls. */
  record SetHold(long at_s, String job, boolean held) implements CaseAction {}

  /** qalter -p. */
  record Prioritise(long at_s, String job, int priority) implements CaseAction {}

  /** qalter -R. */
  record Reserve(long at_s, String job, boolean reserve) implements CaseAction {}

  /**
   * qmod -d, -e, -sq or -usq.
   *
   * @param queues the queue instances that are meant, named as in -q
   * @param state which is set or taken back
   */
  record Switch(long at_s, List<QueueRequest> queues, QueueInstance.State state, boolean set)
      implements CaseAction {

    /** The queue instances that the action is about. */
    public List<QueueInstance> meant(Cluster cluster) {
      return cluster.queues().stream()
          .filter(it -> queues.stream().anyMatch(named -> named.fits(it, cluster.groups())))
          .toList();
    }
  }

  /** qmod -sj or -usj: running tasks are stopped or go on; they keep their resources. */
  record Suspend(long at_s, String job, boolean suspended) implements CaseAction {}
}
