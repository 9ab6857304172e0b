package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PredictorAsked;
import io.millrace.schemas.campaign.TasksOverdue;
import io.millrace.schemas.campaign.TasksTakenBack;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import org.apache.avro.specific.SpecificRecord;

/** Changes the state by facts about what is sent and what waits at clusters. */
final class WaitingAppliers {

  private final CampaignState state;
  private final ClusterCounts counts;

  WaitingAppliers(CampaignState state, ClusterCounts counts) {
    this.state = state;
    this.counts = counts;
  }

  /** Whether this is such a fact; then it is done. */
  boolean apply(SpecificRecord fact) {
    if (fact instanceof PredictorAsked asked) {
      asked(asked);
    } else if (fact instanceof TasksTakenBack taken) {
      takenBack(taken);
    } else if (fact instanceof TasksOverdue overdue) {
      overdue(overdue);
    } else {
      return false;
    }
    return true;
  }

  private static CampaignCluster cluster(Campaign campaign, String name) {
    return CampaignState.cluster(campaign, name).orElseThrow();
  }

  /** It is where it was. */
  private void put(OpenTask open) {
    state.table().put(CampaignKeys.open(open.getCampaign(), open.getTask()), open);
  }

  private void asked(PredictorAsked fact) {
    Campaign campaign = state.campaign(fact.getCampaign()).orElseThrow();
    CampaignCluster cluster = cluster(campaign, fact.getCluster());
    cluster.setAskedMs(fact.getAtMs());
    cluster.setLevel(fact.getLevel());
    cluster.setAllowed(fact.getSend());
    cluster.setSending(cluster.getSending() + 1);
    cluster.setSent(0);
    cluster.setRunningOfLast(0);
    state.put(campaign);
  }

  private void takenBack(TasksTakenBack fact) {
    Campaign campaign = state.campaign(fact.getCampaign()).orElseThrow();
    CampaignCluster there = cluster(campaign, fact.getCluster());
    for (int task : fact.getTasks()) {
      OpenTask open = state.open(campaign.getId(), task).orElseThrow();
      counts.count(there, open, -1);
      open.setLeaving(true);
      counts.count(there, open, 1);
      put(open);
      for (int follower : open.getFollowers()) {
        OpenTask other = state.open(campaign.getId(), follower).orElseThrow();
        other.setLeaving(true);
        put(other);
      }
    }
    if (fact.getUntilMs() > 0) {
      there.setPausedUntilMs(fact.getUntilMs());
      there.setRefusal(fact.getWhy());
      there.setUnbegun(there.getUnbegun() + (fact.getVain() ? 1 : 0));
    }
    state.put(campaign);
  }

  private void overdue(TasksOverdue fact) {
    Campaign campaign = state.campaign(fact.getCampaign()).orElseThrow();
    CampaignCluster cluster = cluster(campaign, fact.getCluster());
    for (int task : fact.getTasks()) {
      OpenTask open = state.open(campaign.getId(), task).orElseThrow();
      counts.count(cluster, open, -1);
      open.setOverdue(true);
      counts.count(cluster, open, 1);
      put(open);
    }
    state.put(campaign);
  }
}
