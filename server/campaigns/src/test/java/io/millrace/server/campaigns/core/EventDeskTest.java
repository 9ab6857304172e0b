package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What failures open, what they stop, and what fixing them does. */
final class EventDeskTest {

  private static final List<String> NONE = List.of();

  private final CampaignTrial trial = new CampaignTrial();

  private Campaign campaign(long id) {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  private void fails(String tag) {
    trial.tell(tag, JobChange.STARTED, 0);
    trial.tell(tag, JobChange.FINISHED, 3);
  }

  @Test
  void aFailedTaskIsAnEventThatItsOwnerFixes() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(2, CampaignTrial.cluster("c1", 0));
    fails("1.0.1");
    trial.tell("1.1.1", JobChange.FINISHED, 0);
    CampaignEvent event = trial.events(id).get(0);
    assertEquals("EXIT_ERROR", event.getCode());
    assertEquals("exit status 3", event.getMessage());
    assertEquals("job-1.0.1", event.getJobId());
    assertEquals(0, event.getTask());
    assertTrue(trial.jobs.isEmpty(), "it is not tried again by itself");
    assertTrue(campaign(id).getEndedMs() < 0, "nor over");
    assertEquals(0, trial.fix(0, event.getId(), "ada", Role.USER, true).getCode());
    assertEquals(List.of("1.0.2"), List.copyOf(trial.jobs.keySet()));
    assertEquals(NONE, trial.open(id));
    trial.tell("1.0.2", JobChange.FINISHED, 0);
    assertEquals(2, campaign(id).getDone());
    assertEquals(0, campaign(id).getFailed());
    assertTrue(campaign(id).getEndedMs() > 0);
  }

  @Test
  void aLongReasonIsCut() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    String why = "x".repeat(EventBook.MESSAGE_MAX + 100);
    trial.take(
        new NoteJob(trial.any(), JobChange.FINISHED, "job", 0, 3, 1L, why, trial.nowMs, "", false));
    String message = trial.events(id).get(0).getMessage();
    assertEquals(EventBook.MESSAGE_MAX + 3, message.length());
    assertTrue(message.startsWith("exit status 3: xxx") && message.endsWith("xx..."), message);
  }

  @Test
  void whatIsFixedWithoutAnotherTryHasFailed() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(3, CampaignTrial.cluster("c1", 0));
    fails("1.0.1");
    fails("1.1.1");
    trial.tell("1.2.1", JobChange.FINISHED, 0);
    assertEquals("2", trial.fix(id, 0, "ada", Role.USER, false).getLines().get(0));
    assertEquals(2, campaign(id).getFailed());
    assertTrue(campaign(id).getEndedMs() > 0);
    Reply again = trial.fix(0, 1, "ada", Role.USER, true);
    assertEquals("event 1 is closed already", again.getLines().get(0));
  }

  @Test
  void whatIsLostWithItsHostIsTriedAgainWithoutAnEvent() {
    trial.seen("c1", 8, 8);
    long id = trial.submit(8, CampaignTrial.cluster("c1", 0));
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      trial.tell(tag, JobChange.QUEUED, 0);
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.FINISHED, ExitStatus.UNKNOWN);
    }
    assertEquals(NONE, trial.open(id));
    assertEquals(8, trial.jobs.size());
    assertTrue(trial.jobs.keySet().stream().allMatch(it -> it.endsWith(".2")), "second attempts");
  }

  /** Its own jobs came first, or it has lost the job: neither is a failure of the task. */
  @Test
  void whatTheSystemOfAClusterEndsIsTriedAgainWithoutAnEvent() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(2, CampaignTrial.cluster("c1", 0));
    ends("1.0.1", "cancelled in cluster c1: Slurm: PREEMPTED");
    assertEquals(NONE, trial.open(id));
    assertTrue(trial.jobs.containsKey("1.0.2"), "the second attempt");
    ends("1.1.1", "");
    assertEquals(List.of("EXIT_ERROR"), trial.open(id), "it has ended itself");
  }

  private void ends(String tag, String why) {
    trial.tell(tag, JobChange.STARTED, 0);
    int status = ExitStatus.TERMINATED;
    trial.take(
        new NoteJob(tag, JobChange.FINISHED, "job", 0, status, 1L, why, trial.nowMs, "", false));
  }

  @Test
  void whatIsAlwaysLostIsAnEventAtLast() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    for (int i = 1; i <= CampaignDeciders.KILLINGS_MAX; i++) {
      assertEquals(NONE, trial.open(id));
      String tag = trial.any();
      trial.tell(tag, JobChange.STARTED, 0);
      trial.tell(tag, JobChange.FINISHED, ExitStatus.UNKNOWN);
    }
    assertEquals(List.of("KILLED"), trial.open(id));
  }

  @Test
  void refusalsAreNoKillings() {
    trial.seen("c1", 1, 0);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    for (int i = 0; i < CampaignDeciders.KILLINGS_MAX; i++) {
      trial.refuse(trial.any());
      trial.nowMs += 600_000;
      trial.seen("c1", 1 + i % 2, 0);
    }
    for (int i = 1; i < CampaignDeciders.KILLINGS_MAX; i++) {
      trial.tell(trial.any(), JobChange.QUEUED, 0);
      trial.tell(trial.any(), JobChange.DELETED, 0);
    }
    assertEquals(NONE, trial.open(id));
    trial.tell(trial.any(), JobChange.STARTED, 0);
    trial.tell(trial.any(), JobChange.KILLED, 0);
    trial.tell(trial.any(), JobChange.FINISHED, 271);
    assertEquals(List.of("KILLED"), trial.open(id));
    assertEquals("its jobs were deleted or lost 100 times", trial.events(id).get(1).getMessage());
  }

  @Test
  void nobodyElseFixesThem() {
    trial.seen("c1", 2, 2);
    long id = trial.submit(3, CampaignTrial.cluster("c1", 0));
    assertEquals(
        "campaign 1 has no open event",
        trial.fix(id, 0, "ada", Role.USER, false).getLines().get(0));
    fails("1.0.1");
    Reply eve = trial.fix(0, 1, "eve", Role.USER, false);
    assertEquals(List.of("event 1 is not yours"), eve.getLines());
    assertEquals(
        List.of("campaign 1 is not yours"), trial.fix(id, 0, "eve", Role.USER, true).getLines());
    assertEquals(
        List.of("there is no event 9"), trial.fix(0, 9, "ada", Role.USER, false).getLines());
    assertEquals(
        List.of("there is no campaign 9"), trial.fix(9, 0, "ada", Role.USER, false).getLines());
    assertEquals(0, trial.fix(0, 1, "oscar", Role.OPERATOR, false).getCode());
    assertEquals("oscar", trial.events(id).get(0).getClosedBy());
  }

  @Test
  void fiveFailuresInARowKeepTheCampaignFromTheCluster() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(100, CampaignTrial.cluster("c1", 1));
    for (int task = 0; task < 4; task++) {
      fails("1." + task + ".1");
    }
    trial.tell("1.4.1", JobChange.FINISHED, 0);
    for (int task = 5; task < 9; task++) {
      fails("1." + task + ".1");
    }
    assertTrue(!trial.jobs.isEmpty(), "one that was done lies between");
    fails("1.9.1");
    List<CampaignEvent> events = trial.events(id);
    CampaignEvent last = events.get(events.size() - 1);
    assertEquals("BLACKLIST", last.getCode());
    assertEquals(events.get(events.size() - 2).getId(), last.getBecause());
    assertTrue(trial.jobs.isEmpty());
    long other = trial.submit(1, CampaignTrial.cluster("c1", 0));
    assertTrue(trial.jobs.containsKey(other + ".0.1"), "others go on");
    assertEquals(0, trial.fix(0, last.getBecause(), "ada", Role.USER, false).getCode());
    assertEquals(8, campaign(id).getOpenEvents(), "that one and what followed from it");
    assertEquals(0, campaign(id).getClusters().get(0).getBlacklist());
    trial.seen("c1", 2, 2);
    assertTrue(trial.jobs.size() > 1);
  }

  @Test
  void anotherClusterGoesOn() {
    trial.seen("c1", 1, 1);
    trial.seen("c2", 1, 0);
    long id = trial.submit(100, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    for (int i = 0; i < 20; i++) {
      String tag =
          trial.jobs.keySet().stream()
              .filter(it -> trial.jobs.get(it).getQueue().equals("c1"))
              .findFirst()
              .orElse("");
      if (!tag.isEmpty()) {
        fails(tag);
      }
    }
    assertTrue(trial.open(id).contains("BLACKLIST"));
    assertEquals(
        List.of("c2"), trial.jobs.values().stream().map(it -> it.getQueue()).distinct().toList());
  }

  @Test
  void aRefusalIsAnEventUntilATaskIsTaken() {
    trial.seen("c1", 1, 0);
    long id = trial.submit(5, CampaignTrial.cluster("c1", 0));
    trial.refuse(trial.any());
    trial.nowMs += 1_000;
    trial.seen("c1", 2, 0);
    trial.refuse(trial.any());
    assertEquals(List.of("SUBMIT_ERROR"), trial.open(id), "once");
    trial.nowMs += 2_000;
    trial.seen("c1", 1, 0);
    trial.tell(trial.any(), JobChange.QUEUED, 0);
    assertEquals(NONE, trial.open(id));
    assertEquals("", trial.events(id).get(0).getClosedBy());
  }

  @Test
  void whatIsWrongWithAQueueStopsAllUntilItIsMended() {
    long id = trial.submit(5, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 4, 4, "QUEUE_STOPPED");
    trial.seen("c1", 4, 3, "QUEUE_STOPPED");
    assertTrue(trial.jobs.isEmpty());
    assertEquals(List.of("QUEUE_STOPPED", "BLACKLIST"), trial.open(0));
    assertEquals(NONE, trial.open(id));
    trial.seen("c1", 4, 4, "NO_NODE");
    assertEquals(List.of("NO_NODE", "BLACKLIST"), trial.open(0));
    assertEquals(
        List.of("event 3 is not yours"), trial.fix(0, 3, "ada", Role.USER, false).getLines());
    for (long event : List.of(3L, 4L)) {
      assertEquals(
          List.of("event " + event + " keeps all campaigns from c1, and ends with its cause"),
          trial.fix(0, event, "oscar", Role.OPERATOR, false).getLines());
    }
    assertEquals(List.of("NO_NODE", "BLACKLIST"), trial.open(0));
    assertEquals("it ends with event 3", EventCode.cure(trial.events(0).get(3)));
    trial.seen("c1", 4, 4);
    assertEquals(NONE, trial.open(0));
    assertEquals(5, trial.jobs.size());
    trial.seen("c1", 4, 4, "NO_NODE");
    trial.delete(id, "ada");
    trial.jobs.keySet().stream().toList().forEach(it -> trial.tell(it, JobChange.DELETED, 0));
    assertEquals(NONE, trial.open(0), "nobody looks at it any more");
    trial.seen("c1", 4, 4, "NO_NODE");
    assertEquals(NONE, trial.open(0), "a look that comes late");
  }

  @Test
  void anEventThatStopsNothingAnyMoreIsClosedAndTheStopThatCameLaterStays() {
    trial.submit(5, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 4, 4, "NO_NODE");
    // As a server left it that let the second event be closed without the first.
    trial.table.put(CampaignKeys.stop("c1"), null);
    trial.seen("c1", 4, 3, "NO_NODE");
    assertEquals(4, trial.open(0).size());
    assertEquals(0, trial.fix(0, 1, "oscar", Role.OPERATOR, false).getCode());
    assertEquals(List.of("NO_NODE", "BLACKLIST"), trial.open(0));
    assertTrue(trial.table.get(CampaignKeys.stop("c1")) != null);
    trial.seen("c1", 4, 4);
    assertEquals(NONE, trial.open(0));
  }

  @Test
  void aThousandOpenEventsStopTheCampaign() {
    trial.seen("c1", 100, 100);
    long id = trial.submit(3_000, CampaignTrial.cluster("c1", 100));
    int failed = 0;
    while (!trial.jobs.isEmpty() && failed < 3_000) {
      // One that is done now and then, so that the cluster is not blacklisted.
      if (failed % 4 == 3) {
        trial.tell(trial.any(), JobChange.FINISHED, 0);
      } else {
        fails(trial.any());
      }
      failed++;
    }
    int open = campaign(id).getOpenEvents();
    assertTrue(open >= 1_000 && open < 1_200, "open: " + open);
    assertTrue(trial.jobs.isEmpty());
    trial.beginFix(id, "ada");
    assertEquals(open - EventDeciders.CLOSED_AT_ONCE, campaign(id).getOpenEvents());
    trial.restart();
    fails(trial.any());
    fails(trial.any());
    trial.goOn();
    assertEquals(
        List.of("EXIT_ERROR", "EXIT_ERROR"), trial.open(id), "what came after the command stays");
    trial.seen("c1", 101, 100);
    assertTrue(!trial.jobs.isEmpty());
  }

  @Test
  void aCampaignOfWhichNothingCanBeSentEndsWithItsEvents() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(100, CampaignTrial.cluster("c1", 1));
    trial.tell("1.0.1", JobChange.DELETED, 0);
    trial.tell("1.0.2", JobChange.DELETED, 0);
    for (int task = 0; task < EventBook.FAILED_IN_A_ROW; task++) {
      fails(trial.any());
    }
    trial.fix(0, 1, "ada", Role.USER, true);
    assertTrue(trial.open(id).contains("BLACKLIST") && trial.jobs.isEmpty());
    trial.nowMs += CampaignDesk.EVENTS_MS - 1_000;
    trial.look();
    assertTrue(!campaign(id).getCancelled(), "its owner has thirty days");
    trial.nowMs += 1_000;
    trial.look();
    trial.restart();
    trial.goOn();
    assertTrue(campaign(id).getEndedMs() > 0 && campaign(id).getCancelled());
    assertEquals(EventBook.FAILED_IN_A_ROW - 1, campaign(id).getFailed());
    assertEquals(NONE, trial.open(id));
    trial.table.scan(CampaignKeys.open(id), it -> assertEquals(null, it, "nothing is left of it"));
  }

  @Test
  void aCampaignWhoseQueueIsGoneEndsAndOneThatWaitsForRoomDoesNot() {
    long gone = trial.submit(5, CampaignTrial.cluster("c1", 0));
    long both = trial.submit(5, CampaignTrial.cluster("c1", 0), CampaignTrial.cluster("c2", 0));
    trial.seen("c1", 0, 0, "QUEUE_UNKNOWN");
    trial.seen("c2", 0, 0);
    trial.nowMs += CampaignDesk.EVENTS_MS;
    long late = trial.submit(5, CampaignTrial.cluster("c1", 0));
    for (int i = 0; i < 3; i++) {
      trial.look();
      trial.goOn();
    }
    assertTrue(campaign(gone).getEndedMs() > 0);
    assertTrue(campaign(both).getEndedMs() < 0, "c2 may have room for it");
    assertTrue(campaign(late).getEndedMs() < 0, "it came just now");
    trial.seen("c1", 0, 0, "QUEUE_STOPPED");
    trial.nowMs += CampaignDesk.EVENTS_MS - 1_000;
    trial.look();
    trial.look();
    trial.goOn();
    assertTrue(campaign(late).getEndedMs() < 0, "something else stops it since");
    assertEquals(List.of("QUEUE_STOPPED", "BLACKLIST"), trial.open(0));
  }

  @Test
  void eventsThatNobodyFixesEndWithTheirCampaign() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(1, CampaignTrial.cluster("c1", 0));
    fails("1.0.1");
    trial.nowMs += CampaignDesk.EVENTS_MS - 1_000;
    trial.look();
    assertTrue(campaign(id).getEndedMs() < 0);
    trial.nowMs += 2_000;
    trial.look();
    assertTrue(campaign(id).getEndedMs() > 0);
    assertEquals(1, campaign(id).getFailed());
    assertEquals(NONE, trial.open(id));
  }
}
