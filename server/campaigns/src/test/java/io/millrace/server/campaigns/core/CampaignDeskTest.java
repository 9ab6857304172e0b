package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CampaignDeskTest {

  private final CampaignTrial trial = new CampaignTrial();

  private Campaign campaign(long id) {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  @Test
  void nothingIsSentToAClusterThatNobodyHasSeen() {
    trial.submit(10, CampaignTrial.cluster("c1", 0));
    assertTrue(trial.jobs.isEmpty());
    trial.seen("c1", 0, 0);
    assertTrue(trial.jobs.isEmpty());
    trial.seen("c1", 4, 4);
    assertEquals(5, trial.jobs.size(), "four run, one waits");
  }

  @Test
  void aClusterIsNamedOnce() {
    CampaignOutcome outcome =
        trial.submit(
            List.of("one"), CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c1", 2));
    assertEquals(
        List.of("a campaign names a cluster once"), outcome.answer().orElseThrow().getLines());
    assertEquals(15014, outcome.answer().orElseThrow().getCode());
    assertTrue(outcome.facts().isEmpty());
  }

  @Test
  void aJobIsItsOwnersAndRunsTheProgramWithTheLine() {
    trial.seen("c1", 1, 0);
    trial.submit(List.of("one -x  2"), CampaignTrial.cluster("c1", 0));
    JobSpec job = trial.jobs.get("1.0.1");
    assertEquals("ada", job.getOwner(), "whoever the description says");
    assertEquals("users", job.getGroup());
    assertEquals("c1", job.getQueue());
    assertEquals(
        List.of("/home/ada/1", "/home/ada/run.sh", "one", "-x", "2"), job.getArgv().subList(3, 8));
    assertTrue(job.getVariables().contains(new Attribute("CIGRI_CAMPAIGN_ID", "1")));
    assertTrue(job.getVariables().contains(new Attribute("CIGRI_JOB_NAME", "one")));
    assertTrue(job.getVariables().contains(new Attribute("MILLRACE_ATTEMPT", "1")));
    assertTrue(job.getVariables().contains(new Attribute("CIGRI_WORKDIR", "/home/ada/1")));
  }

  @Test
  void aTaskThatWaitsHasNoRecord() {
    int before = trial.table.size();
    trial.submit(1_000_000, CampaignTrial.cluster("c1", 0));
    assertEquals(before + 4, trial.table.size(), "campaign, its text, next number, cause");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      lines.add("line " + i);
    }
    trial.submit(lines, CampaignTrial.cluster("c2", 0));
    assertEquals(before + 10, trial.table.size(), "campaign, its text, cause and three blocks");
    trial.seen("c2", 1, 0);
    assertEquals("0", trial.jobs.get("2.0.1").getArgv().get(6));
  }

  @Test
  void endsAreCountedOnce() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(2, CampaignTrial.cluster("c1", 0));
    for (String tag : List.of("1.0.1", "1.1.1")) {
      trial.tell(tag, JobChange.QUEUED, 0);
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.FINISHED, 0);
      trial.tell(tag, JobChange.FINISHED, 0);
      trial.tell(tag, JobChange.STARTED, 0);
    }
    Campaign campaign = campaign(id);
    assertEquals(2, campaign.getDone());
    assertTrue(campaign.getEndedMs() > 0);
    assertEquals(0, campaign.getClusters().get(0).getRunning());
    assertEquals(0, campaign.getClusters().get(0).getWaiting());
    assertEquals(List.of(new TaskRange(0, 1, TaskStatus.DONE)), campaign.getRanges());
  }

  @Test
  void aKilledTaskIsTriedAgainAndItsLateReportIsNothing() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.0.1", JobChange.KILLED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, 271);
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()));
    trial.tell("1.0.2", JobChange.DELETED, 0);
    assertEquals(List.of("1.0.3"), List.copyOf(trial.jobs.keySet()), "deleted while it waited");
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    assertEquals(0, campaign(id).getDone());
    trial.tell("1.0.3", JobChange.FINISHED, 0);
    assertEquals(1, campaign(id).getDone());
    assertEquals(0, campaign(id).getFailed());
  }

  @Test
  void aProgramWantsAnotherAttemptNow() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(3, CampaignTrial.cluster("c1", 1));
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, 66);
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()), "before the next task");
    assertEquals(List.of(), trial.open(id));
    assertEquals(0, campaign(id).getClusters().get(0).getFailedInARow());
    trial.tell("1.0.2", JobChange.FINISHED, 0);
    assertEquals(1, campaign(id).getDone());
    assertTrue(trial.jobs.containsKey("1.1.1"));
  }

  @Test
  void aProgramWantsAnotherAttemptAtTheEndOfTheCampaign() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(4, CampaignTrial.cluster("c1", 1));
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    assertEquals(TaskStatus.POSTPONED, campaign(id).getRanges().get(0).getStatus());
    trial.tell("1.1.1", JobChange.FINISHED, 67);
    trial.tell("1.2.1", JobChange.FINISHED, 0);
    assertEquals(List.of("1.3.1"), List.copyOf(trial.jobs.keySet()), "all others come first");
    trial.tell("1.3.1", JobChange.FINISHED, 0);
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()), "now it is their turn");
    trial.tell("1.0.2", JobChange.FINISHED, 67);
    assertEquals(List.of("1.1.2"), List.copyOf(trial.jobs.keySet()), "each in its turn");
    trial.tell("1.1.2", JobChange.FINISHED, 0);
    trial.tell("1.0.3", JobChange.FINISHED, 0);
    assertEquals(4, campaign(id).getDone());
    assertTrue(campaign(id).getEndedMs() > 0);
  }

  @Test
  void aCampaignThatIsDeletedEndsWithWhatWasPutOff() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(3, CampaignTrial.cluster("c1", 1));
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    trial.delete(id, "ada");
    trial.tell("1.1.1", JobChange.DELETED, 0);
    assertEquals(List.of(new TaskRange(0, 2, TaskStatus.CANCELLED)), campaign(id).getRanges());
    assertTrue(campaign(id).getEndedMs() > 0);
  }

  @Test
  void wishesHaveABoundOfTheirOwn() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.tell("1.0.1", JobChange.KILLED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, 271);
    for (int i = 1; i < CampaignDeciders.KILLINGS_MAX; i++) {
      trial.tell("1.0." + (i + 1), JobChange.FINISHED, 66 + i % 2);
    }
    assertEquals(List.of(), trial.open(id));
    trial.tell("1.0.101", JobChange.FINISHED, 66);
    assertEquals(List.of("EXIT_ERROR"), trial.open(id));
    assertEquals(
        "exit status 66: it wanted another attempt 100 times",
        trial.events(id).get(0).getMessage());
  }

  @Test
  void aTestsTaskThatWantsTheEndNeedNotWaitForOtherClusters() {
    trial.seen("c1", 1, 1);
    trial.test(CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()));
  }

  @Test
  void whatWasDeletedOnItsWayIsOverWhenItIsRefused() {
    trial.seen("c1", 2, 0);
    long id = trial.submit(2, CampaignTrial.cluster("c1", 0));
    assertEquals(0, trial.deleteTask(id, 0).getCode());
    trial.refuse("1.0.1");
    assertEquals(TaskStatus.CANCELLED, TaskRanges.status(campaign(id).getRanges(), 0));
    assertEquals(TaskStatus.WAITING, TaskRanges.status(campaign(id).getRanges(), 1));
  }

  @Test
  void whatAShardRefusesIsSentAgainAfterAPauseThatGrows() {
    trial.seen("c1", 1, 0);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.refuse("1.0.1");
    assertTrue(trial.jobs.isEmpty());
    assertEquals("the queue takes no jobs", campaign(id).getClusters().get(0).getRefusal());
    trial.nowMs += 1_000;
    trial.seen("c1", 2, 0);
    trial.refuse("1.0.2");
    trial.nowMs += 1_000;
    trial.seen("c1", 1, 0);
    assertTrue(trial.jobs.isEmpty(), "two seconds this time");
    trial.nowMs += 1_000;
    trial.seen("c1", 2, 0);
    assertEquals("1.0.3", trial.any());
  }

  @Test
  void aBoundOfAClusterIsKept() {
    trial.seen("c1", 100, 100);
    trial.submit(100, CampaignTrial.cluster("c1", 3));
    assertEquals(3, trial.jobs.size());
    trial.tell("1.0.1", JobChange.STARTED, 0);
    assertEquals(3, trial.jobs.size());
    trial.tell("1.0.1", JobChange.FINISHED, 0);
    assertEquals(3, trial.jobs.size());
    assertTrue(trial.jobs.containsKey("1.3.1"));
  }

  @Test
  void campaignsGoInTheOrderOfSubmission() {
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.submit(5, CampaignTrial.cluster("c2", 0), CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 2, 2);
    assertTrue(trial.jobs.containsKey("1.0.1"));
    assertEquals("c1", trial.jobs.get("2.0.1").getQueue(), "what the first leaves");
  }

  @Test
  void itsOwnerEndsACampaignAndNobodyElse() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(10, CampaignTrial.cluster("c1", 0));
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    assertFalse(trial.delete(id, "eve").getCode() == 0);
    assertFalse(trial.delete(id + 1, "ada").getCode() == 0);
    assertTrue(trial.deleted.isEmpty());
    assertEquals(0, trial.delete(id, "ada").getCode());
    assertEquals(List.of("job-1.0.1"), trial.deleted);
    trial.tell("1.1.1", JobChange.QUEUED, 0);
    assertEquals(List.of("job-1.0.1", "job-1.1.1"), trial.deleted, "known only now");
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      trial.tell(tag, JobChange.DELETED, 0);
    }
    assertTrue(trial.jobs.isEmpty(), "nothing more is sent");
    assertTrue(campaign(id).getEndedMs() > 0);
    assertEquals(List.of(new TaskRange(0, 9, TaskStatus.CANCELLED)), campaign(id).getRanges());
  }

  @Test
  void nothingIsSentOfACampaignThatPauses() {
    long first = trial.submit(10, CampaignTrial.cluster("c1", 0));
    long second = trial.submit(10, CampaignTrial.cluster("c1", 0));
    assertEquals(15007, trial.alter(first, "bob", Role.USER, "mine", true).getCode());
    assertEquals(15001, trial.alter(99, "bob", Role.MANAGER, "mine", true).getCode());
    assertEquals("demo", campaign(first).getName());
    assertEquals(0, trial.alter(first, "ada", Role.USER, null, true).getCode());
    trial.seen("c1", 2, 2);
    assertEquals(0, TaskRanges.count(campaign(first).getRanges(), it -> it == TaskStatus.SENT));
    assertTrue(trial.jobs.containsKey(second + ".0.1"), "the room goes to the next");
    assertEquals(0, trial.alter(second, "oscar", Role.OPERATOR, "other", true).getCode());
    assertEquals("other", campaign(second).getName());
    int there = trial.jobs.size();
    trial.tell(trial.any(), JobChange.FINISHED, 0);
    trial.seen("c1", 8, 8);
    assertEquals(there - 1, trial.jobs.size());
    assertEquals(0, trial.alter(first, "ada", Role.USER, null, false).getCode());
    assertTrue(trial.jobs.containsKey(first + ".0.1"), "it goes on");
    trial.delete(first, "ada");
    assertEquals(15014, trial.alter(first, "ada", Role.USER, null, true).getCode());
  }

  @Test
  void aCampaignThatIsPausedForGoodIsDeleted() {
    long id = trial.submit(10, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 1, 0);
    trial.alter(id, "ada", Role.USER, null, true);
    trial.tell(trial.any(), JobChange.FINISHED, 0);
    trial.nowMs += CampaignDesk.EVENTS_MS - 1_000;
    trial.look();
    assertEquals(false, campaign(id).getCancelled());
    trial.nowMs += 2_000;
    trial.look();
    assertTrue(campaign(id).getCancelled());
  }

  @Test
  void aTestRunsOnceOnEachClusterBeforeAllOthers() {
    trial.submit(100_000, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    trial.seen("c1", 2, 0);
    trial.seen("c2", 2, 2);
    long later = trial.submit(10, CampaignTrial.cluster("c3", 0));
    long test =
        trial.test(
            CampaignTrial.cluster("c1", 0),
            CampaignTrial.cluster("c2", 0),
            CampaignTrial.cluster("c3", 0));
    assertEquals("c1", trial.jobs.get(test + ".0.1").getQueue());
    assertEquals("c2", trial.jobs.get(test + ".1.1").getQueue());
    assertEquals(null, trial.jobs.get(test + ".2.1"), "nothing is known of c3");
    trial.seen("c3", 1, 1);
    List<String> tags = List.copyOf(trial.jobs.keySet());
    assertTrue(tags.indexOf(test + ".2.1") < tags.indexOf(later + ".0.1"), tags.toString());
    trial.tell(test + ".0.1", JobChange.FINISHED, 0);
    trial.tell(test + ".1.1", JobChange.FINISHED, 7);
    trial.tell(test + ".2.1", JobChange.DELETED, 0);
    assertEquals("c3", trial.jobs.get(test + ".2.2").getQueue(), "killed: there again");
    trial.seen("c1", 2, 2);
    assertEquals(1, trial.jobs.keySet().stream().filter(it -> it.startsWith(test + ".")).count());
    trial.fix(test, 0, "ada", Role.USER, true);
    assertEquals("c2", trial.jobs.get(test + ".1.2").getQueue(), "fixed: there again");
    trial.tell(test + ".1.2", JobChange.FINISHED, 0);
    assertEquals(-1, campaign(test).getEndedMs());
    trial.tell(test + ".2.2", JobChange.FINISHED, 0);
    assertTrue(campaign(test).getEndedMs() > 0);
    assertEquals(3, campaign(test).getDone());
  }

  @Test
  void theSameCommandMakesOneCampaign() {
    CampaignOutcome first = trial.submit(List.of("a"), CampaignTrial.cluster("c1", 0));
    assertEquals("1", first.answer().orElseThrow().getLines().get(0));
    var submitted = (io.millrace.schemas.campaign.CampaignSubmitted) first.facts().get(0);
    var again = new io.millrace.schemas.campaign.SubmitCampaign();
    again.setMeta(
        new io.millrace.schemas.common.CommandMeta(
            submitted.getCampaign().getCause(),
            "ada",
            "users",
            "vm",
            io.millrace.schemas.common.Role.USER,
            -1,
            0L));
    again.setName("demo");
    again.setTasks(1);
    again.setClusters(List.of(CampaignTrial.cluster("c1", 0)));
    again.setBlocks(List.of());
    assertEquals("1", trial.take(again).answer().orElseThrow().getLines().get(0));
    assertEquals(2, campaign(1).getId() + 1);
    assertEquals(null, campaign(2));
  }

  @Test
  void nobodyTakesThePlacesOfAll() {
    for (int i = 0; i < SubmissionDeciders.OWNED_MAX; i++) {
      trial.submit(1, CampaignTrial.cluster("c1", 0));
    }
    CampaignOutcome more = trial.submit(List.of("a"), CampaignTrial.cluster("c1", 0));
    assertEquals(
        List.of("1000 campaigns of ada go on, and no more may"),
        more.answer().orElseThrow().getLines());
    trial.delete(1, "ada");
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.user = "bob";
    int left = SubmissionDeciders.CAMPAIGNS_MAX - SubmissionDeciders.OWNED_MAX;
    for (int i = 0; i < left - SubmissionDeciders.FOR_FEW; i++) {
      trial.submit(1, CampaignTrial.cluster("c1", 0));
    }
    String refusal =
        assertThrows(
                NumberFormatException.class,
                () -> trial.submit(1, CampaignTrial.cluster("c1", 0)),
                "a number is what is answered otherwise")
            .getMessage();
    assertTrue(refusal.contains("1100 campaigns go on, and no more may"), refusal);
    trial.user = "eve";
    trial.submit(1, CampaignTrial.cluster("c1", 0));
  }

  @Test
  void whatDoesNotBelongIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> trial.take(new Job()));
    trial.tell("nonsense", JobChange.FINISHED, 0);
    trial.tell("7.7.7", JobChange.FINISHED, 0);
    assertTrue(trial.ledger.isEmpty());
  }

  @Test
  void whatNoTimeMendsEndsTheTaskThatIsRefusedAlone() {
    trial.seen("c1", 4, 4);
    long several = trial.submit(3, CampaignTrial.cluster("c1", 0));
    trial.refuse("1.0.1", PbsError.PROTOCOL.code(), "a command has at most 7 bytes");
    assertEquals(0, campaign(several).getFailed(), "it may be one of them only");
    assertEquals(List.of(new TaskRange(0, 2, TaskStatus.WAITING)), campaign(several).getRanges());
    trial.seen("c2", 4, 4);
    long one = trial.submit(1, CampaignTrial.cluster("c2", 0));
    trial.refuse("2.0.1");
    assertEquals(0, campaign(one).getFailed(), "the queue may be opened again");
    trial.nowMs += 600_000;
    trial.seen("c2", 5, 4);
    trial.refuse("2.0.2", PbsError.PROTOCOL.code(), "a command has at most 7 bytes");
    CampaignEvent event = trial.events(one).get(1);
    assertEquals("TASK_REFUSED", event.getCode());
    assertEquals("a command has at most 7 bytes", event.getMessage());
    trial.fix(one, 0, "ada", Role.USER, false);
    assertEquals(1, campaign(one).getFailed());
    assertTrue(campaign(one).getEndedMs() > 0);
  }

  @Test
  void afterARefusalACommandHasHalfAsManyJobs() {
    trial.seen("c1", 100, 100);
    trial.submit(100, CampaignTrial.cluster("c1", 0));
    trial.refuse("1.0.1");
    assertEquals(0, trial.jobs.size(), "all of one command");
    trial.nowMs += 1_000;
    trial.seen("c1", 101, 100);
    trial.refuse("1.0.2");
    assertEquals(50, trial.jobs.size());
  }

  @Test
  void aLargeCampaignIsDeletedPieceByPiece() {
    int tasks = 3 * CampaignDeciders.SWEPT_AT_ONCE - 1;
    trial.seen("c1", tasks, tasks);
    long id = trial.submit(tasks, CampaignTrial.cluster("c1", 0));
    assertEquals(tasks, trial.jobs.size());
    List<String> tags = List.copyOf(trial.jobs.keySet());
    tags.forEach(tag -> trial.tell(tag, JobChange.QUEUED, 0));
    trial.seen("c1", 0, 0);
    trial.tell(tags.get(0), JobChange.DELETED, 0);
    trial.beginDeletion(id, "ada");
    assertEquals(0, trial.deleted.size());
    trial.restart();
    assertEquals(3, trial.goOn());
    assertEquals(tasks, campaign(id).getSwept());
    assertEquals(tasks - 1, trial.deleted.stream().distinct().count(), "one waits for no job");
    assertTrue(campaign(id).getEndedMs() < 0, "until the jobs are over");
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      trial.tell(tag, JobChange.DELETED, 0);
    }
    assertTrue(campaign(id).getEndedMs() > 0);
    String left = "campaign, text, next number, cause, 2 blocks of places, 15 of attempts";
    assertEquals(21, trial.table.size(), left);
  }

  @Test
  void whatHasEndedIsForgottenAfterThirtyDays() {
    trial.seen("c1", 1, 1);
    trial.submit(List.of("one", "two"), CampaignTrial.cluster("c1", 0));
    long id = 1;
    trial.tell("1.0.1", JobChange.FINISHED, 1);
    trial.tell("1.1.1", JobChange.FINISHED, 0);
    trial.fix(id, 0, "ada", Role.USER, false);
    assertTrue(campaign(id).getEndedMs() > 0);
    assertEquals(null, trial.table.get(CampaignKeys.load("c1")), "nobody wants it");
    trial.nowMs += CampaignDesk.KEPT_MS - 10_000;
    trial.look();
    assertEquals(1, trial.events(id).size());
    assertTrue(campaign(id) != null);
    trial.nowMs += 20_000;
    trial.restart();
    trial.look();
    assertEquals(1, trial.table.size(), "the next number is not used twice");
  }

  @Test
  void ofThoseThatHaveEndedTheLastTwoHundredAreRemembered() {
    for (int i = 1; i <= CampaignDesk.KEPT_MAX + 5; i++) {
      trial.submit(1, CampaignTrial.cluster("c1", 0));
      trial.delete(i, "ada");
    }
    assertEquals(null, campaign(5));
    assertTrue(campaign(6).getCancelled());
    int[] kept = {0};
    trial.table.scan(CampaignKeys.CAMPAIGNS, it -> kept[0]++);
    assertEquals(CampaignDesk.KEPT_MAX, kept[0]);
  }

  @Test
  void whoEndsManyPushesOutNobodyElses() {
    String other = trial.user;
    trial.user = "eve";
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.delete(1, "eve");
    trial.user = other;
    for (int i = 2; i <= CampaignDesk.KEPT_MAX + 5; i++) {
      trial.submit(1, CampaignTrial.cluster("c1", 0));
      trial.delete(i, "ada");
    }
    assertTrue(campaign(1).getCancelled(), "eve's, the first that has ended");
    assertEquals(null, campaign(2), "ada's first");
    assertEquals(null, campaign(6));
    assertTrue(campaign(7).getCancelled());
  }
}
