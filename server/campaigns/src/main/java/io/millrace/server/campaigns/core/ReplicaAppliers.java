package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ReplicasDropped;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.campaigns.core.task.ExitWish;
import io.millrace.server.campaigns.core.task.TaskAffinities;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Changes the state by facts about second attempts. Beside the record of a task there is at most
 * one more: of its replica, or of an attempt that was dropped and whose job is not over yet.
 */
final class ReplicaAppliers {

  /** Predictors count the tasks that they have sent, of which replicas are none. */
  private static final int NO_SENDING = -1;

  private final CampaignState state;
  private final CampaignTable table;
  private final ClusterCounts counts;

  ReplicaAppliers(CampaignState state, ClusterCounts counts) {
    this.state = state;
    this.table = state.table();
    this.counts = counts;
  }

  private static CampaignCluster cluster(Campaign campaign, OpenTask task) {
    return CampaignState.cluster(campaign, task.getCluster()).orElseThrow();
  }

  private void put(OpenTask second) {
    table.put(CampaignKeys.second(second.getCampaign(), second.getTask()), second);
  }

  private void remove(OpenTask second) {
    table.put(CampaignKeys.second(second.getCampaign(), second.getTask()), null);
  }

  /** One was sent, and is not counted with its cluster yet. */
  void sent(OpenTask replica) {
    replica.setReplica(true);
    replica.setSending(NO_SENDING);
    put(replica);
    OpenTask first = state.open(replica.getCampaign(), replica.getTask()).orElseThrow();
    first.setNewest(replica.getAttempt());
    table.put(CampaignKeys.open(first.getCampaign(), first.getTask()), first);
  }

  /** Whether this is about a second attempt; then it is done. */
  boolean moved(Campaign campaign, OpenTask task) {
    OpenTask before =
        state.second(task.getCampaign(), task.getTask(), task.getAttempt()).orElse(null);
    if (before == null) {
      return false;
    }
    CampaignCluster cluster = cluster(campaign, task);
    counts.count(cluster, before, -1);
    counts.count(cluster, task, 1);
    put(OpenTask.newBuilder(task).build());
    state.put(campaign);
    return true;
  }

  void dropped(ReplicasDropped fact) {
    for (int task : fact.getTasks()) {
      OpenTask replica = state.second(fact.getCampaign(), task).orElseThrow();
      replica.setDropped(true);
      put(replica);
    }
  }

  /** What becomes of a task is settled by one attempt: the other one counts no more. */
  void other(Campaign campaign, OpenTask counted) {
    Optional<OpenTask> second = state.second(counted.getCampaign(), counted.getTask());
    if (second.isEmpty()) {
      return;
    }
    OpenTask other = second.get();
    if (other.getAttempt() == counted.getAttempt()) {
      other = state.open(counted.getCampaign(), counted.getTask()).orElseThrow();
      if (other.getStatus() == TaskStatus.WAITING) {
        campaign.setTried(campaign.getTried() - 1);
        remove(other);
        return;
      }
    }
    other.setDropped(true);
    put(other);
  }

  /** An attempt has ended that may be a replica, or one that stands in the place of the first. */
  static void counted(CampaignCluster cluster, OpenTask task, AttemptEnded fact) {
    ClusterCounts.ran(cluster, task, fact.getRunMs());
    if (task.getReplica() && fact.getStatus() == TaskStatus.DONE) {
      cluster.setReplicasDone(cluster.getReplicasDone() + 1);
    }
  }

  void over(Campaign campaign, AttemptDropped fact) {
    OpenTask first = state.open(fact.getCampaign(), fact.getTask()).orElse(null);
    OpenTask second = state.second(fact.getCampaign(), fact.getTask()).orElseThrow();
    OpenTask over = second.getAttempt() == fact.getAttempt() ? second : first;
    CampaignCluster cluster = cluster(campaign, over);
    counts.count(cluster, over, -1);
    ClusterCounts.ran(cluster, over, fact.getRunMs());
    remove(second);
    if (over == first) {
      takePlace(campaign, first, second, ExitWish.of(fact.getExitStatus()).isPresent());
    } else if (first != null && over.getReplica()) {
      first.setReplicated(first.getReplicated() || !fact.getAgain());
      table.put(CampaignKeys.open(first.getCampaign(), first.getTask()), first);
    }
    state.put(campaign);
  }

  /** A replica is the attempt at its task now. */
  private void takePlace(Campaign campaign, OpenTask first, OpenTask replica, boolean wanted) {
    boolean taken = first.getStatus() != TaskStatus.SENT && !first.getLeaving() && !wanted;
    replica.setWishes(first.getWishes() + (wanted ? 1 : 0));
    replica.setKillings(first.getKillings() + (taken && !first.getGaveWay() ? 1 : 0));
    replica.setReplicated(true);
    replica.setNewest(first.getNewest());
    replica.setAffinities(
        taken
            ? TaskAffinities.lowered(first.getAffinities(), first.getCluster())
            : first.getAffinities());
    table.put(CampaignKeys.open(replica.getCampaign(), replica.getTask()), replica);
    campaign.setRanges(
        TaskRanges.with(campaign.getRanges(), replica.getTask(), replica.getStatus()));
  }

  /** Nothing is remembered of a campaign any more. */
  void forgetAll(long campaign) {
    List<OpenTask> left = new ArrayList<>();
    state.seconds(campaign, left::add);
    left.forEach(this::remove);
  }
}
