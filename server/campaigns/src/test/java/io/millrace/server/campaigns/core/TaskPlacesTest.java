package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.memory.GoingTotals;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In how many places the tasks of a campaign may be. */
final class TaskPlacesTest {

  private final CampaignTrial trial = new CampaignTrial();

  private Campaign campaign(long id) {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  /** Its first tasks are over, each in a place of its own. */
  private void over(long id, int first) {
    Campaign campaign = campaign(id);
    List<TaskRange> ranges = new ArrayList<>();
    for (int task = 0; task < first; task++) {
      TaskStatus status = task % 2 == 0 ? TaskStatus.FAILED : TaskStatus.DONE;
      ranges.add(new TaskRange(task, task, status));
    }
    ranges.add(new TaskRange(first, campaign.getTasks() - 1, TaskStatus.WAITING));
    campaign.setRanges(ranges);
    trial.table.put(CampaignKeys.campaign(id), campaign);
    trial.restart();
  }

  /** Every second task wants another attempt at the end. */
  @Test
  void whatIsPutOffIsInABoundedNumberOfPlaces() {
    int most = 0;
    long id = trial.submit(2_140, CampaignTrial.cluster("c1", 10));
    over(id, 1_940);
    trial.seen("c1", 10, 10);
    for (int ends = 0; !trial.jobs.isEmpty() && ends < 1_000; ends++) {
      String tag = trial.any();
      int task = Integer.parseInt(tag.split("\\.")[1]);
      trial.tell(tag, JobChange.FINISHED, tag.endsWith(".1") && task % 2 == 0 ? 67 : 0);
      most = Math.max(most, campaign(id).getRanges().size());
    }
    assertTrue(most >= CampaignDeciders.POSTPONED_RANGES_MAX, "they are put off: " + most);
    assertTrue(most <= CampaignDeciders.POSTPONED_RANGES_MAX + 20, "beside those there: " + most);
    assertEquals(200, campaign(id).getDone());
    assertTrue(campaign(id).getEndedMs() > 0);
  }

  private int tried(long id) {
    int[] tried = {0};
    trial.table.scan(
        CampaignKeys.open(id),
        it -> tried[0] += ((OpenTask) it).getStatus() == TaskStatus.WAITING ? 1 : 0);
    assertEquals(tried[0], campaign(id).getTried());
    return tried[0];
  }

  /** Each task that was tried and waits has a record, which lies in memory. */
  @Test
  void tasksThatWereTriedAreCounted() {
    long id = trial.submit(20, CampaignTrial.cluster("c1", 4));
    trial.seen("c1", 10, 10);
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    trial.tell("1.1.1", JobChange.FINISHED, 67);
    assertEquals(2, tried(id));
    trial.alter(id, "ada", Role.USER, null, true);
    trial.tell("1.2.1", JobChange.STARTED, 0);
    trial.tell("1.2.1", JobChange.KILLED, 0);
    trial.tell("1.2.1", JobChange.FINISHED, 271);
    assertEquals(3, tried(id));
    trial.tell("1.3.1", JobChange.FINISHED, 1);
    trial.fix(id, 0, "ada", Role.USER, true);
    assertEquals(4, tried(id));
    trial.alter(id, "ada", Role.USER, null, false);
    assertEquals(2, tried(id), "two were sent again");
    trial.delete(id, "ada");
    assertEquals(0, tried(id));
  }

  /** Neighbours are in one place, however many there are. */
  @Test
  void aBoundedNumberOfTasksIsPutOff() {
    long id = trial.submit(GoingTotals.TRIED_MAX + 100, CampaignTrial.cluster("c1", 3));
    Campaign campaign = campaign(id);
    campaign.setTried(GoingTotals.TRIED_MAX - 1);
    trial.table.put(CampaignKeys.campaign(id), campaign);
    trial.restart();
    trial.seen("c1", 10, 10);
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    assertEquals(TaskStatus.POSTPONED, TaskRanges.status(campaign(id).getRanges(), 0));
    trial.tell("1.1.1", JobChange.FINISHED, 67);
    assertTrue(trial.jobs.containsKey("1.1.2"), "it is tried again now: " + trial.jobs.keySet());
    assertEquals(GoingTotals.TRIED_MAX, campaign(id).getTried());
  }

  @Test
  void aCampaignThatCanBeSentNoFurtherForItsPlacesEnds() {
    long id = trial.submit(GoingTotals.RANGES_MAX, CampaignTrial.cluster("c1", 1));
    over(id, GoingTotals.RANGES_MAX - 1);
    trial.look();
    String why = new TaskWhy(trial.table).lines(id, GoingTotals.RANGES_MAX - 1, 0).get(5);
    assertEquals(
        "    c1: the campaign's tasks are in too many places; some must be over first", why);
    assertTrue(!campaign(id).getCancelled());
    trial.nowMs += CampaignDesk.EVENTS_MS;
    trial.look();
    assertTrue(campaign(id).getCancelled(), "it would keep its place for ever");
  }

  @Test
  void noneIsDeletedFromABagInTooManyPlaces() {
    int tasks = GoingTotals.RANGES_MAX + 8;
    long id = trial.submit(tasks, CampaignTrial.cluster("c1", 1));
    over(id, GoingTotals.RANGES_MAX - 2);
    assertEquals(0, trial.deleteTask(id, tasks - 1).getCode());
    assertEquals(GoingTotals.RANGES_MAX, campaign(id).getRanges().size());
    Reply reply = trial.deleteTask(id, tasks - 5);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), reply.getCode());
    String why = reply.getLines().get(0);
    assertTrue(why.endsWith("are in too many places; some must be over first"), why);
    assertEquals(GoingTotals.RANGES_MAX, campaign(id).getRanges().size());
  }
}
