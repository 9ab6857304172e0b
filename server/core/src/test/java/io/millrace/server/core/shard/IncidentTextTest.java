package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a log says of a command that was not decided. */
class IncidentTextTest {
  private final TestShards shards = TestShards.initialised();

  @Test
  void aSubmissionIsNamedWithoutVariablesAndArguments() {
    CommandMeta meta = shards.user("ann");
    var job = Calls.job("ann", "workq", 1);
    job.getSpec().setVariables(List.of(new Attribute("TOKEN", "x7301secret")));
    job.getSpec().setArgv(List.of("/bin/echo", "x7301secret"));
    SubmitJobs command = Calls.submit(meta, List.of(), job);
    assertTrue(command.toString().contains("x7301secret"));
    String id = Keys.command(meta.getId());
    assertEquals("SubmitJobs of ann (command id " + id + ")", IncidentText.of(command));
  }

  @Test
  void workOfAShardIsNamedToo() {
    CommandMeta meta = shards.calls.meta("shard-0", Role.SHARD, shards.nowMs);
    String text = IncidentText.of(new Continue(meta, "no such work", "at job 12"));
    assertTrue(text.startsWith("Continue of shard-0 (command id "), text);
  }
}
