package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.place.LastPlaces;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where tasks were that are over. */
final class LastPlacesTest {

  private static final int TASKS = 10_000;

  private final CampaignTrial trial = new CampaignTrial();

  private List<String> clusters(long id) {
    return new TaskPage(trial.table).of(id, 0, 10).stream().map(ShownTask::getCluster).toList();
  }

  private String why(int task) {
    return new TaskWhy(trial.table).lines(1, task, trial.nowMs).get(4).strip();
  }

  @Test
  void aTaskThatIsOverIsWhereItWasLast() {
    trial.numbered = true;
    trial.submit(6, CampaignTrial.cluster("c1", 3), CampaignTrial.cluster("c2", 3));
    trial.seen("c1", 3, 3);
    trial.seen("c2", 3, 3);
    assertEquals(List.of("c1", "c1", "c1", "c2", "c2", "c2"), clusters(1));
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    trial.tell("1.3.1", JobChange.FINISHED, 0);
    trial.tell("1.4.1", JobChange.FINISHED, 1);
    trial.tell("1.1.1", JobChange.STARTED, 0);
    trial.deleteTask(1, 1);
    trial.tell("1.1.1", JobChange.KILLED, 0);
    trial.tell("1.1.1", JobChange.FINISHED, 271);
    trial.alter(1, "ada", Role.USER, null, true);
    trial.tell("1.2.1", JobChange.STARTED, 0);
    trial.tell("1.2.1", JobChange.KILLED, 0);
    trial.tell("1.2.1", JobChange.FINISHED, 271);
    assertEquals(List.of("c1", "c1", "", "c2", "c2", "c2"), clusters(1), "one waits again");
    String ran = ", attempt 1, in 0.1 s";
    assertEquals("Why: it is done, at c1, as 0.vm" + ran, why(0));
    assertEquals("Why: it was deleted, at c1, as 1.vm" + ran, why(1));
    assertEquals("Why: it is done, at c2, as 3.vm" + ran, why(3));
    trial.fix(1, 0, "ada", Role.USER, false);
    assertTrue(
        why(4).startsWith("Why: it has failed, at c2, as 4.vm" + ran + ", and its event"), why(4));
    trial.delete(1, "ada");
    assertEquals("Why: it was deleted with its campaign, at c1, attempt 1", why(2));
    trial.tell("1.5.1", JobChange.FINISHED, 0);
    assertEquals(List.of("c1", "c1", "c1", "c2", "c2", "c2"), clusters(1), "it has ended");
    assertTrue(trial.table.bytes("places/") > 0);
    trial.take(new PurgeCampaign(trial.meta("ada", Role.USER), 1L));
    assertEquals(0, trial.table.bytes("places/"));
  }

  private static Campaign campaign(LastPlaces places, MemoryTable table, int clusters) {
    CampaignTrial some = new CampaignTrial();
    some.submit(TASKS, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    Campaign campaign = (Campaign) some.table.get(CampaignKeys.campaign(1));
    for (int task = 0; task < TASKS; task++) {
      places.put(campaign, task, task % clusters, false);
    }
    return campaign;
  }

  @Test
  void aLongRunTakesNothingAndTheWorstTwoBytesATask() {
    MemoryTable table = new MemoryTable();
    Campaign one = campaign(new LastPlaces(table), table, 1);
    assertEquals(10, one.getPlaceRuns());
    assertEquals(10, table.size());
    assertTrue(table.bytes("places/") < TASKS / 10, table.bytes("places/") + " bytes");
    table.clear();
    Campaign two = campaign(new LastPlaces(table), table, 2);
    assertEquals(TASKS, two.getPlaceRuns());
    assertTrue(table.bytes("places/") < 2.2 * TASKS, table.bytes("places/") + " bytes");
    LastPlaces.PlaceReader reader = new LastPlaces(table).of(two);
    assertEquals("c1", reader.cluster(4_000));
    assertEquals("c2", reader.cluster(TASKS - 1));
  }

  /** Better nothing is told than what is not so. */
  @Test
  void withTooManyRunsWhatWouldBeAFurtherOneIsForgotten() {
    MemoryTable table = new MemoryTable();
    LastPlaces places = new LastPlaces(table);
    Campaign campaign = campaign(places, table, 1);
    places.put(campaign, 5, 1, true);
    assertEquals("", places.of(campaign).cluster(5), "it was at the other one before");
    places.put(campaign, 5, 0, true);
    assertEquals("c1", places.of(campaign).cluster(5), "as its neighbours");
    assertEquals(10, campaign.getPlaceRuns());
    places.forgetAll(campaign);
    assertEquals(0, table.size());
    campaign.setPlaceRuns(0);
    places.put(campaign, 5, 1, true);
    assertEquals("", places.of(campaign).cluster(5));
    assertEquals(0, campaign.getPlaceRuns());
  }
}
