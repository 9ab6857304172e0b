package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;

/** Changes the state by facts about prologues and epilogues. */
final class ScriptAppliers {

  private final CampaignState state;
  private final CampaignTable table;

  ScriptAppliers(CampaignState state) {
    this.state = state;
    this.table = state.table();
  }

  private void put(long campaign, CampaignScript script) {
    table.put(CampaignKeys.script(campaign, script.getCluster(), script.getAfter()), script);
  }

  private static void set(CampaignCluster cluster, boolean after, TaskStatus status) {
    if (after) {
      cluster.setEpilogue(status);
      return;
    }
    cluster.setPrologue(status);
    cluster.setUsed(cluster.getUsed() || status == TaskStatus.DONE);
  }

  void submitted(Campaign campaign, List<CampaignScript> scripts) {
    for (CampaignScript script : scripts) {
      put(campaign.getId(), script);
    }
  }

  /**
   * There are further tasks. Where the epilogue has been, it is due again after them, and the
   * prologue before: what that had made may be gone. A prologue that had failed has another try.
   */
  void renewed(Campaign campaign) {
    List<CampaignCluster> clusters = campaign.getClusters();
    for (int index = 0; index < clusters.size(); index++) {
      CampaignCluster cluster = clusters.get(index);
      boolean undone = renew(campaign, index, true, ScriptDeciders.isOver(cluster.getEpilogue()));
      if (undone) {
        cluster.setUsed(false);
        cluster.setHinderedMs(0L);
      }
      boolean failed = cluster.getPrologue() == TaskStatus.FAILED;
      renew(campaign, index, false, undone || failed);
    }
  }

  /** Whether there is such a script, which waits then. */
  private boolean renew(Campaign campaign, int index, boolean after, boolean wanted) {
    CampaignScript script =
        wanted ? state.script(campaign.getId(), index, after).orElse(null) : null;
    if (script == null) {
      return false;
    }
    script.setKillings(0);
    put(campaign.getId(), script);
    set(campaign.getClusters().get(index), after, TaskStatus.WAITING);
    return true;
  }

  void moved(Campaign campaign, ScriptMoved fact) {
    CampaignScript script =
        state.script(campaign.getId(), fact.getCluster(), fact.getAfter()).orElseThrow();
    CampaignCluster cluster = campaign.getClusters().get(fact.getCluster());
    TaskStatus before = ScriptDeciders.status(cluster, fact.getAfter());
    boolean sent = before == TaskStatus.SENT;
    if (sent && ScriptDeciders.AT_CLUSTER.contains(fact.getStatus())) {
      cluster.setRefusals(0);
    }
    if (fact.getAfter()) {
      boolean hindered = before == TaskStatus.WAITING && fact.getStatus() == TaskStatus.WAITING;
      cluster.setHinderedMs(hindered ? fact.getAtMs() : 0L);
    }
    script.setAttempt(fact.getAttempt());
    script.setCommand(fact.getCommand());
    script.setJobId(fact.getJobId());
    script.setShard(fact.getShard());
    script.setKilled(fact.getKilled());
    script.setKillings(fact.getKillings());
    put(campaign.getId(), script);
    set(cluster, fact.getAfter(), fact.getStatus());
    state.put(campaign);
  }

  /**
   * The event of one that failed is closed: it is tried again, or somebody has done by hand what it
   * should have done.
   *
   * @param by empty when nobody has
   */
  void closed(Campaign campaign, CampaignEvent event, boolean again, String by) {
    CampaignCluster cluster = CampaignState.cluster(campaign, event.getCluster()).orElseThrow();
    boolean after = event.getCode().equals(EventCode.EPILOGUE_ERROR.name());
    boolean script = after || event.getCode().equals(EventCode.PROLOGUE_ERROR.name());
    if (script && ScriptDeciders.status(cluster, after) == TaskStatus.EVENT) {
      TaskStatus mended = by.isEmpty() ? TaskStatus.FAILED : TaskStatus.DONE;
      set(cluster, after, again ? TaskStatus.WAITING : mended);
      if (again && after) {
        cluster.setRefusals(0);
      }
      if (again) {
        int index = campaign.getClusters().indexOf(cluster);
        CampaignScript failed = state.script(campaign.getId(), index, after).orElseThrow();
        failed.setKillings(0);
        put(campaign.getId(), failed);
      }
    }
  }

  /** Nothing is remembered of a campaign any more. */
  void forgetAll(long campaign) {
    List<CampaignScript> scripts = new ArrayList<>();
    table.scan(CampaignKeys.scripts(campaign), it -> scripts.add((CampaignScript) it));
    for (CampaignScript script : scripts) {
      table.put(CampaignKeys.script(campaign, script.getCluster(), script.getAfter()), null);
    }
  }
}
