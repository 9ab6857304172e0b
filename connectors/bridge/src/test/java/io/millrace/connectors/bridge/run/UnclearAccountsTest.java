package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounts whose submissions bring no clear answer, as by what stands in their homes. */
class UnclearAccountsTest {

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private Set<String> unclear = Set.of();
  private PlayedRuns runs;
  private RunJournal journal;
  private RunSubmitter submitter;
  private int ordered;

  @BeforeEach
  void open() throws Exception {
    journal = RunJournal.open(folder);
    runs = new PlayedRuns(folder, this::answer);
    runs.terms = RunSubmitterTest.TERMS;
    submitter = runs.submitter(journal);
  }

  @AfterEach
  void close() throws Exception {
    journal.close();
  }

  private Object answer(String question, Object... arguments) {
    if (!question.equals("submit")) {
      throw new UnsupportedOperationException(question);
    }
    String account = ((OutsideSubmission) arguments[0]).account();
    asked.add(account);
    if (account.equals("zoe")) {
      return new Submitted.AccountRefused("no password");
    }
    return unclear.contains(account)
        ? new Submitted.SubmissionUnclear("no answer within 20 s")
        : new Submitted.Accepted(OutsideId.of(asked.size()));
  }

  private void order(String account, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      journal.put(runs.ordered(new OutsideTag("c1", Integer.toString(++ordered), 1), account));
    }
  }

  private Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    asked.forEach(it -> counts.merge(it, 1, Integer::sum));
    return counts;
  }

  /** What is wrong is his: he waits, in pauses that grow, and nobody else. */
  @Test
  void oneOfThemKeepsNobodyElseWaiting() throws Exception {
    unclear = Set.of("mallory");
    order("mallory", 4);
    order("alice", 1);
    submitter.submitDue();
    assertEquals(Map.of("mallory", 3, "alice", 1), counts());
    assertFalse(runs.breaker.isOpen());
    assertEquals(1, journal.count(OutsideRunState.SUBMITTED));
    assertEquals(Optional.of("no answer within 20 s"), submitter.trouble("mallory"));
    order("alice", 2);
    submitter.submitDue();
    assertEquals(Map.of("mallory", 3, "alice", 3), counts());
    runs.now = runs.now.plusSeconds(5);
    submitter.submitDue();
    assertEquals(4, counts().get("mallory"), "tried again");
    unclear = Set.of();
    runs.now = runs.now.plusSeconds(10);
    order("mallory", 2);
    submitter.submitDue();
    assertEquals(6, counts().get("mallory"));
    assertEquals(Optional.empty(), submitter.trouble("mallory"));
    assertFalse(runs.breaker.isOpen());
  }

  /** Nothing is tried in its name any more, so that nobody would ever find that it is mended. */
  @Test
  void anAccountWithoutRunsIsNobodysTrouble() throws Exception {
    order("zoe", 1);
    submitter.submitDue();
    assertEquals(Optional.of("in the name of zoe: no password"), submitter.trouble());
    journal.put(journal.run(new OutsideTag("c1", "1", 1)).orElseThrow().toDelete());
    submitter.submitDue();
    assertEquals(Optional.empty(), submitter.trouble());
    order("zoe", 1);
    submitter.submitDue();
    assertEquals(List.of("zoe", "zoe"), asked);
  }

  /** An answer that is lost now and then is no trouble of an account's. */
  @Test
  void hisOwnAnswersBetweenThemClearHim() throws Exception {
    for (int i = 0; i < 20; i++) {
      unclear = i % 3 == 0 ? Set.of() : Set.of("alice");
      order("alice", 1);
      submitter.submitDue();
    }
    assertEquals(20, asked.size());
    assertFalse(runs.breaker.isOpen());
    assertEquals(Optional.empty(), submitter.trouble());
  }

  /** Where several accounts get none it is the system that does not answer. */
  @Test
  void severalOfThemAreTheCluster() throws Exception {
    unclear = Set.of("alice", "bob", "carol", "dave");
    order("alice", 1);
    order("bob", 1);
    order("carol", 1);
    order("dave", 1);
    submitter.submitDue();
    assertEquals(List.of("alice", "bob", "carol"), asked);
    assertTrue(runs.breaker.isOpen());
  }
}
