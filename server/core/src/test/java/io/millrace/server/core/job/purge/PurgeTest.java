package io.millrace.server.core.job.purge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long finished jobs are remembered. */
class PurgeTest {
  private final TestShards shards = TestShards.threePartitions();

  private String finishedIn(String queue) {
    String job = shards.submit(Calls.job("ann", queue, 1));
    Reply reply = shards.ask(shards.where(job), Calls.delete(shards.user("ann"), job, false));
    assertEquals(0, reply.getCode());
    return job;
  }

  @Test
  void twoWeeksUnlessSetOtherwise() {
    String job = finishedIn("workq");
    shards.pass(14 * 86_400_000L - 60_000);
    assertNotNull(shards.job(job));
    shards.pass(60_000);
    assertNull(shards.job(job));
  }

  @Test
  void asLongAsTheAdministratorSaysInEveryShard() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "job_history_duration=00:01:00");
    List<String> jobs = List.of(finishedIn("workq"), finishedIn("east"), finishedIn("west"));
    shards.pass(59_000);
    jobs.forEach(job -> assertNotNull(shards.job(job)));
    shards.pass(1_100);
    jobs.forEach(job -> assertNull(shards.job(job)));
  }

  @Test
  void withoutHistoryTheyGoAtOnce() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "job_history_enable=f");
    String job = finishedIn("workq");
    shards.pass(1);
    assertNull(shards.job(job));
  }

  @Test
  void aScriptGoesWithItsLastJob() {
    Script script = Calls.script("#!/bin/sh\n");
    NewJob wish = Calls.withScript(Calls.job("ann", "workq", 1), script);
    List<String> jobs =
        shards.ask(0, Calls.submit(shards.user("ann"), List.of(script), wish, wish)).getLines();
    String key = Keys.script(script.getHash());
    shards.ask(0, Calls.delete(shards.user("ann"), jobs.get(0), true));
    assertNotNull(shards.tables(0).scripts().get(key));
    shards.ask(0, Calls.delete(shards.user("ann"), jobs.get(1), true));
    assertNull(shards.tables(0).scripts().get(key));
  }

  @Test
  void manyAtOnceAreSpreadOverSeveralCommands() {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "", "job_history_duration=00:01:00");
    NewJob[] hundred = new NewJob[100];
    Arrays.fill(hundred, Calls.job("ann", "workq", 1));
    List<String> jobs =
        shards.ask(0, Calls.submit(shards.user("ann"), List.of(), hundred)).getLines();
    jobs.forEach(job -> shards.ask(0, Calls.delete(shards.user("ann"), job, false)));
    int[] most = {0};
    shards.observe((shard, command, outcome, facts) -> most[0] = Math.max(most[0], facts.size()));
    shards.pass(120_000);
    jobs.forEach(job -> assertNull(shards.job(job)));
    assertTrue(most[0] < 60, "facts of one command: " + most[0]);
  }
}
