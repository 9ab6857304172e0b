package io.millrace.server.core.job.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NoteWhereabouts;
import io.millrace.schemas.command.SettleDependencies;
import io.millrace.schemas.command.SettledDependency;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.DependencyVerdict;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message about a job that two shards take to be with each other comes to an end. */
class DependencyHopsTest {
  private static final long NUMBER = 5_000_000;

  private final TestShards shards = TestShards.threePartitions();

  private CommandMeta from(int shard) {
    return shards.calls.silent("shard-" + shard, Role.SHARD, shards.nowMs);
  }

  @Test
  void itIsNotSentRoundForEver() {
    shards.send(0, new NoteWhereabouts(from(2), NUMBER, 2, false));
    WaitedJob job = new WaitedJob(NUMBER, 0, false);
    SettledDependency settled =
        new SettledDependency(job, DependencyKind.AFTEROK, DependencyVerdict.REJECTED, "");
    int[] messages = {0};
    shards.observe(
        (shard, command, outcome, facts) ->
            messages[0] += command instanceof SettleDependencies ? 1 : 0);
    shards.send(0, new SettleDependencies(from(1), 1L, List.of(settled), 0));
    shards.run();
    assertTrue(messages[0] > 2, "it went round");
    assertEquals(101, messages[0]);
  }
}
