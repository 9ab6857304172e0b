package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.pace.CampaignPace;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import org.junit.jupiter.api.Test;

/** How fast a campaign goes, and when it will be over. */
final class CampaignPaceTest {

  private static final long HOUR_MS = 3_600_000;

  private final CampaignTrial trial = new CampaignTrial();

  private CampaignPace pace() {
    Campaign campaign = (Campaign) trial.table.get(CampaignKeys.campaign(1));
    return CampaignPace.of(campaign, trial.nowMs);
  }

  private void ends(int many, int exitStatus) {
    for (int i = 0; i < many; i++) {
      trial.tell(trial.any(), JobChange.FINISHED, exitStatus);
    }
  }

  @Test
  void whatIsOverIsNotToCome() {
    trial.submit(4, CampaignTrial.cluster("c1", 4));
    trial.seen("c1", 4, 4);
    assertEquals(0, pace().meanS());
    assertTrue(pace().leftS() > 1e9, "nobody knows");
    trial.runMs = 10_000;
    ends(1, 0);
    trial.runMs = 20_000;
    ends(1, 0);
    trial.nowMs += 100_000;
    assertEquals(15, pace().meanS());
    assertEquals(5, pace().spreadS(), 1e-9);
    assertEquals(100, pace().leftS(), 1, "two in a hundred seconds, two are left");
    assertEquals(100 / Math.sqrt(2), pace().leftErrorS(), 1);
    assertEquals(1, pace().processors());
    ends(2, 1);
    assertEquals(0.5, pace().failures());
    assertEquals(0, pace().leftS(), "a task that failed does not come");
    trial.fix(1, 0, "ada", Role.USER, false);
    trial.nowMs += 100 * HOUR_MS;
    assertEquals(0, pace().leftS(), "it has ended");
    assertTrue(pace().perS() > 0.001, "as it was at its end: " + pace().perS());
  }

  @Test
  void theLastHourCounts() {
    trial.submit(100, CampaignTrial.cluster("c1", 10));
    trial.seen("c1", 10, 10);
    ends(10, 0);
    double early = pace().perS();
    trial.nowMs += HOUR_MS / 2;
    assertEquals(10 / (HOUR_MS / 2_000.0), pace().perS(), 0.001);
    assertTrue(pace().perS() < early);
    trial.nowMs += HOUR_MS;
    assertTrue(pace().perS() < 1e-9, "none in the last hour: " + pace().perS());
    trial.seen("c1", 10, 10);
    ends(10, 0);
    assertTrue(pace().perS() > 0.002, "" + pace().perS());
  }

  @Test
  void furtherAttemptsAreAShareOfAll() {
    trial.submit(4, CampaignTrial.cluster("c1", 4));
    trial.seen("c1", 4, 4);
    assertEquals(0, pace().again());
    ends(1, 66);
    assertEquals(5, ((Campaign) trial.table.get(CampaignKeys.campaign(1))).getAttempts());
    assertEquals(0.2, pace().again(), 1e-9);
    ends(1, 67);
    assertEquals(2 / 6.0, pace().again(), 1e-9, "none was left: it was sent again");
  }

  /** Tasks that never began are none that were tried once. */
  @Test
  void soAreThoseOfADeletedCampaign() {
    trial.submit(100, CampaignTrial.cluster("c1", 4));
    trial.seen("c1", 4, 4);
    ends(1, 66);
    assertEquals(0.2, pace().again(), 1e-9);
    trial.delete(1, "ada");
    assertEquals(0.2, pace().again(), 1e-9);
  }
}
