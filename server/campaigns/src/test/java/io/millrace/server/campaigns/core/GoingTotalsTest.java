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
  void whereVeryManyClosedEventsAreRememberedTheOwnerOfTheMostLosesHisFirst() {
    trial.seen("c1", 100, 100);
    long id = trial.submit(30, CampaignTrial.cluster("c1", 0));
    trial.user = "bob";
    long large = trial.submit(2, CampaignTrial.cluster("c2", 0));
    long small = trial.submit(2, CampaignTrial.cluster("c2", 0));
    for (int i = 0; i < 30; i++) {
      trial.tell(trial.any(), JobChange.FINISHED, i % 3 == 0 ? 0 : 1);
    }
    closed(small, 1_000, 9);
    closed(large, 2_000, EventAppliers.ALL_CLOSED_MAX - 9 - 15);
    trial.restart();
    List<CampaignEvent> open = new ArrayList<>(trial.events(id));
    open.subList(0, 15).forEach(it -> trial.fix(0, it.getId(), "ada", Role.USER, false));
    assertEquals(2_000, trial.events(large).get(0).getId(), "there is room");
    open.subList(15, 18).forEach(it -> trial.fix(0, it.getId(), "ada", Role.USER, false));
    assertEquals(open.size(), trial.events(id).size(), "another one's are all there");
    assertEquals(9, trial.events(small).size());
    assertEquals(2_003, trial.events(large).get(0).getId(), "the first of the most are gone");
  }

  private void closed(long campaign, long first, int many) {
    CampaignEvent event = CampaignEvent.newBuilder(trial.events(1).get(0)).build();
    event.setCampaign(campaign);
    event.setClosedMs(1L);
    for (int i = 0; i < many; i++) {
      event.setId(first + i);
      trial.table.put(CampaignKeys.event(campaign, event.getId()), event);
    }
  }
}
