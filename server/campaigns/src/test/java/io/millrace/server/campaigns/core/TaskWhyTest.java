package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.common.Role;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each reason for which a task waits, in words. */
final class TaskWhyTest {

  private final CampaignTrial trial = new CampaignTrial();

  private List<String> lines(long campaign, int task) {
    return new TaskWhy(trial.table).lines(campaign, task, trial.nowMs);
  }

  /** The words behind "Why:". */
  private String why(long campaign, int task) {
    return lines(campaign, task).stream()
        .filter(it -> it.startsWith("  Why: "))
        .findFirst()
        .orElseThrow()
        .substring("  Why: ".length());
  }

  /** What is said of a cluster. */
  private String at(String cluster, long campaign, int task) {
    String head = "    " + cluster + ": ";
    return lines(campaign, task).stream()
        .filter(it -> it.startsWith(head))
        .findFirst()
        .orElseThrow()
        .substring(head.length());
  }

  @Test
  void whereATaskIsStandsThere() {
    trial.seen("c1", 1, 0);
    trial.submit(List.of("one -x", "two"), CampaignTrial.cluster("c1", 0));
    assertEquals("its job is on its way to c1, attempt 1", why(1, 0));
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    assertEquals("its job waits at c1 as job-1.0.1, attempt 1; why job-1.0.1 says more", why(1, 0));
    trial.tell("1.0.1", JobChange.STARTED, 0);
    assertEquals("its job runs at c1 as job-1.0.1, attempt 1", why(1, 0));
    assertEquals(
        List.of("Job: 0", "  Campaign: 1", "  Parameters: one -x", "  State: running"),
        lines(1, 0).subList(0, 4));
    trial.tell("1.0.1", JobChange.FINISHED, 4);
    assertEquals(
        "it has failed, and event 1 is open (EXIT_ERROR, exit status 4):"
            + " see what the job wrote; gridevents -e 1 -f -r has the task run again",
        why(1, 0));
    trial.fix(1, 0, "ada", Role.USER, false);
    String failed = "it has failed, at c1, attempt 1, in 0.1 s";
    assertEquals(failed + ", and its event was closed without another try", why(1, 0));
    trial.tell(trial.any(), JobChange.FINISHED, 0);
    assertEquals("it is done, at c1, attempt 1, in 0.1 s", why(1, 1));
    assertEquals(List.of(), lines(1, 2));
    assertEquals(List.of(), lines(1, -1));
    assertEquals(List.of(), lines(2, 0));
  }

  @Test
  void aCampaignThatPausesSaysSo() {
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.alter(1, "ada", Role.USER, null, true);
    assertEquals("the campaign is paused", at("c1", 1, 0));
  }

  @Test
  void whatIsOverBetweenTwoLooksIsToldInWords() {
    trial.seen("c1", 1, 0);
    trial.submit(List.of("one -x", "two"), CampaignTrial.cluster("c1", 0));
    trial.tell("1.0.1", JobChange.FINISHED, 4);
    trial.table.put(CampaignKeys.event(1, 1), null);
    trial.table.put(CampaignKeys.block(1, 0), null);
    assertEquals(
        List.of(
            "Job: 0",
            "  Campaign: 1",
            "  State: event",
            "  Why: it has failed, and its event was closed just now"),
        lines(1, 0));
  }

  @Test
  void whatWaitsSaysForWhatAtEachCluster() {
    long id = trial.submit(10, CampaignTrial.cluster("c1", 2), CampaignTrial.cluster("c2", 0));
    assertEquals("it waits to be sent; it is the next of its campaign", why(id, 0));
    assertEquals("it was not looked at yet, which is done each second", at("c1", id, 0));
    trial.seen("c1", 4, 4);
    trial.seen("c2", 2, 0);
    assertEquals("it waits to be sent; 6 are before it", why(id, 9));
    assertEquals("2 tasks are there, of at most 2 (max_jobs)", at("c1", id, 9));
    assertEquals(
        "no idle processor for it: 0 of 2 idle, a task needs 1, 1 of this campaign wait there",
        at("c2", id, 9));
    trial.tell("1.0.1", JobChange.QUEUED, 0);
    trial.tell("1.0.1", JobChange.DELETED, 0);
    trial.seen("c2", 2, 0, "QUEUE_STOPPED");
    assertEquals("blacklisted for all, by event 2: QUEUE_STOPPED", at("c2", id, 9));
  }

  @Test
  void whatIsIdleIsForWhatWaitsThere() {
    trial.seen("c1", 4, 2);
    long id = trial.submit(10, CampaignTrial.cluster("c1", 0));
    assertEquals(
        "what is idle is for the tasks that wait there: 2 of 4 idle, a task needs 1,"
            + " 3 of this campaign wait there",
        at("c1", id, 9));
    trial.table.put(CampaignKeys.load("c1"), null);
    assertEquals("it was not looked at yet, which is done each second", at("c1", id, 9));
  }

  @Test
  void whoWasRefusedOrFailsSaysSo() {
    trial.seen("c1", 1, 0);
    long id = trial.submit(20, CampaignTrial.cluster("c1", 1));
    trial.refuse("1.0.1");
    assertEquals(
        "it waits to be sent, after 1 attempt; it is the next of its campaign", why(id, 0));
    assertEquals(
        "left alone for 1 s more, since it refused: the queue takes no jobs", at("c1", id, 0));
    trial.nowMs += 1_000;
    trial.seen("c1", 1, 1);
    for (int i = 0; i < EventBook.FAILED_IN_A_ROW; i++) {
      trial.tell(trial.any(), JobChange.FINISHED, 1);
    }
    assertEquals("blacklisted for this campaign, by event 7", at("c1", id, 19));
  }

  @Test
  void whoseProgramWantsAnotherAttemptSaysWhen() {
    trial.seen("c1", 1, 1);
    long id = trial.submit(4, CampaignTrial.cluster("c1", 1));
    trial.tell("1.0.1", JobChange.FINISHED, 67);
    assertEquals("  State: postponed", lines(id, 0).get(3));
    assertEquals(
        "its program wants another attempt at the end of the campaign, after 1 attempt, of which"
            + " 1 wanted another one (exit status 66 or 67); 2 are before it",
        why(id, 0));
    trial.alter(id, "ada", Role.USER, null, true);
    trial.tell("1.1.1", JobChange.FINISHED, 66);
    assertEquals(
        "it waits to be sent, after 1 attempt, of which 1 wanted another one"
            + " (exit status 66 or 67); it is the next of its campaign",
        why(id, 1));
  }

  @Test
  void theRoomGoesToWhoCameFirst() {
    trial.submit(100, CampaignTrial.cluster("c1", 0));
    long second = trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 2, 0);
    assertEquals("its room goes to campaign 1 first", at("c1", second, 0));
    long third = trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.deleteTask(third, 0);
    assertEquals("it was deleted", why(third, 0));
    trial.delete(second, "ada");
    assertEquals("it was deleted with its campaign", why(second, 0));
  }
}
