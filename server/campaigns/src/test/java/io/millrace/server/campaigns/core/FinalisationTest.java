package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas at the end of a campaign: 40 tasks of 10 s, of which the last one takes long on c1. */
final class FinalisationTest {

  private static final int TASKS = 40;
  private static final int LAST = TASKS - 1;
  private static final String FIRST = "1." + LAST + ".1";
  private static final String REPLICA = "1." + LAST + ".2";

  /** How often all tasks that are not over were read. */
  private int readings;

  private final CampaignTrial trial =
      new CampaignTrial(
          new MemoryTable() {
            @Override
            public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
              readings += prefix.equals(CampaignKeys.open(1)) ? 1 : 0;
              super.scan(prefix, from, each);
            }
          });

  @BeforeEach
  void allButOneAreDone() {
    begin(CampaignTrial.finalizing("c1"), CampaignTrial.finalizing("c2"));
  }

  private void begin(CampaignCluster... clusters) {
    trial.runMs = 10_000;
    trial.submit(TASKS, clusters);
    for (int i = 0; i < TASKS; i++) {
      trial.seen("c1", 2, 0);
      String tag = trial.any();
      trial.tell(tag, JobChange.QUEUED, 0);
      trial.tell(tag, JobChange.STARTED, 0);
      if (i < LAST) {
        trial.tell(tag, JobChange.FINISHED, 0);
      }
    }
    assertEquals(List.of(FIRST), List.copyOf(trial.jobs.keySet()));
  }

  private Campaign campaign() {
    return (Campaign) trial.table.get(CampaignKeys.campaign(1));
  }

  private CampaignCluster cluster(int number) {
    return campaign().getClusters().get(number - 1);
  }

  private List<OpenTask> seconds() {
    List<OpenTask> seconds = new ArrayList<>();
    trial.table.scan(CampaignKeys.seconds(1), it -> seconds.add((OpenTask) it));
    return seconds;
  }

  private void replicate() {
    trial.nowMs += 11_000;
    trial.seen("c2", 2, 2);
    assertEquals(List.of(FIRST, REPLICA), List.copyOf(trial.jobs.keySet()));
  }

  private void run(String tag) {
    trial.tell(tag, JobChange.QUEUED, 0);
    trial.tell(tag, JobChange.STARTED, 0);
  }

  private String why() {
    return new TaskWhy(trial.table).lines(1, LAST, trial.nowMs).get(4).strip();
  }

  @Test
  void whatRunsLongerThanOthersGetsOneReplicaOnAnotherCluster() {
    trial.seen("c2", 2, 2);
    assertEquals(1, trial.jobs.size(), "it runs no longer than others yet");
    trial.nowMs += 11_000;
    trial.seen("c1", 2, 1);
    trial.seen("c2", 2, 0);
    assertEquals(1, trial.jobs.size(), "nothing is idle elsewhere");
    replicate();
    assertEquals("c2", trial.jobs.get(REPLICA).getQueue());
    assertEquals(trial.jobs.get(FIRST).getArgv(), trial.jobs.get(REPLICA).getArgv());
    run(REPLICA);
    trial.nowMs += 11_000;
    trial.seen("c2", 2, 1);
    trial.seen("c1", 2, 1);
    assertEquals(2, trial.jobs.size(), "there is no second one");
    assertEquals(
        "Why: its job runs at c1 as "
            + trial.job(FIRST)
            + ", attempt 1; its replica runs at c2 as "
            + trial.job(REPLICA)
            + ", attempt 2",
        why());
    ShownTask shown = new TaskPage(trial.table).of(1, LAST, 1).get(0);
    assertEquals(1, shown.getAttempt());
    assertEquals(2, shown.getReplica().getAttempt());
    assertEquals(1, cluster(1).getRunning());
    assertEquals(1, cluster(2).getRunning());
  }

  @Test
  void aReplicaThatIsFirstIsCountedOnce() {
    replicate();
    run(REPLICA);
    trial.tell(REPLICA, JobChange.FINISHED, 0);
    assertEquals(TASKS, campaign().getDone());
    assertTrue(campaign().getEndedMs() > 0, "nobody waits for the other");
    assertEquals(List.of(trial.job(FIRST)), trial.deleted);
    assertEquals(1, cluster(2).getReplicasDone());
    trial.restart();
    trial.tell(FIRST, JobChange.KILLED, 0);
    trial.tell(FIRST, JobChange.FINISHED, 0);
    trial.tell(FIRST, JobChange.FINISHED, 0);
    assertEquals(TASKS, campaign().getDone());
    assertEquals(0, cluster(1).getRunning());
    assertEquals(List.of(), seconds());
    assertEquals(10_000, cluster(2).getReplicasMs());
    assertEquals(0, cluster(1).getReplicasMs());
  }

  @Test
  void aReplicaThatIsLastIsEnded() {
    replicate();
    trial.tell(FIRST, JobChange.FINISHED, 0);
    assertEquals(TASKS, campaign().getDone());
    assertEquals(List.of(), trial.deleted, "nobody knows its job yet");
    trial.tell(REPLICA, JobChange.QUEUED, 0);
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted);
    trial.tell(REPLICA, JobChange.DELETED, 0);
    assertEquals(TASKS, campaign().getDone());
    assertEquals(0, cluster(2).getWaiting());
    assertEquals(List.of(), seconds());
  }

  @Test
  void aReplicaGoesOnWhereTheFirstFailsOrIsKilled() {
    replicate();
    run(REPLICA);
    trial.tell(FIRST, JobChange.FINISHED, 3);
    assertEquals(List.of(), trial.open(1), "it may be done yet");
    assertEquals("Why: its job runs at c2 as " + trial.job(REPLICA) + ", attempt 2", why());
    trial.tell(REPLICA, JobChange.FINISHED, 4);
    assertEquals(List.of("EXIT_ERROR"), trial.open(1));
    trial.fix(1, 0, "ada", Role.USER, true);
    assertEquals(List.of("1.39.3"), List.copyOf(trial.jobs.keySet()));
  }

  @Test
  void oneThatFailsIsNotFollowedByAnother() {
    replicate();
    run(REPLICA);
    trial.tell(REPLICA, JobChange.FINISHED, 4);
    assertEquals(List.of(), trial.open(1));
    trial.nowMs += 11_000;
    trial.seen("c2", 2, 2);
    assertEquals(List.of(FIRST), List.copyOf(trial.jobs.keySet()));
    trial.tell(FIRST, JobChange.FINISHED, 3);
    trial.fix(1, 0, "ada", Role.USER, true);
    assertEquals(List.of("1.39.3"), List.copyOf(trial.jobs.keySet()), "no number comes twice");
  }

  @Test
  void oneThatWaitsWhereNothingIsIdleIsEndedAndMayComeAgain() {
    replicate();
    trial.tell(REPLICA, JobChange.QUEUED, 0);
    trial.seen("c2", 2, 0);
    assertEquals(List.of(), trial.deleted, "it may have begun meanwhile");
    trial.nowMs += 2_000;
    trial.seen("c2", 2, 0);
    trial.seen("c2", 2, 0);
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted);
    assertTrue(why().contains("; a replica that is being ended waits at c2"), why());
    trial.tell(REPLICA, JobChange.DELETED, 0);
    trial.seen("c2", 2, 1);
    assertEquals(List.of(FIRST, "1.39.3"), List.copyOf(trial.jobs.keySet()));
  }

  @Test
  void oneThatWaitsForLongIsEndedWhereProcessorsLookIdleToo() {
    replicate();
    trial.tell(REPLICA, JobChange.QUEUED, 0);
    trial.nowMs += 29_000;
    trial.seen("c2", 2, 2);
    assertEquals(List.of(), trial.deleted);
    trial.nowMs += 1_000;
    trial.seen("c1", 2, 0);
    assertEquals(List.of(), trial.deleted, "it is at the other one");
    trial.seen("c2", 2, 2);
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted);
  }

  @Test
  void oneThatWasToldToEndAndEndsWellIsNotCounted() {
    replicate();
    run(REPLICA);
    trial.nowMs += 36_000;
    trial.seen("c1", 2, 0);
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted);
    trial.tell(REPLICA, JobChange.KILLED, 0);
    trial.tell(REPLICA, JobChange.FINISHED, 0);
    assertEquals(LAST, campaign().getDone());
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted, "the first goes on");
    assertEquals(List.of(FIRST), List.copyOf(trial.jobs.keySet()));
  }

  @Test
  void oneThatWaitsAgainCostsNothingMeanwhile() {
    replicate();
    run(REPLICA);
    trial.nowMs += 20_000;
    trial.tell(REPLICA, JobChange.QUEUED, 0);
    trial.nowMs += 20_000;
    trial.seen("c1", 2, 0);
    assertEquals(List.of(), trial.deleted);
  }

  @Test
  void tasksAreReadOnlyWhenAReplicaIsAffordable() {
    replicate();
    run(REPLICA);
    readings = 0;
    trial.seen("c2", 2, 1);
    assertEquals(1, readings);
    trial.nowMs += 30_000;
    trial.seen("c2", 2, 1);
    assertEquals(1, readings, "35 s of 39 s are taken");
    assertEquals(List.of(), trial.deleted);
  }

  @Test
  void oneThatTakesMoreThanATenthOfTheWorkIsEnded() {
    replicate();
    run(REPLICA);
    trial.nowMs += 33_000;
    trial.seen("c2", 2, 1);
    assertEquals(List.of(), trial.deleted);
    trial.nowMs += 3_000;
    trial.seen("c1", 2, 0);
    assertEquals(List.of(trial.job(REPLICA)), trial.deleted, "39 s of 390 s before the next look");
    trial.tell(REPLICA, JobChange.KILLED, 0);
    trial.tell(REPLICA, JobChange.FINISHED, 271);
    trial.nowMs += 60_000;
    trial.seen("c2", 2, 2);
    assertEquals(List.of(FIRST), List.copyOf(trial.jobs.keySet()), "there is no other one");
    trial.tell(FIRST, JobChange.FINISHED, 0);
    assertEquals(TASKS, campaign().getDone());
  }

  @Test
  void aDeletedCampaignTakesItsReplicasAlong() {
    replicate();
    run(REPLICA);
    trial.delete(1, "ada");
    assertEquals(List.of(trial.job(FIRST), trial.job(REPLICA)), trial.deleted);
    trial.tell(REPLICA, JobChange.FINISHED, 271);
    trial.tell(FIRST, JobChange.FINISHED, 271);
    assertEquals(TaskStatus.CANCELLED, campaign().getRanges().get(1).getStatus());
    assertTrue(campaign().getEndedMs() > 0);
  }

  @Test
  void aRefusedReplicaLeavesItsTaskAlone() {
    replicate();
    trial.refuse(REPLICA);
    assertEquals(List.of(), seconds());
    assertEquals(TaskStatus.RUNNING, campaign().getRanges().get(1).getStatus());
    assertEquals(List.of("SUBMIT_ERROR"), trial.open(1));
    trial.nowMs += 2_000;
    trial.seen("c2", 2, 1);
    assertEquals(List.of(FIRST, "1.39.3"), List.copyOf(trial.jobs.keySet()));
  }

  @Test
  void whoDoesNotWantItHasNoReplicas() {
    CampaignTrial other = new CampaignTrial();
    other.runMs = 10_000;
    other.submit(1, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    other.seen("c1", 1, 1);
    other.tell(other.any(), JobChange.STARTED, 0);
    other.nowMs += 1_000_000;
    other.seen("c2", 2, 2);
    assertEquals(1, other.jobs.size());
  }

  @Test
  void tasksOfOthersComeFirst() {
    trial.nowMs += 11_000;
    trial.alter(1, "ada", Role.USER, null, true);
    trial.seen("c2", 2, 2);
    assertEquals(1, trial.jobs.size(), "it pauses");
    trial.submit(50, CampaignTrial.cluster("c2", 0));
    trial.alter(1, "ada", Role.USER, null, false);
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      run(tag);
    }
    trial.seen("c2", 5, 2);
    assertTrue(trial.jobs.keySet().stream().noneMatch(REPLICA::equals), "others wait for it");
  }

  @Test
  void whatEndsWellAfterItsDeletionIsNotDone() {
    replicate();
    run(REPLICA);
    int done = campaign().getDone();
    assertEquals(0, trial.deleteTask(1, LAST).getCode());
    trial.tell(REPLICA, JobChange.KILLED, 0);
    trial.tell(REPLICA, JobChange.FINISHED, 0);
    trial.tell(FIRST, JobChange.KILLED, 0);
    trial.tell(FIRST, JobChange.FINISHED, 0);
    assertEquals(done, campaign().getDone());
    assertEquals(TaskStatus.CANCELLED, TaskRanges.status(campaign().getRanges(), LAST));
  }

  @Test
  void whoGaveWayToOthersWasNotKilled() {
    replicate();
    run(REPLICA);
    trial.tell(FIRST, JobChange.PREEMPTED, 0);
    trial.tell(FIRST, JobChange.FINISHED, 271);
    OpenTask task = (OpenTask) trial.table.get(CampaignKeys.open(1, LAST));
    assertEquals(2, task.getAttempt(), "the replica is in its place");
    assertEquals(0, task.getKillings());
  }

  /** One that is being ended may succeed all the same, when the first attempt waits again. */
  @Test
  void aDroppedReplicaThatSucceedsLeavesNothingInTheBag() {
    replicate();
    run(REPLICA);
    trial.alter(1, "ada", Role.USER, null, true);
    OpenTask replica = seconds().get(0);
    replica.setDropped(true);
    trial.table.put(CampaignKeys.second(1, LAST), replica);
    trial.tell(FIRST, JobChange.DELETED, 0);
    assertEquals(1, campaign().getTried());
    trial.tell(REPLICA, JobChange.FINISHED, 0);
    assertEquals(TASKS, campaign().getDone());
    assertEquals(0, campaign().getTried());
  }
}
