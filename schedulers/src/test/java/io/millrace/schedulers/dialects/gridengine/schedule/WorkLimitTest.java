package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run that has used up its work ends and names the jobs that it did not reach. */
class WorkLimitTest {

  private final GridEngineScene scene =
      new GridEngineScene()
          .queue("qname all.q\nhostlist node01 node02\nslots 1\n")
          .job("A", "")
          .job("B", "")
          .job("C", "-p -5");

  private Decisions decide(long units) {
    return GridEngineScheduler.decide(
        scene.state(), Instant.ofEpochSecond(GridEngineScene.NOW), units);
  }

  private static List<Long> started(Decisions decisions) {
    return decisions.starts().stream().map(Decisions.TaskDecision::job).toList();
  }

  @Test
  void theMostImportantJobIsLookedAtWhateverItCosts() {
    Decisions decisions = decide(0);
    assertEquals(List.of(1L), started(decisions));
    assertTrue(decisions.effort().cut());
    assertEquals(Code.WORK_LIMIT, decisions.waiting().get(2L).reason().code());
    assertEquals(Code.WORK_LIMIT, decisions.waiting().get(3L).reason().code());
  }

  @Test
  void aRunWithoutLimitTellsItsWork() {
    Decisions decisions = decide(Long.MAX_VALUE);
    assertEquals(List.of(1L, 2L), started(decisions));
    assertFalse(decisions.effort().cut());
    long work = decisions.effort().units();
    assertEquals(work, decide(work).effort().units());
    assertFalse(decide(work).effort().cut());
    assertTrue(decide(2).effort().units() < work);
  }
}
