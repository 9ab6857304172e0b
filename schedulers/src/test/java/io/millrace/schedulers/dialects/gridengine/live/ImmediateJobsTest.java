package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs that start at once or are given up ({@code -now y}). */
class ImmediateJobsTest extends LiveCellFixture {
  @Test
  void anImmediateJobIsLookedAtOnce() {
    submit(1, "-l license=3");
    assertEquals(1, run(0).size());
    submit(2, "-now y -l license=1");
    assertEquals(List.of(), run(1));
    end(1);
    assertEquals(List.of(), run(2));
    assertTrue(reasons().get("gridengine job;2").startsWith("SGE_NOT_AT_ONCE"));
  }

  @Test
  void theEndOfAJobThatCannotStartAtOnceIsProposedUntilTheShardAgrees() {
    submit(1, "-now y -l license=9");
    assertEquals(List.of(1L), givenUp(0));
    assertEquals(List.of(), givenUp(1), "no answer yet");
    state.notGivenUp(1);
    assertEquals(List.of(1L), givenUp(2));
    end(1);
    assertEquals(List.of(), givenUp(3));
  }

  @Test
  void aJobThatTheShardDoesNotKnowToBeImmediateIsNotGivenUp() {
    Job job = submit(1, "-now y -l license=9");
    job.getSpec().getGridEngine().setImmediate(false);
    state.altered(1, job.getSpec(), false);
    assertEquals(List.of(), givenUp(0));
  }

  @Test
  void tasksThatDoNotStartAtOnceAreGivenUpOneByOne() {
    for (int task = 1; task <= 6; task++) {
      submit(10 + task, "-now y -t 1-6", 11, task);
    }
    LiveScheduler.LiveOutcome outcome = scheduler.run(NOW, Long.MAX_VALUE);
    assertEquals(List.of(11L, 12L, 13L, 14L), numbers(outcome.launches()));
    assertEquals(List.of(15L, 16L), outcome.givenUp());
  }

  @Test
  void noMoreAreGivenUpThanMayBeProposed() {
    scheduler = new LiveScheduler(state, 1, NO_LIMITS);
    submit(1, "-now y -l license=9");
    submit(2, "-now y -l license=9");
    assertEquals(List.of(1L), givenUp(0));
    assertEquals(List.of(), givenUp(1));
    end(1);
    assertEquals(List.of(2L), givenUp(2));
  }

  @Test
  void aJobThatHasRunIsNotGivenUp() {
    submit(1, "-now y -l license=3");
    grant(run(0).get(0), 0);
    state.holds(1, "o");
    state.requeued(1);
    submit(2, "-l license=3");
    assertEquals(List.of(2L), numbers(run(1)));
    state.holds(1, "n");
    assertEquals(List.of(), givenUp(2));
    LiveState restored = new LiveState("default", 0);
    tell(restored);
    submit(3, "-now y -l license=9").setRun(1);
    restored.job(jobs.get(3L));
    assertEquals(
        List.of(), new LiveScheduler(restored, 100, NO_LIMITS).run(NOW, Long.MAX_VALUE).givenUp());
    end(2);
    assertEquals(List.of(1L), numbers(run(3)), "it runs again when it can");
  }

  @Test
  void aJobThatIsHeldOrNotYetDueIsNotGivenUp() {
    submit(1, "-now y -l license=9");
    state.holds(1, "u");
    long due = NOW.getEpochSecond() + 5;
    submit(2, "-now y -l license=9 -a @" + due);
    assertEquals(List.of(), givenUp(0));
    state.holds(1, "n");
    assertEquals(List.of(1L), givenUp(1));
    assertEquals(List.of(2L), givenUp(5));
  }

  @Test
  void anImmediateJobThatTheShardRefusedIsNotGivenUpBeforeItIsTriedAgain() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 2\n");
    state.written(object());
    submit(1, "-now y");
    run(0);
    refuse(1, 0, 3);
    assertEquals(List.of(), givenUp(1));
    submit(2, "-l h_rt=9");
    assertEquals(List.of(2L), numbers(run(2)), "the host is there for others");
    submit(3, "");
    assertEquals(List.of(3L), numbers(run(2)));
    assertEquals(List.of(1L), givenUp(3), "now it had its chance");
  }

  @Test
  void anImmediateJobThatWasRefusedEverywhereIsTriedAgain() {
    submit(1, "-now y");
    for (int host = 1; host <= 2; host++) {
      assertEquals(1, run(host).size());
      refuse(1, host, 100);
    }
    assertEquals(List.of(), givenUp(3));
    assertEquals(List.of(1L), numbers(run(101)));
  }

  @Test
  void anImmediateJobThatWasRefusedIsGivenUpOnceItsQueueIsStopped() {
    submit(1, "-now y");
    run(0);
    refuse(1, 0, 100);
    state.written(Records.object(ObjectKind.QUEUE, "workq", "started", "False"));
    assertEquals(List.of(1L), givenUp(1));
  }

  @Test
  void anImmediateJobThatOneHostRefusesAgainIsGivenUp() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 2\n");
    state.written(object());
    for (int task = 11; task <= 12; task++) {
      submit(task, "-now y -t 1-2", 1, task - 10);
    }
    assertEquals(List.of(11L, 12L), numbers(run(0)));
    refuse(11, 0, 3);
    refuse(12, 0, 3);
    assertEquals(List.of(), givenUp(1), "those of one run are one");
    assertEquals(List.of(11L, 12L), numbers(run(3)));
    refuse(11, 3, 3);
    refuse(12, 3, 3);
    assertEquals(List.of(11L, 12L), givenUp(4));
  }

  @Test
  void anImmediateJobIsGivenUpWhateverKeepsItFromStarting() {
    submit(1, "-now y");
    state.written(Records.object(ObjectKind.QUEUE, "workq", "started", "False"));
    assertEquals(List.of(1L), givenUp(0), "its queue is stopped");
    submit(2, "-now y -l nosuch=1");
    assertEquals(List.of(2L), givenUp(1), "there is no place for it");
    files.put("sched", "schedule_interval never\n");
    state.written(object());
    submit(3, "-now y");
    assertEquals(List.of(), givenUp(2), "an administrator's mistake deletes nobody's jobs");
  }

  @Test
  void aRunThatIsCutGivesUpTheImmediateJobsThatItCameTo() {
    submit(1, "-now y -l license=9");
    submit(2, "-now y -l license=9,h_rt=1");
    assertEquals(List.of(), scheduler.run(NOW, 0).launches());
    Map<String, String> first = reasons();
    assertTrue(first.get("gridengine job;1").startsWith("SGE_NOT_AT_ONCE"), first::toString);
    assertFalse(first.containsKey("gridengine job;2"), "it was not come to");
    run(1);
    assertTrue(reasons().get("gridengine job;2").startsWith("SGE_NOT_AT_ONCE"));
  }

  @Test
  void anImmediateJobWhoseStartWasNotProposedIsNotGivenUp() {
    scheduler = new LiveScheduler(state, 1, NO_LIMITS);
    submit(1, "-now y");
    submit(2, "-now y");
    List<ProposedStart> first = run(0);
    assertEquals(1, first.size());
    grant(first.get(0), 0);
    assertEquals(List.of(2L), run(1).stream().map(ProposedStart::number).toList());
  }
}
