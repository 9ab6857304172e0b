package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.campaign.AttemptBlock;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PlaceBlock;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

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
    int[] overdue = {0};
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
            boolean late = waits && !task.getHeld() && !task.getLeaving() && task.getLead() < 0;
            overdue[0] += late && task.getOverdue() ? 1 : 0;
            tried[0] += status == TaskStatus.WAITING ? 1 : 0;
          });
    }
    assertEquals(tried[0], campaign.getTried(), "tasks in the bag that were tried");
    assertEquals(
        held[0], campaign.getClusters().stream().mapToInt(CampaignCluster::getHeld).sum(), "held");
    assertEquals(
        overdue[0], campaign.getClusters().stream().mapToInt(CampaignCluster::getOverdue).sum());
  }

  /** Tasks without an attempt that is to be known have no record, and each is where it was last. */
  static void bounded(CampaignTrial trial, Campaign campaign) {
    long id = campaign.getId();
    int[] records = {0};
    trial.table.scan(CampaignKeys.open(id), it -> records[0]++);
    int there =
        TaskRanges.count(
            campaign.getRanges(),
            it -> it == TaskStatus.SENT || it == TaskStatus.QUEUED || it == TaskStatus.RUNNING);
    assertEquals(there + campaign.getTried(), records[0], "records of tasks");
    int[] runs = {0};
    trial.table.scan(CampaignKeys.places(id), it -> runs[0] += ((PlaceBlock) it).getRuns().size());
    assertEquals(campaign.getPlaceRuns(), runs[0], "runs of places");
    int[] bytes = {0};
    trial.table.scan(
        CampaignKeys.attempts(id),
        it -> {
          AttemptBlock block = (AttemptBlock) it;
          bytes[0] += 250 + block.getServer().length() + block.getAttempts().remaining();
        });
    assertEquals(campaign.getAttemptBytes(), bytes[0], "bytes of attempts");
    Map<String, String> sent = new HashMap<>();
    Map<Integer, String> last = new HashMap<>();
    Map<Integer, AttemptEnded> ends = new HashMap<>();
    for (SpecificRecord fact : trial.ledger) {
      if (fact instanceof TasksSent it && it.getCampaign() == id) {
        it.getTasks()
            .forEach(one -> sent.put(one.getTask() + "." + one.getAttempt(), it.getCluster()));
      } else if (fact instanceof AttemptEnded it && it.getCampaign() == id) {
        ends.put(it.getTask(), it);
        last.put(it.getTask(), sent.get(it.getTask() + "." + it.getAttempt()));
      }
    }
    for (ShownTask task : new TaskPage(trial.table).of(id, 0, campaign.getTasks())) {
      boolean done = task.getStatus() == TaskStatus.DONE;
      if (done || task.getStatus() == TaskStatus.EVENT || task.getStatus() == TaskStatus.FAILED) {
        assertEquals(last.get(task.getTask()), task.getCluster(), "where task " + task.getTask());
        AttemptEnded end = ends.get(task.getTask());
        assertEquals(end.getAttempt(), task.getAttempt());
        assertEquals(end.getJobId(), task.getJobId());
        assertEquals(end.getRunMs(), task.getRunMs());
      }
    }
  }

  static void openEventsStopClusters(CampaignTrial trial) {
    Set<Long> stopping = new HashSet<>();
    trial.table.scan(
        CampaignKeys.STOPS,
        it -> {
          ClusterStop stop = (ClusterStop) it;
          stopping.addAll(List.of(stop.getCause(), stop.getBlacklist()));
        });
    Set<Long> open = new HashSet<>();
    trial.events(0).stream().filter(it -> it.getClosedMs() < 0).forEach(it -> open.add(it.getId()));
    assertEquals(stopping, open, "open events of no campaign are those that stop a cluster");
  }
}
