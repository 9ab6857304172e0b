package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A prologue before the first task on a cluster, an epilogue after the last. */
final class ScriptTest {

  private final CampaignTrial trial = new CampaignTrial();

  @BeforeEach
  void aCampaignWithScriptsOnItsFirstCluster() {
    trial.scripts = List.of(CampaignTrial.script(0, false), CampaignTrial.script(0, true));
    trial.submit(4, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 1));
  }

  private Campaign campaign() {
    return (Campaign) trial.table.get(CampaignKeys.campaign(1));
  }

  private CampaignCluster first() {
    return campaign().getClusters().get(0);
  }

  private Set<String> jobs() {
    return trial.jobs.keySet();
  }

  private void done(String tag) {
    trial.tell(tag, JobChange.QUEUED, 0);
    trial.tell(tag, JobChange.STARTED, 0);
    trial.tell(tag, JobChange.FINISHED, 0);
  }

  /** What is said of the first cluster. */
  private String why() {
    return new TaskWhy(trial.table)
        .lines(1, 3, trial.nowMs).stream()
            .map(String::strip)
            .filter(it -> it.startsWith("c1: "))
            .findFirst()
            .orElse("");
  }

  @Test
  void noTaskIsSentBeforeThePrologueIsDone() {
    trial.seen("c1", 4, 4);
    assertEquals(Set.of("1.p0.1"), jobs());
    JobSpec job = trial.jobs.get("1.p0.1");
    assertEquals("c1", job.getQueue());
    assertEquals("cigri-1-prologue", job.getName());
    assertEquals(
        List.of("/home/ada/1", "/bin/sh", "-c", "echo 1\n"),
        job.getArgv().subList(3, job.getArgv().size()));
    assertTrue(job.getVariables().contains(new Attribute("CIGRI_WORKDIR", "/home/ada/1")));
    trial.tell("1.p0.1", JobChange.QUEUED, 0);
    trial.tell("1.p0.1", JobChange.STARTED, 0);
    trial.seen("c1", 4, 3);
    assertEquals(Set.of("1.p0.1"), jobs());
    assertEquals("c1: its prologue comes first, and is not over", why());
    trial.restart();
    trial.tell("1.p0.1", JobChange.FINISHED, 0);
    assertEquals(Set.of("1.0.1", "1.1.1", "1.2.1", "1.3.1"), jobs());
    trial.tell("1.p0.1", JobChange.FINISHED, 0);
    assertEquals(4, jobs().size(), "it is told once");
  }

  @Test
  void theEpilogueComesAfterTheLastTaskAndTheCampaignWaitsForIt() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    for (int task = 0; task < 3; task++) {
      done("1." + task + ".1");
    }
    assertEquals(Set.of("1.3.1"), jobs());
    done("1.3.1");
    assertEquals(Set.of("1.e0.1"), jobs());
    assertTrue(campaign().getEndedMs() < 0);
    trial.tell("1.e0.1", JobChange.QUEUED, 0);
    trial.tell("1.e0.1", JobChange.DELETED, 0);
    assertEquals(Set.of("1.e0.2"), jobs(), "it was deleted while it waited, and comes again");
    done("1.e0.2");
    assertTrue(campaign().getEndedMs() > 0);
    assertEquals(List.of(), trial.events(1));
  }

  @Test
  void whereNoTaskWasThereIsNoEpilogue() {
    trial.seen("c2", 1, 1);
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    assertTrue(campaign().getEndedMs() > 0);
    assertEquals(TaskStatus.WAITING, first().getEpilogue());
  }

  @Test
  void aPrologueThatFailsKeepsTheCampaignFromTheCluster() {
    trial.seen("c1", 4, 4);
    trial.tell("1.p0.1", JobChange.FINISHED, 3);
    assertEquals(List.of("PROLOGUE_ERROR", "BLACKLIST"), trial.open(1));
    assertEquals("exit status 3", trial.events(1).get(0).getMessage());
    assertEquals("it ends with event 1", EventCode.cure(trial.events(1).get(1)));
    trial.seen("c1", 4, 4);
    assertEquals(Set.of(), jobs());
    assertEquals("c1: blacklisted for this campaign, by event 2", why());
    trial.seen("c2", 1, 1);
    assertEquals(Set.of("1.0.1"), jobs(), "other clusters go on");
    trial.fix(1, 0, "ada", Role.USER, true);
    assertEquals(Set.of("1.0.1", "1.p0.2"), jobs());
    trial.tell("1.p0.2", JobChange.FINISHED, 3);
    trial.fix(0, 4, "ada", Role.USER, true);
    assertEquals("c1: its prologue has failed; gridevents says what mends it", why());
    assertEquals(1, jobs().size());
    trial.fix(0, 3, "ada", Role.USER, false);
    assertEquals(4, jobs().size(), "it was done by hand");
  }

  @Test
  void anEpilogueThatFailsIsAnEventUntilItsOwnerFixesIt() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    trial.tell("1.e0.1", JobChange.FINISHED, 1);
    assertEquals(List.of("EPILOGUE_ERROR"), trial.open(1));
    assertTrue(campaign().getEndedMs() < 0);
    trial.nowMs += CampaignDesk.EVENTS_MS;
    trial.look();
    assertEquals(TaskStatus.FAILED, first().getEpilogue(), "nobody did");
    assertTrue(campaign().getEndedMs() > 0);
  }

  private void allTasksAreDone() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
  }

  @Test
  void anEpilogueThatIsKeptAwayForAnHourIsAnEvent() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    trial.nowMs += 2 * ScriptDeciders.HINDERED_MS;
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    assertEquals(List.of(), trial.open(1), "its time has come just now");
    trial.nowMs += ScriptDeciders.HINDERED_MS - 1_000;
    trial.restart();
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    assertEquals(List.of(), trial.open(1));
    trial.nowMs += 1_000;
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    assertEquals(List.of("EPILOGUE_ERROR"), trial.open(1));
    assertEquals(
        "its cluster is blacklisted for all, by event 2: QUEUE_STOPPED",
        trial.events(1).get(0).getMessage());
    trial.fix(1, 0, "ada", Role.USER, true);
    trial.nowMs += 1_000;
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    assertEquals(List.of(), trial.open(1), "it has another hour");
    trial.seen("c1", 4, 4);
    assertEquals(Set.of("1.e0.1"), jobs());
    done("1.e0.1");
    assertTrue(campaign().getEndedMs() > 0);
  }

  @Test
  void anEpilogueOfAClusterThatIsGoneIsDoneByHand() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    trial.seen("c1", 0, 0, "QUEUE_UNKNOWN");
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    trial.seen("c1", 0, 0, "QUEUE_UNKNOWN");
    trial.nowMs += ScriptDeciders.HINDERED_MS;
    trial.seen("c1", 0, 0, "QUEUE_UNKNOWN");
    trial.fix(1, 0, "ada", Role.USER, false);
    assertEquals(TaskStatus.DONE, first().getEpilogue());
    assertTrue(campaign().getEndedMs() > 0);
  }

  @Test
  void anEpilogueThatIsRefusedForAnHourIsAnEvent() {
    allTasksAreDone();
    long beganMs = trial.nowMs;
    for (int i = 1; i < RefusedTasks.REFUSALS_MAX; i++) {
      trial.refuse("1.e0." + i);
      assertEquals(List.of("SUBMIT_ERROR"), trial.open(1));
      trial.nowMs = first().getPausedUntilMs();
      trial.seen("c1", 4, 4);
    }
    trial.refuse("1.e0." + RefusedTasks.REFUSALS_MAX);
    assertEquals(3_583, (trial.nowMs - beganMs) / 1_000, "seconds, about an hour");
    assertEquals(List.of("SUBMIT_ERROR", "EPILOGUE_ERROR"), trial.open(1));
    assertEquals("the queue takes no jobs", trial.events(1).get(1).getMessage());
    trial.fix(0, 2, "ada", Role.USER, true);
    trial.refuse("1.e0.17");
    assertEquals(List.of("SUBMIT_ERROR"), trial.open(1), "it has another hour");
    trial.nowMs = first().getPausedUntilMs();
    trial.seen("c1", 4, 4);
    done("1.e0.18");
    assertTrue(campaign().getEndedMs() > 0);
  }

  @Test
  void aCampaignThatNeedsOnlyAClosedClusterIsDeletedThoughAnotherIsOpen() {
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    trial.nowMs += CampaignDesk.EVENTS_MS;
    trial.look();
    trial.goOn();
    assertTrue(campaign().getCancelled());
  }

  @Test
  void aCampaignWhoseEpilogueWaitsForRoomIsNotDeleted() {
    trial.seen("c2", 1, 1, "QUEUE_STOPPED");
    trial.seen("c1", 4, 4);
    done("1.p0.1");
    for (int task = 0; task < 4; task++) {
      done("1." + task + ".1");
    }
    trial.tell("1.e0.1", JobChange.QUEUED, 0);
    trial.seen("c1", 4, 0, "QUEUE_STOPPED");
    trial.nowMs += CampaignDesk.EVENTS_MS;
    trial.look();
    trial.goOn();
    assertEquals(false, campaign().getCancelled());
  }

  @Test
  void aCampaignWhoseOnlyPrologueIsNotMendedIsDeleted() {
    trial.seen("c1", 4, 4);
    trial.seen("c2", 1, 1, "QUEUE_STOPPED");
    trial.tell("1.p0.1", JobChange.FINISHED, 3);
    assertEquals("BLACKLIST", trial.events(1).get(1).getCode());
    trial.fix(0, trial.events(1).get(1).getId(), "ada", Role.USER, true);
    assertEquals(List.of("PROLOGUE_ERROR"), trial.open(1));
    trial.nowMs += CampaignDesk.EVENTS_MS;
    trial.look();
    trial.goOn();
    assertTrue(campaign().getCancelled());
  }

  @Test
  void scriptsOfNoClusterOrTwiceAreRefused() {
    for (int cluster : List.of(-1, 2)) {
      trial.scripts = List.of(CampaignTrial.script(cluster, true));
      assertEquals("a script is for a cluster of its campaign", refusal());
    }
    trial.scripts = List.of(CampaignTrial.script(1, true), CampaignTrial.script(1, true));
    assertEquals("a cluster has one prologue and one epilogue", refusal());
  }

  private String refusal() {
    Reply reply =
        trial
            .submit(List.of("a"), CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0))
            .answer()
            .orElseThrow();
    assertEquals(PbsError.ILLEGAL_VALUE.code(), reply.getCode());
    return reply.getLines().get(0);
  }

  @Test
  void aScriptThatIsLostWithItsHostIsTriedAgain() {
    trial.seen("c1", 4, 4);
    trial.tell("1.p0.1", JobChange.STARTED, 0);
    trial.tell("1.p0.1", JobChange.FINISHED, ExitStatus.UNKNOWN);
    assertEquals(List.of(), trial.open(1));
    assertEquals(Set.of("1.p0.2"), jobs());
  }

  @Test
  void whoFixesAScriptThatWasKilledTooOftenGivesItAllAttemptsAgain() {
    trial.seen("c1", 4, 4);
    for (int i = 1; i <= CampaignDeciders.KILLINGS_MAX; i++) {
      trial.tell("1.p0." + i, JobChange.DELETED, 0);
    }
    assertEquals(List.of("PROLOGUE_ERROR", "BLACKLIST"), trial.open(1));
    trial.fix(1, 0, "ada", Role.USER, true);
    trial.tell("1.p0.101", JobChange.DELETED, 0);
    assertEquals(List.of(), trial.open(1));
    assertEquals(Set.of("1.p0.102"), jobs());
  }

  /** Has the prologue wait at the first cluster while the other one does all tasks. */
  private CampaignOutcome theOtherClusterDoesAll() {
    trial.seen("c1", 4, 4);
    trial.tell("1.p0.1", JobChange.QUEUED, 0);
    trial.seen("c1", 4, 0);
    trial.seen("c2", 1, 1);
    done("1.0.1");
    done("1.1.1");
    done("1.2.1");
    assertEquals(List.of(), trial.deleted);
    return trial.tell("1.3.1", JobChange.FINISHED, 0);
  }

  @Test
  void aPrologueThatWaitsWhenAllTasksAreOverIsTakenBack() {
    CampaignOutcome outcome = theOtherClusterDoesAll();
    assertEquals(List.of("job-1.p0.1"), trial.deleted);
    assertTrue(((DeleteJob) outcome.orders().get(0).command()).getWaitingOnly());
    trial.restart();
    trial.seen("c1", 4, 0);
    assertEquals(1, trial.deleted.size(), "it is told once");
    assertTrue(campaign().getEndedMs() < 0);
    trial.tell("1.p0.1", JobChange.DELETED, 0);
    assertTrue(campaign().getEndedMs() > 0);
    assertEquals(Set.of(), jobs(), "no epilogue is owed");
  }

  @Test
  void aPrologueThatBeganBeforeItCouldBeTakenBackIsFollowedByItsEpilogue() {
    theOtherClusterDoesAll();
    trial.tell("1.p0.1", JobChange.STARTED, 0);
    trial.tell("1.p0.1", JobChange.FINISHED, 0);
    assertEquals(Set.of("1.e0.1"), jobs());
    done("1.e0.1");
    assertTrue(campaign().getEndedMs() > 0);
  }

  @Test
  void aRefusedPrologueIsTriedAgainAndADeletedCampaignTakesItAlong() {
    trial.seen("c1", 4, 4);
    trial.refuse("1.p0.1");
    assertEquals(List.of("SUBMIT_ERROR"), trial.open(1));
    trial.nowMs += 2_000;
    trial.seen("c1", 4, 4);
    assertEquals(Set.of("1.p0.2"), jobs());
    trial.tell("1.p0.2", JobChange.QUEUED, 0);
    assertEquals(List.of(), trial.open(1));
    trial.delete(1, "ada");
    assertEquals(List.of("job-1.p0.2"), trial.deleted);
    trial.tell("1.p0.2", JobChange.DELETED, 0);
    assertEquals(TaskStatus.CANCELLED, first().getPrologue());
    assertTrue(campaign().getEndedMs() > 0);
  }
}
