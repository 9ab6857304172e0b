package io.millrace.server.core.run.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.fact.RunOutsideNoted;
import io.millrace.schemas.output.StartRun;
import io.millrace.server.core.shard.TestShards;
import org.junit.jupiter.api.Test;

/** What an outside system says of a run is the job's comment, as long as the run lasts. */
class RunOutsideTest {
  private final TestShards shards = TestShards.threePartitions();
  private final StartRun run = shards.running("ann");

  private void say(int number, String text) {
    shards.send(
        run.getShard(),
        new ReportRunOutside(
            shards.executor(run.getHost()), run.getJobId(), number, run.getHost(), text));
    shards.run();
  }

  private String comment() {
    return shards.job(run.getJobId()).getComment();
  }

  @Test
  void itIsNotedWhenItChanges() {
    say(run.getRun(), "waits\nthere");
    say(run.getRun(), "waits there");
    assertEquals("waits there", comment());
    assertEquals(1, shards.facts(RunOutsideNoted.class).size());
    say(run.getRun(), "x".repeat(1000));
    assertEquals("x".repeat(300) + "...", comment());
    say(run.getRun(), "\u001b[2J\u009b2J\u007f");
    assertEquals(" [2J 2J ", comment());
    say(run.getRun(), "");
    assertEquals("", comment());
  }

  @Test
  void aRunThatIsOverIsNotSpokenOf() {
    say(run.getRun() + 1, "another run");
    assertEquals("", comment());
    shards.finished(run, 0);
    String before = comment();
    say(run.getRun(), "late");
    assertEquals(before, comment());
  }
}
