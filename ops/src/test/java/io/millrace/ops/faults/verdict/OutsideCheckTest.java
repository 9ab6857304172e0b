package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.CommandNote;
import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.OutsideEvidence.KillSpan;
import io.millrace.ops.faults.evidence.OutsideEvidence.OutsideMoments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What can be wrong with runs in an outside system is found, and what is right is not. */
class OutsideCheckTest {
  private static final String JOB = "1.host";
  private static final String TOKEN = "t000001";
  private static final String TAG = "mr.c1.1.1";

  /** Facts of the evidence are of this moment, and some milliseconds later. */
  private static final long NOW = 1000;

  private final List<OutsideAccount> accounts = new ArrayList<>();
  private final Map<String, Long> claims = new HashMap<>();
  private final Map<String, Long> ends = new HashMap<>();
  private final List<CommandNote> commands = new ArrayList<>();
  private List<KillSpan> connectorKills = List.of();
  private Set<Long> present = Set.of();
  private final HandMadeEvidence evidence = new HandMadeEvidence();

  private HandMadeEvidence granted(JobOperation... operations) {
    return evidence
        .request(TOKEN, JOB, operations)
        .queuedTo("c1", JOB, TOKEN, "")
        .granted(0, JOB, 1, 1);
  }

  /** A job of the outside system that has begun the run. */
  private void begun(long number) {
    claims.put(TAG, number);
    evidence.line(JOB, 1, TOKEN);
  }

  private void ran(long endMs) {
    ends.put(JOB + " 1", endMs);
  }

  private void account(long number, boolean exited, int status, long endMs) {
    accounts.add(new OutsideAccount(TAG, number, exited, false, status, endMs));
  }

  private Verdict verdict() {
    OutsideMoments moments = new OutsideMoments(connectorKills, NOW, present);
    evidence.outside(new OutsideEvidence("c1", accounts, claims, ends, commands, moments));
    return evidence.verdict();
  }

  private void good() {
    Verdict verdict = verdict();
    assertTrue(verdict.clean(), () -> verdict.defects().toString());
  }

  private void bad(String kind, String words) {
    List<String> defects = verdict().defects().stream().map(Defect::toString).toList();
    assertEquals(1, defects.size(), defects::toString);
    assertTrue(defects.get(0).startsWith(kind + " " + JOB + ": "), defects::toString);
    assertTrue(defects.get(0).contains(words), defects::toString);
  }

  private void ordinary() {
    granted();
    begun(7);
    ran(NOW);
    account(7, true, 0, NOW);
    evidence.finished(0, JOB, 1, 0);
  }

  @Test
  void nothingIsWrongWithAnOrdinaryJob() {
    ordinary();
    good();
  }

  @Test
  void aScriptThatBeganTwice() {
    ordinary();
    evidence.line(JOB, 1, TOKEN);
    bad("TWICE", "wrote its line 2 times");
  }

  @Test
  void aJobThatNeverEnds() {
    granted();
    begun(7);
    bad("LOST", "never ended");
  }

  @Test
  void aRunThatIsCalledEndedWhileItsScriptRuns() {
    granted();
    begun(7);
    ran(NOW + 30_000);
    account(7, true, 0, NOW + 30_000);
    evidence.finished(0, JOB, 1, -4, "cluster c1: not known outside, and no record of it");
    List<Defect> defects = verdict().defects();
    assertEquals(1, verdict().endedEarly());
    assertEquals(2, defects.size(), defects::toString);
    assertEquals(1, verdict().disagreements(), "the status is another, too");
  }

  @Test
  void aRunThatIsCalledEndedAndIsStillThere() {
    granted();
    begun(7);
    present = Set.of(7L);
    evidence.finished(0, JOB, 1, -4, "cluster c1: not known outside, and no record of it");
    bad("ENDED_EARLY", "is in the queue there");
  }

  @Test
  void aRunThatIsCalledEndedBeforeTheSystemDoes() {
    granted();
    begun(7);
    account(7, false, 0, NOW + 5_000);
    evidence.finished(0, JOB, 1, -4, "cluster c1: not known outside, and no record of it");
    bad("ENDED_EARLY", "ended there later");
  }

  @Test
  void aRunThatIsTwoJobsThere() {
    ordinary();
    account(8, true, 0, NOW);
    bad("SUBMITTED_AGAIN", "is the jobs [7, 8] there");
  }

  @Test
  void theHarnessAndCommandsThatOutliveTheirConnectorMayMakeTwoOfIt() {
    ordinary();
    account(8, true, 0, NOW);
    commands.add(note(500, CommandNote.DOUBLED, 8, 400));
    good();
    commands.set(0, note(500, CommandNote.CARRIED, 8, 400));
    assertEquals(1, verdict().submittedAgain());
    connectorKills = List.of(new KillSpan(440, 450));
    good();
    connectorKills = List.of(new KillSpan(490, 600));
    good(); // its end was seen after the command's
    connectorKills = List.of(new KillSpan(590, 600));
    assertEquals(1, verdict().submittedAgain());
    commands.add(note(700, CommandNote.DOUBLED, 9, 650));
    assertEquals(1, verdict().submittedAgain(), "another job excuses nothing");
  }

  @Test
  void aCommandThatWasEndedWhileItMadeTheSecondOneMayHaveMadeIt() {
    ordinary();
    account(8, true, 0, NOW);
    commands.add(note(500, CommandNote.CARRIED, 7, 400));
    assertEquals(1, verdict().submittedAgain());
    commands.add(new CommandNote(510, "sbatch", CommandNote.DOUBLING, List.of(TAG)));
    good();
    commands.add(note(520, CommandNote.DOUBLED, 9, 511));
    assertEquals(1, verdict().submittedAgain(), "its second one is another job");
  }

  private static CommandNote note(long atMs, String what, long number, long begunMs) {
    return new CommandNote(atMs, "sbatch", what, List.of(TAG, "" + number, "" + begunMs));
  }

  @Test
  void anotherStatusThanAccountingHas() {
    granted();
    begun(7);
    ran(NOW);
    account(7, true, 3, NOW);
    evidence.finished(0, JOB, 1, 0);
    bad("DISAGREES", "status=3");
  }

  @Test
  void anEndThatIsToldTooLate() {
    granted();
    begun(7);
    ran(NOW - 70_000);
    account(7, true, 0, NOW - 70_000);
    evidence.finished(0, JOB, 1, 0);
    // Everything was back just now, so that it could not be told before.
    good();
    OutsideMoments before = new OutsideMoments(List.of(), NOW - 65_000, Set.of());
    evidence.outside(new OutsideEvidence("c1", accounts, claims, ends, commands, before));
    assertEquals(1, evidence.verdict().disagreements());
  }

  @Test
  void anExitWithoutItsScript() {
    granted();
    claims.put(TAG, 7L);
    account(7, true, 0, NOW);
    evidence.finished(0, JOB, 1, 0);
    bad("LOST", "its script never began");
  }

  @Test
  void whatTheSystemLostIsToldInWords() {
    granted();
    evidence.finished(0, JOB, 1, 271, "cancelled in cluster c1: removed outside before it began");
    good();
  }

  @Test
  void anEndWithoutAWord() {
    granted();
    evidence.finished(0, JOB, 1, 271);
    bad("LOST", "its script never began; it ended without a word");
  }

  @Test
  void aKillThatNobodyAskedFor() {
    granted();
    begun(7);
    account(7, false, 0, NOW);
    evidence.finished(0, JOB, 1, 271);
    bad("UNEXPLAINED", "without a word");
  }

  @Test
  void aDeletedJobMayHaveBeenAnywhere() {
    granted(JobOperation.DELETE);
    evidence.finished(0, JOB, 1, 271);
    good();
    begun(7);
    good();
    account(7, false, 15, NOW);
    good();
    ran(NOW);
    good();
  }

  @Test
  void aScriptThatRanToItsEndHasItsStatus() {
    granted();
    begun(7);
    ran(NOW);
    evidence.finished(0, JOB, 1, -4, "cluster c1: not known outside, and no record of it");
    bad("DISAGREES", "ran to its end");
  }

  private void requeued(String why) {
    evidence.requeued(0, JOB, 1, why).granted(0, JOB, 2, 1).line(JOB, 2, TOKEN);
    evidence.finished(0, JOB, 2, 0);
    claims.put("mr.c1.1.2", 9L);
    accounts.add(new OutsideAccount("mr.c1.1.2", 9, true, false, 0, NOW));
  }

  /** As one that was handed to a host whose daemon was killed before it had it. */
  @Test
  void aRunThatTheSystemLostWithItsHostMayGoAgain() {
    granted();
    accounts.add(new OutsideAccount(TAG, 7, false, true, 0, NOW));
    requeued("rerun: cluster c1: Slurm: NODE_FAIL");
    good();
    ran(NOW);
    bad("UNEXPLAINED", "requeued");
    ends.clear();
    begun(8);
    bad("UNEXPLAINED", "requeued");
  }

  @Test
  void aRunThatTheSystemHasNotLostMayNot() {
    granted();
    account(7, false, 0, NOW);
    requeued("rerun: cluster c1: Slurm: NODE_FAIL");
    bad("UNEXPLAINED", "requeued");
  }

  @Test
  void aRunThatIsLostIsToldInWords() {
    granted();
    accounts.add(new OutsideAccount(TAG, 7, false, true, 0, NOW));
    requeued("rerun");
    bad("UNEXPLAINED", "requeued");
  }
}
