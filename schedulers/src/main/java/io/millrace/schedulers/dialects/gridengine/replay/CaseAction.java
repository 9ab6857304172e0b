package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import io.millrace.schedulers.gridengine.language.request.TaskRange;
import java.util.List;

/** Something that an administrator or user does during a session, at a time from its begin. */
public sealed interface CaseAction {

  long at_s();

  /** qdel: these tasks leave, and those of them that run end at once. */
  record CaseDeletion(long at_s, String job, TaskRange tasks) implements CaseAction {}

  /** qhold or qrls of these tasks. */
  record SetHold(long at_s, String job, TaskRange tasks, boolean held) implements CaseAction {}

  /**
   * qalter -l, -pe or -q: tasks that start later start by it, running ones keep what they have.
   *
   * @param lists the lists that replace the job's; an empty one leaves the job's as it is
   */
  record Alter(long at_s, String job, Needs lists) implements CaseAction {}

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
  record Switch(
      long at_s, List<QueueRequest> queues, QueueInstance.QueueInstanceState state, boolean set)
      implements CaseAction {

    /** The queue instances that the action is about. */
    public List<QueueInstance> meant(Cluster cluster) {
      return cluster.queues().stream()
          .filter(it -> queues.stream().anyMatch(named -> named.fits(it, cluster.groups())))
          .toList();
    }
  }

  /** qmod -sj or -usj: running tasks are stopped or go on; they keep their resources. */
  record Suspend(long at_s, String job, TaskRange tasks, boolean suspended) implements CaseAction {}
}
