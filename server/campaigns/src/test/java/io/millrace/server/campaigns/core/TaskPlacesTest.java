package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
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
}
