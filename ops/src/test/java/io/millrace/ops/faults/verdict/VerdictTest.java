package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.JobOperation;
import org.junit.jupiter.api.Test;

/** Each kind of planted defect is found and added to the right counter. */
final class VerdictTest {
  private static final String JOB = "1.host";
  private static final String TOKEN = "t000001";

  private static void expect(int lost, int twice, int unexplained, HandMadeEvidence evidence) {
    Verdict verdict = evidence.verdict();
    String defects = verdict.defects().toString();
    assertEquals(lost, verdict.lost(), defects);
    assertEquals(twice, verdict.twice(), defects);
    assertEquals(unexplained, verdict.unexplained(), defects);
    assertEquals(lost + twice + unexplained == 0, verdict.clean());
  }

  private static HandMadeEvidence evidence() {
    return new HandMadeEvidence();
  }

  private static HandMadeEvidence queued(JobOperation... operations) {
    return evidence().request(TOKEN, JOB, operations).queued(0, JOB, TOKEN);
  }

  @Test
  void nothingIsWrongWithOrdinaryJobs() {
    expect(0, 0, 0, evidence().ordinary(JOB, TOKEN).ordinary("2.host", "t000002"));
  }

  @Test
  void aDeletedJobMayHaveNoRunAndARerunOneHasTwo() {
    expect(0, 0, 0, queued(JobOperation.DELETE).deleted(0, JOB));
    HandMadeEvidence rerun = queued(JobOperation.RERUN).granted(0, JOB, 1, 1).requeued(0, JOB, 1);
    expect(0, 0, 0, rerun.granted(0, JOB, 2, 1).line(JOB, 2, TOKEN).finished(0, JOB, 2, 0));
  }

  @Test
  void accountsTellEachFactOnce() {
    String queued = "11/20/2026 15:35:54;Q;1.host;user=alice queue=workq ";
    String started = "11/20/2026 15:35:55;S;1.host;user=alice ";
    String ended = "11/20/2026 15:35:56;E;1.host;user=alice end=1 Exit_status=0 run_count=1";
    expect(0, 0, 0, evidence().ordinary(JOB, TOKEN).accounts(queued, started, ended));
    expect(1, 0, 0, evidence().ordinary(JOB, TOKEN).accounts(queued, ended));
    expect(0, 1, 0, evidence().ordinary(JOB, TOKEN).accounts(queued, queued, started, ended));
    String other = ended.replace("status=0", "status=1");
    expect(1, 1, 0, evidence().ordinary(JOB, TOKEN).accounts(queued, started, other));
    String torn = ended.substring(0, 20);
    expect(0, 1, 0, evidence().ordinary(JOB, TOKEN).accounts(queued, started, ended, torn));
    HandMadeEvidence rerun = queued(JobOperation.RERUN).granted(0, JOB, 1, 1).requeued(0, JOB, 1);
    rerun = rerun.granted(0, JOB, 2, 1).line(JOB, 2, TOKEN).finished(0, JOB, 2, 0);
    String again = "11/20/2026 15:35:55;R;1.host;user=alice end=1 Exit_status=271 run_count=1";
    expect(0, 0, 0, rerun.accounts(queued, again, started, ended));
  }

  @Test
  void aRefusedSubmissionWithoutAJobIsInOrder() {
    expect(0, 0, 0, evidence().request(TOKEN, null));
  }

  @Test
  void aConfirmedJobThatTheLedgerDoesNotHave() {
    expect(1, 0, 0, evidence().request(TOKEN, JOB));
  }

  @Test
  void aJobThatNeverEnds() {
    expect(1, 0, 0, queued());
    expect(1, 0, 0, queued().granted(0, JOB, 1, 1).line(JOB, 1, TOKEN));
  }

  @Test
  void oneTokenAsTwoJobs() {
    expect(
        0,
        1,
        0,
        evidence()
            .ordinary(JOB, TOKEN)
            .queued(0, "2.host", TOKEN)
            .granted(0, "2.host", 1, 1)
            .line("2.host", 1, TOKEN)
            .finished(0, "2.host", 1, 0));
  }

  @Test
  void aJobQueuedTwice() {
    HandMadeEvidence evidence = evidence().ordinary(JOB, TOKEN).queued(0, JOB, TOKEN);
    expect(0, 1, 0, evidence);
  }

  @Test
  void aRunThatWroteItsLineTwice() {
    expect(0, 1, 0, evidence().ordinary(JOB, TOKEN).line(JOB, 1, TOKEN));
  }

  @Test
  void aRunThatEndedTwice() {
    expect(0, 1, 0, evidence().ordinary(JOB, TOKEN).finished(0, JOB, 1, 0));
  }

  @Test
  void aRunGrantedTwice() {
    expect(
        0,
        1,
        0,
        queued()
            .granted(0, JOB, 1, 1)
            .granted(0, JOB, 1, 1)
            .line(JOB, 1, TOKEN)
            .finished(0, JOB, 1, 0));
  }

  @Test
  void aRunGrantedBesideAnother() {
    HandMadeEvidence two = queued().granted(0, JOB, 1, 1).granted(0, JOB, 2, 1).line(JOB, 2, TOKEN);
    expect(0, 1, 0, two.finished(0, JOB, 2, 0));
  }

  @Test
  void aRunThatWasNeverGranted() {
    expect(0, 0, 1, evidence().ordinary(JOB, TOKEN).line(JOB, 2, TOKEN));
    expect(0, 0, 1, evidence().ordinary(JOB, TOKEN).line("9.host", 1, "t000009"));
  }

  @Test
  void aRunThatEndedWithoutAGrant() {
    expect(0, 0, 1, queued().line(JOB, 1, TOKEN).finished(0, JOB, 1, 0));
  }

  @Test
  void aJobWhoseSubmissionFailed() {
    HandMadeEvidence evidence = evidence().request(TOKEN, null).queued(0, JOB, TOKEN);
    expect(0, 0, 1, evidence.granted(0, JOB, 1, 1).line(JOB, 1, TOKEN).finished(0, JOB, 1, 0));
  }

  @Test
  void aJobOfNobody() {
    HandMadeEvidence evidence = evidence().queued(0, JOB, "stranger").granted(0, JOB, 1, 1);
    expect(0, 0, 1, evidence.line(JOB, 1, "stranger").finished(0, JOB, 1, 0));
  }

  @Test
  void aJobThatEndedWithoutItsLine() {
    expect(0, 0, 1, queued().granted(0, JOB, 1, 1).finished(0, JOB, 1, 0));
    expect(0, 0, 0, queued(JobOperation.DELETE).granted(0, JOB, 1, 1).finished(0, JOB, 1, 271));
  }

  @Test
  void anotherJobsScriptRan() {
    HandMadeEvidence evidence = queued().granted(0, JOB, 1, 1).line(JOB, 1, "t000002");
    expect(0, 0, 1, evidence.finished(0, JOB, 1, 0));
  }

  @Test
  void anotherExitStatus() {
    HandMadeEvidence evidence = queued().granted(0, JOB, 1, 1).line(JOB, 1, TOKEN);
    expect(0, 0, 1, evidence.finished(0, JOB, 1, 7));
  }

  @Test
  void deletedOrRerunWhenNobodyAskedForIt() {
    expect(0, 0, 1, queued().deleted(0, JOB));
    HandMadeEvidence rerun = queued().granted(0, JOB, 1, 1).line(JOB, 1, TOKEN).requeued(0, JOB, 1);
    expect(0, 0, 1, rerun.granted(0, JOB, 2, 1).line(JOB, 2, TOKEN).finished(0, JOB, 2, 0));
  }

  @Test
  void aGapInTheLedger() {
    expect(0, 0, 1, evidence().ordinary(JOB, TOKEN).gap(0).ordinary("2.host", "t000002"));
  }

  @Test
  void aHandOverThatWentWell() {
    HandMadeEvidence evidence =
        queued(JobOperation.MOVE).offered(0, JOB, 1).engine(1, 4).accepted(1, JOB, TOKEN, 0);
    evidence.handedOver(0, JOB, 1).granted(1, JOB, 1, 4).line(JOB, 1, TOKEN);
    expect(0, 0, 0, evidence.finished(1, JOB, 1, 0));
    HandMadeEvidence refused =
        queued(JobOperation.MOVE).offered(0, JOB, 1).kept(0, JOB).granted(0, JOB, 1, 1);
    expect(0, 0, 0, refused.line(JOB, 1, TOKEN).finished(0, JOB, 1, 0));
  }

  @Test
  void aJobInTwoShards() {
    HandMadeEvidence evidence =
        queued(JobOperation.MOVE).offered(0, JOB, 1).kept(0, JOB).engine(1, 4);
    evidence.accepted(1, JOB, TOKEN, 0).granted(1, JOB, 1, 4).line(JOB, 1, TOKEN);
    expect(0, 1, 0, evidence.finished(1, JOB, 1, 0));
  }

  @Test
  void aJobInNoShard() {
    HandMadeEvidence evidence = queued(JobOperation.MOVE).offered(0, JOB, 1).handedOver(0, JOB, 1);
    expect(1, 0, 0, evidence);
  }

  @Test
  void aGrantWhereTheJobIsNot() {
    HandMadeEvidence evidence = queued(JobOperation.MOVE).offered(0, JOB, 1).granted(0, JOB, 1, 1);
    evidence.line(JOB, 1, TOKEN).finished(0, JOB, 1, 0).kept(0, JOB);
    expect(0, 0, 1, evidence);
  }

  @Test
  void anEpochThatDoesNotGrow() {
    expect(0, 0, 1, evidence().engine(0, 2).engine(0, 2));
  }

  @Test
  void anEngineThatWasReplacedIsObeyed() {
    HandMadeEvidence evidence = queued().engine(0, 2).granted(0, JOB, 1, 1).line(JOB, 1, TOKEN);
    expect(0, 0, 1, evidence.finished(0, JOB, 1, 0));
    assertTrue(evidence.verdict().defects().toString().contains("was obeyed while 2 held"));
  }
}
