package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Predictors chosen by name, and what they take back. */
final class PredictedRoomTest {

  private static final int INTERVAL_MS = 30_000;

  private final CampaignTrial trial = new CampaignTrial();

  private static CampaignCluster paced(String predictor) {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 0);
    cluster.setPredictor(predictor);
    return cluster;
  }

  private CampaignCluster there() {
    return ((Campaign) trial.table.get(CampaignKeys.campaign(1))).getClusters().get(0);
  }

  private void tellAll(JobChange change) {
    List.copyOf(trial.jobs.keySet()).forEach(tag -> trial.tell(tag, change, 0));
  }

  private String why() {
    List<String> lines = new TaskWhy(trial.table).lines(1, 99, trial.nowMs);
    return lines.get(lines.size() - 1).strip();
  }

  /** The time of the next question has come, and the cluster is looked at. */
  private void next(int idle) {
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, idle);
  }

  @Test
  void theTapSendsItsRateAndIsClosedWhileAnythingWaits() {
    trial.submit(100, paced("tap"));
    trial.seen("c1", 10, 10);
    assertEquals(3, trial.jobs.size());
    tellAll(JobChange.QUEUED);
    trial.seen("c1", 10, 9);
    assertEquals(3, trial.jobs.size(), "it is not asked yet");
    next(10);
    assertEquals(3, trial.jobs.size());
    assertEquals("c1: tap closed: 3 tasks wait there; it is asked again in 30 s", why());
    assertEquals(3, there().getLevel());
    tellAll(JobChange.STARTED);
    trial.restart();
    next(7);
    assertEquals(6, trial.jobs.size(), "the rate was lowered when it was closed");
    assertEquals("tap, rate 4.5", PredictorWords.of(there()));
    assertEquals(List.of(), trial.deleted, "it takes nothing back");
  }

  @Test
  void slowStartDoublesAndTakesBackWhatWaitsInExcess() {
    trial.submit(100, paced("slow-start"));
    trial.seen("c1", 10, 2);
    assertEquals(4, trial.jobs.size());
    tellAll(JobChange.QUEUED);
    assertEquals(
        "c1: predictor slow-start, ratio 2.00 allows no more now; it is asked again in 30 s",
        why());
    next(1);
    assertEquals(
        List.of(trial.job("1.3.1"), trial.job("1.2.1")),
        trial.deleted,
        "those that were sent last");
    assertEquals(5, trial.jobs.size(), "and one is sent");
    assertEquals(0.1, there().getLevel());
    trial.tell("1.3.1", JobChange.DELETED, 0);
    trial.tell("1.2.1", JobChange.STARTED, 0);
    assertEquals(0, there().getLeaving(), "one has begun, and stays");
    assertEquals(1, there().getTakenBack());
    assertEquals("slow-start, ratio 0.10, 1 taken back", PredictorWords.of(there()));
  }

  @Test
  void twoWayKnowsWhatRunsOfThoseSentLast() {
    trial.submit(100, paced("two-way"));
    trial.seen("c1", 10, 1);
    assertEquals(4, trial.jobs.size(), "none of the last runs: four for each idle processor");
    tellAll(JobChange.STARTED);
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    trial.tell("1.1.1", JobChange.FINISHED, 0);
    next(2);
    assertEquals(2, there().getLevel(), "four were sent, two of them run");
    assertEquals(2 + 4, trial.jobs.size());
  }

  @Test
  void whatWaitsMakesWayForATest() {
    trial.submit(100, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 2, 2);
    tellAll(JobChange.QUEUED);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.1.1", JobChange.STARTED, 0);
    trial.test(CampaignTrial.cluster("c1", 0));
    assertEquals(List.of(trial.job("1.2.1")), trial.deleted, "the one that waits");
    assertEquals(List.of("1.0.1", "1.1.1", "1.2.1", "2.0.1"), List.copyOf(trial.jobs.keySet()));
    trial.tell("1.2.1", JobChange.DELETED, 0);
    trial.tell("2.0.1", JobChange.QUEUED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    assertEquals(1, trial.deleted.size(), "what comes behind it is left there");
    trial.tell("2.0.1", JobChange.STARTED, 0);
    assertTrue(trial.jobs.containsKey("1.2.2"), "and it comes again: " + trial.jobs.keySet());
  }

  /** As when a queue is stopped, or its last node is away; what has begun there runs on. */
  @Test
  void whatWaitsWhereNothingBeginsGoesToAClusterThatIsOpen() {
    trial.submit(100, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 2));
    trial.seen("c1", 10, 3);
    assertEquals(4, trial.jobs.size());
    tellAll(JobChange.QUEUED);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.nowMs += 2_000;
    trial.seen("c1", 10, 3, "QUEUE_DISABLED");
    trial.seen("c1", 0, 0, "QUEUE_STOPPED");
    assertEquals(3, trial.deleted.size(), "those that wait");
    trial.seen("c1", 0, 0, "QUEUE_STOPPED");
    assertEquals(3, trial.deleted.size(), "once");
    assertFalse(trial.deleted.contains(trial.job("1.0.1")));
  }

  @Test
  void whatWaitsWhereNothingBeginsStaysWhereNothingElseIsOpen() {
    trial.submit(100, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 2));
    trial.seen("c1", 10, 3);
    tellAll(JobChange.QUEUED);
    trial.nowMs += 2_000;
    trial.seen("c2", 10, 0, "NO_NODE");
    trial.seen("c1", 0, 0, "NO_NODE");
    assertEquals(List.of(), trial.deleted);
    trial.seen("c2", 10, 1);
    trial.seen("c1", 0, 0, "NO_NODE");
    assertEquals(4, trial.deleted.size());
  }

  @Test
  void steadyTakesBackWhatWaitsWhenLocalJobsCome() {
    trial.submit(100, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 10, 8);
    assertEquals(9, trial.jobs.size());
    tellAll(JobChange.QUEUED);
    trial.seen("c1", 10, 0);
    assertEquals(List.of(), trial.deleted, "they may have begun meanwhile");
    trial.nowMs += 2_000;
    CampaignOutcome outcome = trial.look("c1", 10, 0);
    assertEquals(8, outcome.orders().size());
    assertTrue(
        outcome.orders().stream().allMatch(it -> ((DeleteJob) it.command()).getWaitingOnly()));
    trial.seen("c1", 10, 0);
    assertEquals(8, trial.deleted.size(), "once");
    for (int i = 0; i < 8; i++) {
      trial.tell("1." + (i + 1) + ".1", JobChange.DELETED, 0);
    }
    assertEquals(1, trial.jobs.size(), "nothing is sent in their place");
    trial.nowMs += 2_000;
    trial.seen("c1", 10, 1);
    assertEquals(2, trial.jobs.size());
    assertTrue(trial.jobs.containsKey("1.1.2"), "it comes again");
  }

  @Test
  void anUnknownPredictorIsRefused() {
    CampaignOutcome outcome = trial.submit(List.of("one"), paced("steadily"));
    assertEquals(
        List.of("there is no predictor steadily"), outcome.answer().orElseThrow().getLines());
  }
}
