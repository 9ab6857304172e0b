package io.millrace.ops.faults.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.OutsideEvidence.OutsideMoments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tasks of a campaign that ran in an outside system are held against what that one says. */
class OutsideTaskTest {

  private static final String HERE = "1.host";
  private static final String THERE = "2.host";
  private static final String TAG = "mr.c1.2.1.1.1.1";
  private static final long NOW = 1000;

  private HandMadeCampaign campaign = new HandMadeCampaign(2).done(0, 1, HERE);
  private final List<OutsideAccount> accounts = new ArrayList<>();
  private final Map<String, Long> claims = new HashMap<>();
  private final Map<String, Long> scriptEnds = new HashMap<>();

  private Verdict verdict() {
    OutsideMoments moments = new OutsideMoments(List.of(), NOW, Set.of());
    campaign
        .jobs()
        .outside(new OutsideEvidence("c1", accounts, claims, scriptEnds, List.of(), moments));
    return campaign.verdict();
  }

  private void account(String tag, long number, boolean exited) {
    accounts.add(new OutsideAccount(tag, number, exited, false, 0, NOW));
    claims.putIfAbsent(tag, number);
  }

  private void good() {
    Verdict verdict = verdict();
    assertTrue(verdict.clean(), () -> verdict.defects().toString());
  }

  private void bad(String kind, String words) {
    List<String> defects = verdict().defects().stream().map(Defect::toString).toList();
    assertEquals(1, defects.size(), defects::toString);
    assertTrue(defects.get(0).startsWith(kind + " "), defects::toString);
    assertTrue(defects.get(0).contains(words), defects::toString);
  }

  private void ordinary() {
    campaign.doneOutside(1, 1, THERE, 0).ended(2);
    account(TAG, 7, true);
  }

  /** Two tasks ran there, of which the second has its account. */
  private void besideAnother() {
    campaign = new HandMadeCampaign(3).done(0, 1, HERE);
    campaign.doneOutside(1, 1, THERE, 0).doneOutside(2, 1, "3.host", 0).ended(3);
    account("mr.c1.3.1.1.2.1", 9, true);
  }

  @Test
  void oneThatRanThereIsDone() {
    ordinary();
    good();
  }

  @Test
  void oneThatCarriesAnotherAttemptThere() {
    campaign.doneOutside(1, 1, THERE, 0).ended(2);
    account("mr.c1.2.1.1.1.2", 7, true);
    List<String> defects = verdict().defects().stream().map(Defect::toString).toList();
    assertTrue(
        defects.stream().anyMatch(it -> it.startsWith("UNEXPLAINED mr.c1.2.1.1.1.2: ")),
        defects::toString);
  }

  @Test
  void oneThatIsTwoJobsThere() {
    ordinary();
    account(TAG, 8, true);
    bad("SUBMITTED_AGAIN", "is the jobs [7, 8] there");
  }

  @Test
  void oneThatHasAnotherEndThere() {
    ordinary();
    accounts.set(0, new OutsideAccount(TAG, 7, true, false, 3, NOW));
    assertEquals(1, verdict().disagreements(), () -> verdict().defects().toString());
  }

  @Test
  void oneThatEndedThereLater() {
    ordinary();
    accounts.set(0, new OutsideAccount(TAG, 7, true, false, 0, NOW + 9_000));
    bad("ENDED_EARLY", "ended there later");
  }

  /** Its master was killed before it wrote into its accounting. */
  @Test
  void oneOfWhichOnlyItsScriptTellsTheEnd() {
    besideAnother();
    accounts.add(new OutsideAccount(TAG, 7, false, false, 0, NOW));
    claims.put(TAG, 7L);
    bad("UNEXPLAINED", "ended without a word");
    scriptEnds.put(THERE + " 1", NOW);
    good();
  }

  /** The same, and the system began it again: the copy found that it had begun and ended. */
  @Test
  void oneWhoseCopyIsWhatAccountingKnows() {
    besideAnother();
    accounts.add(new OutsideAccount(TAG, 7, true, false, RunWrapper.SECOND_COPY, NOW + 9_000));
    claims.put(TAG, 7L);
    assertFalse(verdict().clean());
    scriptEnds.put(THERE + " 1", NOW);
    good();
  }

  @Test
  void whatWasLostThereIsToldInWords() {
    campaign.lostOutside(1, 1, THERE, "cluster c1: not known outside, and no record of it");
    campaign.doneOutside(1, 2, "3.host", 0).ended(2);
    account("mr.c1.3.1.1.1.2", 9, true);
    good();
  }

  @Test
  void whatWasLostThereWithoutAWord() {
    campaign.lostOutside(1, 1, THERE, "").doneOutside(1, 2, "3.host", 0).ended(2);
    account("mr.c1.3.1.1.1.2", 9, true);
    bad("LOST", "ended without a word");
  }

  /** A job of ours wrote no line: that it is excused there excuses none elsewhere. */
  @Test
  void aSilentRunHereIsUnexplained() {
    ordinary();
    campaign.sent(1, 2).job("3.host", 1, 2, 0).dropped(1, 2, "3.host");
    bad("UNEXPLAINED", "wrote no line");
  }

  @Test
  void noTaskRanThere() {
    campaign.done(1, 1, THERE).ended(2);
    bad("UNEXPLAINED", "no task of the campaign ran there");
  }
}
