package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.TaskStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each thing that may go wrong with a task is found, and nothing is found where all went well. */
class CampaignVerdictTest {

  private static final String FIRST = "1.host";
  private static final String SECOND = "2.host";
  private static final String THIRD = "3.host";

  private static HandMadeCampaign campaign() {
    return new HandMadeCampaign(2).done(0, 1, FIRST);
  }

  /** Expects so many subjects: lost, counted twice, twice, unexplained. */
  private static void expect(List<Integer> counts, HandMadeCampaign campaign) {
    Verdict verdict = campaign.verdict();
    List<Integer> found =
        List.of(verdict.lost(), verdict.countedTwice(), verdict.twice(), verdict.unexplained());
    assertEquals(counts, found, verdict.defects().toString());
  }

  private static final List<Integer> CLEAN = List.of(0, 0, 0, 0);
  private static final List<Integer> LOST = List.of(1, 0, 0, 0);
  private static final List<Integer> TWICE = List.of(0, 0, 1, 0);
  private static final List<Integer> UNEXPLAINED = List.of(0, 0, 0, 1);

  @Test
  void eachTaskIsDoneOnce() {
    expect(CLEAN, campaign().done(1, 1, SECOND).ended(2));
  }

  @Test
  void anAttemptThatGaveWayIsFollowedByAnother() {
    expect(CLEAN, campaign().gaveWay(1, 1, SECOND).done(1, 2, THIRD).ended(2));
  }

  @Test
  void aReplicaThatSucceededToo() {
    HandMadeCampaign campaign = campaign().done(1, 1, SECOND);
    campaign.sent(1, 2).job(THIRD, 1, 2, 0).line(THIRD, 1, 2).dropped(1, 2, THIRD);
    expect(CLEAN, campaign.ended(2));
  }

  @Test
  void aTaskThatWasForgotten() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 0).line(SECOND, 1, 1);
    expect(LOST, campaign.shown("in_treatment", 1));
    expect(LOST, campaign().ended(1));
  }

  @Test
  void aSuccessThatWasNotCounted() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 0).line(SECOND, 1, 1);
    campaign.ended(1, 1, TaskStatus.WAITING, SECOND, 0);
    expect(LOST, campaign.done(1, 2, THIRD).ended(2));
  }

  @Test
  void aTaskThatWasCountedTwice() {
    HandMadeCampaign campaign = campaign().done(1, 1, SECOND).done(1, 2, THIRD).ended(3);
    expect(List.of(0, 2, 0, 0), campaign);
    assertTrue(campaign.verdict().defects().toString().contains("says 3 of 2 tasks"));
  }

  @Test
  void anAttemptThatWasSubmittedTwice() {
    HandMadeCampaign campaign = campaign().done(1, 1, SECOND).job(THIRD, 1, 1, 0);
    expect(TWICE, campaign.line(THIRD, 1, 1).ended(2));
    expect(TWICE, campaign().done(1, 1, SECOND).sent(1, 1).ended(2));
  }

  @Test
  void aScriptThatRanTwice() {
    Verdict verdict = campaign().done(1, 1, SECOND).line(SECOND, 1, 1).ended(2).verdict();
    assertTrue(verdict.defects().toString().contains("1.1.1 began more than once"));
    assertTrue(verdict.defects().toString().contains("run 1 wrote its line 2 times"));
    assertEquals(0, verdict.lost() + verdict.unexplained());
  }

  @Test
  void aTaskThatWasCountedAndDidNotSucceed() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 3).line(SECOND, 1, 1);
    expect(UNEXPLAINED, campaign.ended(1, 1, TaskStatus.DONE, SECOND, 0).ended(2));
  }

  @Test
  void aTaskThatWasCountedAndNeverRan() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 0);
    campaign.ended(1, 1, TaskStatus.DONE, SECOND, 0).ended(2);
    // The job's run that wrote no line is one more subject.
    expect(List.of(1, 0, 0, 1), campaign);
  }

  @Test
  void aTaskThatWasCountedByTheJobOfAnother() {
    HandMadeCampaign campaign = campaign().sent(1, 1).ended(1, 1, TaskStatus.DONE, FIRST, 0);
    expect(LOST, campaign.line(SECOND, 1, 1).job(SECOND, 1, 1, 3).ended(2));
    HandMadeCampaign line = campaign().sent(1, 1).ended(1, 1, TaskStatus.DONE, FIRST, 0);
    // The line of a job that no evidence has is one more subject.
    assertEquals(1, line.line(FIRST, 1, 1).ended(2).verdict().lost());
  }

  @Test
  void anAttemptThatGaveWayAsTheJobOfAnother() {
    HandMadeCampaign campaign = campaign().gaveWay(1, 1, SECOND).done(1, 2, THIRD);
    campaign.sent(1, 3).ended(1, 3, TaskStatus.WAITING, SECOND, -33);
    expect(UNEXPLAINED, campaign.ended(2));
  }

  @Test
  void aTaskThatFailed() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 3).line(SECOND, 1, 1);
    campaign.ended(1, 1, TaskStatus.EVENT, SECOND, 3).done(1, 2, THIRD).ended(2);
    expect(UNEXPLAINED, campaign);
    assertTrue(campaign.verdict().defects().toString().contains("ended as EVENT"));
  }

  @Test
  void anAttemptThatNobodySent() {
    HandMadeCampaign campaign = campaign().job(SECOND, 1, 1, 0).line(SECOND, 1, 1);
    expect(UNEXPLAINED, campaign.ended(1, 1, TaskStatus.DONE, SECOND, 0).ended(2));
  }

  @Test
  void anAttemptWithoutAnEnd() {
    HandMadeCampaign campaign = campaign().sent(1, 1).done(1, 2, THIRD);
    expect(UNEXPLAINED, campaign.ended(2));
  }

  @Test
  void aLineOfAnotherTask() {
    HandMadeCampaign campaign = campaign().sent(1, 1).job(SECOND, 1, 1, 0).line(SECOND, 0, 2);
    Verdict verdict = campaign.ended(1, 1, TaskStatus.DONE, SECOND, 0).ended(2).verdict();
    assertTrue(verdict.defects().toString().contains("is 1.1.1, and wrote the line of 1.0.2"));
  }

  @Test
  void gridstatSaysSomethingElse() {
    expect(UNEXPLAINED, campaign().done(1, 1, SECOND).over().shown("terminated", 1));
    expect(UNEXPLAINED, campaign().done(1, 1, SECOND).over().shown("in_treatment", 2));
    expect(UNEXPLAINED, campaign().done(1, 1, SECOND).over());
  }
}
