package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose script has begun, and of which nothing is ever told again. */
class UntoldEndsTest {

  private static final Duration STEP = Duration.ofSeconds(20);
  private static final Duration DELAY = Duration.ofSeconds(30);
  private static final OutsideId NUMBER = OutsideId.of(7);
  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir Path folder;

  private PlayedRuns runs;

  @BeforeEach
  void begin() {
    runs = new PlayedRuns(folder);
    runs.terms = PlayedRuns.terms(DELAY, 9);
  }

  private OutsideBridge bridge(RunJournal journal) {
    return runs.bridge(journal);
  }

  private void aRunThatHasBegun(RunJournal journal) throws Exception {
    runs.begun(TAG, NUMBER);
    journal.put(runs.submitted(TAG, NUMBER));
  }

  private OutsideRun after(OutsideBridge bridge, Duration time) throws Exception {
    long steps = Math.max(1, time.dividedBy(STEP));
    runs.steps(bridge, (int) steps, STEP);
    return bridge.run(TAG).orElseThrow();
  }

  /** As of a Slurm without accounting, whose host has died. */
  @Test
  void oneThatIsDeletedHereEndsSomeDay() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      aRunThatHasBegun(journal);
      assertEquals(
          OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofHours(3)).state(), "for ever");
      bridge.delete(TAG);
      assertEquals(OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofMinutes(50)).state());
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideRun run = after(bridge(journal), Duration.ofMinutes(20));
      assertEquals(OutsideRunState.ENDED, run.state());
      assertEquals(OutsideCause.CANCELLED, run.end().orElseThrow().cause());
    }
  }

  /** What was waited for before it was seen counts no more. */
  @Test
  void oneThatIsSeenAgainIsWaitedForAnew() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      aRunThatHasBegun(journal);
      after(bridge, Duration.ofMinutes(3));
      bridge.delete(TAG);
      after(bridge, Duration.ofMinutes(50));
      runs.queue.add(ShownJobs.job(NUMBER, PlayedRuns.ACCOUNT, TAG, OutsideState.RUNNING));
      assertEquals(OutsideRunState.RUNNING, after(bridge, STEP).state());
      runs.queue.clear();
      assertEquals(OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofMinutes(50)).state());
    }
  }
}
