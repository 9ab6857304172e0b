package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.memory.GoingTotals;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All campaigns together have a bounded number of ranges and events. */
final class GoingTotalsTest {

  private static final TaskRange RANGE = new TaskRange(0, 0, TaskStatus.DONE);

  private final CampaignTrial trial = new CampaignTrial();

  private static Campaign campaign(long id, String owner, int ranges, int events) {
    Campaign campaign = new Campaign();
    campaign.setId(id);
    campaign.setOwner(owner);
    campaign.setRanges(Collections.nCopies(ranges, RANGE));
    campaign.setOpenEvents(events);
    return campaign;
  }

  @Test
  void anOwnerHasHalfOfWhatAllHave() {
    GoingTotals totals = new GoingTotals();
    int most = GoingTotals.RANGES_MAX - 1;
    totals.count(campaign(1, "ada", most, 0));
    assertFalse(totals.tooManyRanges(campaign(1, "ada", most, 0)));
    assertTrue(totals.tooManyRanges(campaign(1, "ada", most + 1, 0)), "that is its own bound");
    totals.count(campaign(2, "ada", most, 0));
    totals.count(campaign(3, "ada", 2, 0));
    assertTrue(totals.tooManyRanges(campaign(1, "ada", most, 0)), "she has half of all");
    assertFalse(totals.tooManyRanges(campaign(4, "ada", GoingTotals.OWN_RANGES - 1, 0)));
    assertFalse(totals.tooManyRanges(campaign(4, "bob", most, 0)));
    totals.count(campaign(4, "bob", most, 0));
    totals.count(campaign(5, "eve", most, 0));
    assertFalse(totals.tooManyRanges(campaign(6, "max", most, 0)));
    totals.count(campaign(6, "max", 2, 0));
    assertTrue(totals.tooManyRanges(campaign(6, "max", GoingTotals.OWN_RANGES, 0)), "all have all");
    totals.forget(campaign(5, "eve", most, 0));
    assertFalse(totals.tooManyRanges(campaign(6, "max", most, 0)));
    totals.count(campaign(2, "ada", 1, 0));
    assertFalse(totals.tooManyRanges(campaign(1, "ada", most, 0)), "it was counted anew");
  }

  private void hasEvents(long id, int open) {
    Campaign campaign = (Campaign) trial.table.get(CampaignKeys.campaign(id));
    campaign.setOpenEvents(open);
    trial.table.put(CampaignKeys.campaign(id), campaign);
  }

  @Test
  void whereAnOwnerHasVeryManyEventsNothingMoreIsSentOfThoseWithSome() {
    trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.submit(2, CampaignTrial.cluster("c2", 0));
    hasEvents(1, GoingTotals.ALL_EVENTS_MAX / 2 - GoingTotals.OWN_EVENTS);
    hasEvents(2, GoingTotals.OWN_EVENTS);
    trial.restart();
    trial.seen("c1", 2, 2);
    trial.seen("c2", 2, 2);
    assertEquals(List.of("3.0.1", "3.1.1"), List.copyOf(trial.jobs.keySet()));
    String why = String.join("\n", new TaskWhy(trial.table).lines(2, 0, trial.nowMs));
    assertTrue(why.contains("10 events are open, with those of other campaigns; nothing"), why);
  }

  @Test
  void whereVeryManyClosedEventsAreRememberedFewOfEachCampaignAre() {
    trial.seen("c1", 100, 100);
    long id = trial.submit(30, CampaignTrial.cluster("c1", 0));
    for (int i = 0; i < 30; i++) {
      trial.tell(trial.any(), JobChange.FINISHED, i % 3 == 0 ? 0 : 1);
    }
    CampaignEvent event = trial.events(id).get(0);
    event.setCampaign(7L);
    event.setClosedMs(1L);
    for (int i = 0; i < EventAppliers.ALL_CLOSED_MAX - 15; i++) {
      event.setId(1_000L + i);
      trial.table.put(CampaignKeys.event(7, event.getId()), event);
    }
    trial.restart();
    List<CampaignEvent> open = new ArrayList<>(trial.events(id));
    open.subList(0, 15).forEach(it -> trial.fix(0, it.getId(), "ada", Role.USER, false));
    assertEquals(open.size(), trial.events(id).size(), "there is room");
    trial.fix(0, open.get(15).getId(), "ada", Role.USER, false);
    assertEquals(open.size() - 16 + EventAppliers.FEW_CLOSED, trial.events(id).size());
    assertEquals(open.get(6).getId(), trial.events(id).get(0).getId(), "the last ones");
    open.subList(16, 19).forEach(it -> trial.fix(0, it.getId(), "ada", Role.USER, false));
    assertEquals(open.get(6).getId(), trial.events(id).get(0).getId(), "there is room again");
  }
}
