package io.millrace.schedulers.campaigns.strategies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.campaigns.strategies.Finalize.CampaignWork;
import io.millrace.schedulers.campaigns.strategies.Finalize.ReplicaCandidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class FinalizeTest {

  private static final long MEAN_MS = 60_000;
  private static final double MUCH = 1e9;

  private static final List<ReplicaCandidate> RUNNING =
      List.of(
          new ReplicaCandidate(7, 70_000),
          new ReplicaCandidate(3, 60_000),
          new ReplicaCandidate(9, 500_000),
          new ReplicaCandidate(4, 70_000));

  @Test
  void theOldestFirstAndNoneThatRunsAsLongAsOthers() {
    CampaignWork work = new CampaignWork(MUCH, 0);
    assertEquals(List.of(9, 4, 7), Finalize.chosen(RUNNING, 10, MEAN_MS, 1, work));
    assertEquals(List.of(9), Finalize.chosen(RUNNING, 1, MEAN_MS, 1, work));
    assertEquals(List.of(), Finalize.chosen(RUNNING, 0, MEAN_MS, 1, work));
  }

  @Test
  void noMoreThanATenthOfTheWork() {
    assertEquals(
        2, Finalize.chosen(RUNNING, 10, MEAN_MS, 1, new CampaignWork(1_200_000, 0)).size());
    assertEquals(
        1, Finalize.chosen(RUNNING, 10, MEAN_MS, 1, new CampaignWork(1_200_000, 60_000)).size());
    assertEquals(
        1, Finalize.chosen(RUNNING, 10, MEAN_MS, 2, new CampaignWork(1_200_000, 0)).size());
    assertEquals(
        0, Finalize.chosen(RUNNING, 10, MEAN_MS, 1, new CampaignWork(1_200_000, 90_000)).size());
    assertEquals(0, Finalize.chosen(RUNNING, 10, MEAN_MS, 1, new CampaignWork(0, 0)).size());
    assertEquals(20, Finalize.affordable(MEAN_MS, 1, new CampaignWork(12_000_000, 0)));
    assertEquals(0, Finalize.affordable(MEAN_MS, 1, new CampaignWork(0, 60_000)));
  }

  @Test
  void aReplicaIsTakenForWhatItTakesUntilTheNextLook() {
    assertEquals(MEAN_MS, Finalize.expectedMs(1_000, MEAN_MS));
    assertEquals(75_000, Finalize.expectedMs(70_000, MEAN_MS));
    assertFalse(Finalize.tooMuch(new CampaignWork(100, 10)));
    assertTrue(Finalize.tooMuch(new CampaignWork(100, 10.1)));
  }
}
