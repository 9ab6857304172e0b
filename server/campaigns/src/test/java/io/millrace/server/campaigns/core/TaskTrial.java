package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.Random;

/** What random histories have of single tasks, held jobs and stopped clusters. */
final class TaskTrial {

  private TaskTrial() {}

  /** Something of these, or a look. */
  static void more(CampaignTrial trial, Random random) {
    long campaign = 1 + random.nextInt(3);
    switch (random.nextInt(8)) {
      case 0 ->
          trial.take(new DeleteTask(trial.meta("ada", Role.USER), campaign, random.nextInt(9)));
      case 1 -> trial.take(new PurgeCampaign(trial.meta("bob", Role.USER), campaign));
      case 2 -> trial.take(new StopCluster(trial.meta("oscar", Role.OPERATOR), "c1", "dust"));
      default -> trial.look();
    }
  }

  /** Clusters that were stopped by hand are started again. */
  static void start(CampaignTrial trial) {
    for (CampaignEvent event : trial.events(0)) {
      if (event.getClosedMs() < 0 && event.getCode().equals(EventCode.CLUSTER_STOPPED.name())) {
        trial.fix(0, event.getId(), "oscar", Role.OPERATOR, false);
      }
    }
  }

  /** The ranges are all tasks, in order, and neighbours differ. */
  static void whole(Campaign campaign) {
    int next = 0;
    TaskStatus before = null;
    for (TaskRange range : campaign.getRanges()) {
      assertEquals(next, range.getFirst());
      assertEquals(false, range.getStatus() == before, "neighbours of one status");
      next = range.getLast() + 1;
      before = range.getStatus();
    }
    assertEquals(campaign.getTasks(), next);
  }

  /** What is counted in a campaign's record is there. */
  static void check(CampaignTrial trial, Campaign campaign) {
    int[] tried = {0};
    int[] held = {0};
    for (String prefix :
        new String[] {
          CampaignKeys.open(campaign.getId()), CampaignKeys.seconds(campaign.getId())
        }) {
      trial.table.scan(
          prefix,
          record -> {
            OpenTask task = (OpenTask) record;
            TaskStatus status = task.getStatus();
            boolean waits = status == TaskStatus.QUEUED || status == TaskStatus.SENT;
            boolean counts = waits && task.getHeld() && !task.getLeaving() && task.getLead() < 0;
            held[0] += counts ? 1 : 0;
            tried[0] += status == TaskStatus.WAITING ? 1 : 0;
          });
    }
    assertEquals(tried[0], campaign.getTried(), "tasks in the bag that were tried");
    assertEquals(
        held[0], campaign.getClusters().stream().mapToInt(CampaignCluster::getHeld).sum(), "held");
  }
}
