package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.TaskStatus;
import org.junit.jupiter.api.Test;

/** Tasks that run in one job, one after another, are judged each for itself. */
class GroupVerdictTest {

  private static final String JOB = "1.host";
  private static final String OTHER = "2.host";

  private static void isClean(HandMadeCampaign campaign) {
    assertEquals("[]", campaign.verdict().defects().toString());
  }

  private static void finds(String what, HandMadeCampaign campaign) {
    String found = campaign.verdict().defects().toString();
    assertTrue(found.contains(what), found);
  }

  private static HandMadeCampaign pair(int status, String steps) {
    return new HandMadeCampaign(2).pair(JOB, 0, 1, status, steps);
  }

  private static HandMadeCampaign done() {
    HandMadeCampaign campaign = pair(0, "0 0 10\n1 0 10\n").line(JOB, 1, 1);
    campaign.ended(0, 1, TaskStatus.DONE, JOB, 0).ended(1, 1, TaskStatus.DONE, JOB, 0);
    return campaign;
  }

  @Test
  void bothSucceedInOneJob() {
    isClean(done().ended(2));
  }

  @Test
  void theOneThatWasKilledComesAgainAlone() {
    HandMadeCampaign campaign = pair(-33, "0 0 10\n").line(JOB, 1, 1);
    campaign.jobs().preempted(0, JOB, 1);
    campaign.ended(0, 1, TaskStatus.DONE, JOB, 0).ended(1, 1, TaskStatus.WAITING, JOB, -33);
    isClean(campaign.done(1, 2, OTHER).ended(2));
  }

  @Test
  void oneBeginsTwiceInItsJob() {
    finds("1.1.1 began more than once", done().line(JOB, 1, 1).ended(2));
    finds("1.0.1 began more than once", done().line(JOB, 0, 1).ended(2));
  }

  @Test
  void oneHasAJobOfItsOwnAsWell() {
    HandMadeCampaign campaign = done().job(OTHER, 1, 1, 0);
    finds("1.1.1 is in the job of 1.0.1, and the jobs [2.host]", campaign.ended(2));
  }

  @Test
  void oneIsCountedThatFailed() {
    HandMadeCampaign campaign = pair(1, "0 0 10\n1 7 10\n").line(JOB, 1, 1);
    campaign.ended(0, 1, TaskStatus.DONE, JOB, 0).ended(1, 1, TaskStatus.DONE, JOB, 0);
    finds("1.1.1 was counted, and its job 1.host did not succeed", campaign.ended(2));
  }

  @Test
  void aSuccessIsNotCounted() {
    HandMadeCampaign campaign = pair(271, "0 0 10\n1 0 10\n").line(JOB, 1, 1);
    campaign.ended(0, 1, TaskStatus.DONE, JOB, 0).ended(1, 1, TaskStatus.WAITING, JOB, 271);
    finds("1.1.1 succeeded as 1.host and was not counted", campaign.done(1, 2, OTHER).ended(2));
  }

  @Test
  void oneIsCountedThatNeverBegan() {
    HandMadeCampaign campaign = pair(0, "0 0 10\n1 0 10\n");
    campaign.ended(0, 1, TaskStatus.DONE, JOB, 0).ended(1, 1, TaskStatus.DONE, JOB, 0);
    finds("1.1.1 was counted, and its script never ran", campaign.ended(2));
  }
}
