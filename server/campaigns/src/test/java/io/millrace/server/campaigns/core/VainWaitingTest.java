package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits where it does not begin keeps nobody, and is no end of its campaign. */
final class VainWaitingTest {

  private static final int INTERVAL_MS = 30_000;

  private final CampaignTrial trial = new CampaignTrial();

  private Campaign campaign(long id) {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  private static CampaignCluster tap() {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 0);
    cluster.setPredictor("tap");
    return cluster;
  }

  private void tellAll(JobChange change) {
    List.copyOf(trial.jobs.keySet()).forEach(tag -> trial.tell(tag, change, 0));
  }

  private String why(long campaign, int task) {
    List<String> lines = new TaskWhy(trial.table).lines(campaign, task, trial.nowMs);
    return lines.get(lines.size() - 1).strip();
  }

  @Test
  void theLastTaskOfAFullClusterGoesWhereThereIsRoom() {
    trial.submit(3, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    trial.seen("c1", 4, 0);
    trial.seen("c2", 10, 10);
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    for (String tag : List.of("1.1.1", "1.2.1")) {
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.FINISHED, 0);
    }
    trial.seen("c2", 10, 10);
    trial.seen("c1", 4, 0);
    assertEquals(List.of(), trial.deleted, "it may begin at once");
    trial.nowMs += VainWaiting.ELSEWHERE_MS;
    trial.seen("c1", 4, 0);
    assertEquals(List.of("job-1.0.1"), trial.deleted);
    trial.tell("1.0.1", JobChange.DELETED, 0);
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()));
    trial.tell("1.0.2", JobChange.QUEUED, 0);
    trial.tell("1.0.2", JobChange.STARTED, 0);
    assertEquals(1, campaign(1).getClusters().get(1).getRunning());
    trial.tell("1.0.2", JobChange.FINISHED, 0);
    assertTrue(campaign(1).getEndedMs() > 0);
  }

  @Test
  void whatDoesNotBeginWhereThereIsRoomIsTakenBackAndItsOwnerTold() {
    trial.submit(5, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 4, 4);
    int round = 0;
    while (round < VainWaiting.ROUNDS) {
      round++;
      assertEquals(5, trial.jobs.size(), "round " + round);
      assertEquals(List.of(), trial.open(1));
      tellAll(JobChange.QUEUED);
      trial.nowMs += VainWaiting.UNFIT_MS;
      trial.seen("c1", 4, 4);
      assertEquals(5 * round, trial.deleted.size());
      tellAll(JobChange.DELETED);
      assertEquals(0, trial.jobs.size(), "it is left alone");
      assertTrue(why(1, 0).contains("since tasks did not begin there, one for 60 s, with 4 of 4"));
      trial.nowMs += 10_000L << (round - 1);
      trial.restart();
      trial.seen("c1", 4, 4);
    }
    assertEquals(List.of("NOT_BEGUN"), trial.open(1));
    assertEquals(5, trial.jobs.size(), "it is tried again");
    trial.tell(trial.any(), JobChange.STARTED, 0);
    assertEquals(List.of(), trial.open(1));
    assertEquals(0, campaign(1).getClusters().get(0).getUnbegun());
  }

  @Test
  void aJobThatSomebodyHoldsIsInNobodysWay() {
    trial.submit(1, tap());
    trial.seen("c1", 10, 10);
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    trial.user = "bob";
    trial.submit(9, tap());
    trial.seen("c1", 10, 10);
    assertEquals(1, trial.jobs.size(), "the tap is closed");
    trial.tell("1.0.1", JobChange.HELD, 0);
    assertTrue(why(1, 0).contains("its job is held at c1 as job-1.0.1"), why(1, 0));
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, 10);
    assertTrue(trial.jobs.containsKey("2.0.1"), trial.jobs.keySet().toString());
    trial.nowMs += 2 * VainWaiting.LONG_MS;
    trial.seen("c1", 10, 0);
    assertFalse(trial.deleted.contains("job-1.0.1"), "it stays");
    trial.tell("1.0.1", JobChange.RELEASED, 0);
    assertEquals(0, campaign(1).getClusters().get(0).getHeld());
    trial.tell("1.0.1", JobChange.HELD, 0);
    trial.tell("1.0.1", JobChange.RELEASED, 0);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    assertEquals(0, campaign(1).getClusters().get(0).getWaiting());
    assertEquals(0, campaign(1).getClusters().get(0).getHeld());
  }

  @Test
  void whoHoldsVeryManyJobsGetsNoMore() {
    trial.submit(2 * TaskPacing.HELD_MAX, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 1_000, 1);
    for (int i = 0; i < 3 * TaskPacing.HELD_MAX && !trial.jobs.isEmpty(); i++) {
      for (String tag : List.copyOf(trial.jobs.keySet())) {
        trial.tell(tag, JobChange.QUEUED, 0);
        trial.tell(tag, JobChange.HELD, 0);
      }
    }
    int held = campaign(1).getClusters().get(0).getHeld();
    assertTrue(held >= TaskPacing.HELD_MAX && held < TaskPacing.HELD_MAX + 5, held + " are held");
    assertTrue(why(1, 2 * TaskPacing.HELD_MAX - 1).contains(held + " of its jobs are held there"));
  }

  @Test
  void whatWaitsForVeryLongMakesWayForOthers() {
    trial.submit(1, tap());
    trial.seen("c1", 10, 0);
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    trial.user = "bob";
    trial.submit(9, tap());
    trial.nowMs += VainWaiting.LONG_MS - INTERVAL_MS;
    trial.seen("c1", 10, 0);
    assertEquals(List.of(), trial.deleted);
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, 0);
    assertEquals(List.of("job-1.0.1"), trial.deleted);
    trial.tell("1.0.1", JobChange.DELETED, 0);
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, 0);
    assertTrue(trial.jobs.containsKey("2.0.1"), trial.jobs.keySet().toString());
  }

  private static CampaignCluster normal(String predictor) {
    CampaignCluster cluster = CampaignTrial.cluster("c1", 0);
    cluster.setPredictor(predictor);
    cluster.setType("normal");
    return cluster;
  }

  /** It keeps its place in the queue, and the taps of others are closed by it no more. */
  @Test
  void anOrdinaryJobThatNeverBeginsStaysAndIsInNobodysWay() {
    trial.submit(3, normal("tap"));
    trial.seen("c1", 10, 10);
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    List.of("1.1.1", "1.2.1").forEach(tag -> trial.tell(tag, JobChange.FINISHED, 0));
    trial.user = "bob";
    trial.submit(9, tap());
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, 10);
    assertEquals(1, trial.jobs.size(), "the tap is closed");
    trial.nowMs += VainWaiting.UNFIT_MS;
    trial.restart();
    trial.seen("c1", 10, 10);
    assertEquals(1, campaign(1).getClusters().get(0).getOverdue());
    trial.nowMs += INTERVAL_MS;
    trial.seen("c1", 10, 10);
    assertTrue(trial.jobs.containsKey("2.0.1"), trial.jobs.keySet().toString());
    assertTrue(trial.jobs.containsKey("1.0.1"), "it stays");
    assertEquals(List.of(), trial.deleted);
    trial.tell("1.0.1", JobChange.HELD, 0);
    assertEquals(0, campaign(1).getClusters().get(0).getOverdue());
    trial.tell("1.0.1", JobChange.RELEASED, 0);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    assertEquals(0, campaign(1).getClusters().get(0).getOverdue());
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    assertEquals(0, campaign(1).getClusters().get(0).getWaiting());
  }

  /** Its own campaign sends no further ones to wait beside it. */
  @Test
  void itsOwnCampaignSendsNoMore() {
    trial.submit(50, normal("steady"));
    trial.seen("c1", 10, 2);
    int there = trial.jobs.size();
    tellAll(JobChange.QUEUED);
    trial.user = "bob";
    trial.submit(9, tap());
    for (int i = 0; i < 5; i++) {
      trial.nowMs += VainWaiting.UNFIT_MS;
      trial.seen("c1", 10, 2);
    }
    assertEquals(there, campaign(1).getClusters().get(0).getWaiting());
    assertEquals(there, campaign(1).getClusters().get(0).getOverdue());
    assertTrue(trial.jobs.containsKey("2.0.1"), trial.jobs.keySet().toString());
  }

  /** Local users may come a hundred times and more. */
  @Test
  void givingWayIsNoKilling() {
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 1, 1);
    for (int i = 1; i <= CampaignDeciders.KILLINGS_MAX + 20; i++) {
      String tag = "1.0." + i;
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.PREEMPTED, 0);
      trial.tell(tag, JobChange.FINISHED, -33);
      assertEquals(List.of(), trial.open(1), tag);
      trial.seen("c1", 1, 1);
    }
    for (int i = 1; i < CampaignDeciders.KILLINGS_MAX; i++) {
      String tag = trial.any();
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.KILLED, 0);
      trial.tell(tag, JobChange.FINISHED, 271);
      assertEquals(List.of(), trial.open(1), tag);
    }
    trial.tell(trial.any(), JobChange.DELETED, 0);
    assertEquals(List.of("KILLED"), trial.open(1), "others' killings count as before");
  }

  private void stress(double stress) {
    ClusterLoad load = new ClusterLoad("c1", 4, 4, false, "", 0L, "", stress, 0L);
    trial.take(new NoteCluster(load, trial.nowMs, "", ""));
  }

  @Test
  void nothingIsSentToAClusterThatIsHardPressed() {
    trial.submit(9, CampaignTrial.cluster("c1", 0));
    stress(0.81);
    assertEquals(0, trial.jobs.size());
    assertEquals("c1: its stress is 0.81, above 0.8, as it says itself", why(1, 0));
    stress(0.8);
    assertEquals(5, trial.jobs.size());
  }

  /** A submission takes a minute until its job is known: the shard's inbox is long. */
  @Test
  void slowDecisionsAreStressAndItFades() {
    trial.submit(9, CampaignTrial.cluster("c1", 5));
    trial.seen("c1", 4, 4);
    assertEquals(5, trial.jobs.size());
    trial.nowMs += 500_000;
    tellAll(JobChange.QUEUED);
    tellAll(JobChange.STARTED);
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    trial.seen("c1", 4, 1);
    assertEquals(4, trial.jobs.size(), "nothing new");
    assertTrue(why(1, 8).contains("above 0.8: a submission takes"), why(1, 8));
    trial.restart();
    for (int i = 0; i < 15; i++) {
      trial.nowMs += 1_000;
      trial.seen("c1", 4, 1);
    }
    assertEquals(5, trial.jobs.size(), why(1, 8));
  }
}
