package io.millrace.server.core.job.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.schemas.fact.BlockRequested;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ScriptStored;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Submissions: all or none, numbers given once, repeated commands answered the same. */
class SubmitTest {
  private final TestShards shards = TestShards.threePartitions();

  private Reply submit(int shard, CommandMeta meta, NewJob... jobs) {
    return shards.ask(shard, Calls.submit(meta, List.of(), jobs));
  }

  @Test
  void jobsAreQueuedInOrderAndAnsweredWithTheirIds() {
    Reply reply =
        submit(
            0,
            shards.user("ann"),
            Calls.job("ann", "workq", 1),
            Calls.held(Calls.job("ann", "workq", 2), "u"));
    assertEquals(0, reply.getCode());
    assertEquals(List.of("0.mill", "1.mill"), reply.getLines());
    Job first = shards.job("0.mill");
    Job second = shards.job("1.mill");
    assertEquals(JobStatus.QUEUED, first.getStatus());
    assertEquals(JobStatus.HELD, second.getStatus());
    assertEquals(-1, second.getEligibleMs());
    assertTrue(first.getRank() < second.getRank());
    assertEquals(
        Map.of("QUEUED", 1L, "HELD", 1L), shards.tables(0).queues().get("workq").getCounts());
  }

  @Test
  void allOrNone() {
    NewJob good = Calls.job("ann", "workq", 1);
    NewJob bad = Calls.job("ann", "nowhere", 1);
    Reply reply = submit(0, shards.user("ann"), good, bad);
    assertEquals(15018, reply.getCode());
    assertEquals(List.of("Unknown queue"), reply.getLines());
    assertEquals(List.of(), shards.facts(JobQueued.class));
  }

  @Test
  void jobsForQueuesOfSeveralShardsAreRefusedTogether() {
    NewJob here = Calls.job("ann", "workq", 1);
    NewJob there = Calls.job("ann", "east", 1);
    assertEquals(15018, submit(0, shards.user("ann"), here, there).getCode());
    assertEquals(15018, submit(0, shards.user("ann"), there, here).getCode());
    assertEquals(List.of(), shards.facts(JobQueued.class));
  }

  @Test
  void severalQueuesOfOneOtherShardArePassedOnTogether() {
    shards.queue("east2", "peast");
    Reply reply =
        submit(0, shards.user("ann"), Calls.job("ann", "east", 1), Calls.job("ann", "east2", 1));
    assertEquals(0, reply.getCode());
    assertEquals(2, shards.facts(shards.shardOfQueue("east"), JobQueued.class).size());
  }

  @Test
  void aQueueThatIsNotEnabledRefuses() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "enabled=False");
    Reply reply = submit(0, shards.user("ann"), Calls.job("ann", "workq", 1));
    assertEquals(15021, reply.getCode());
    assertEquals(List.of("Queue is not enabled"), reply.getLines());
  }

  @Test
  void onlyManagersSubmitForOthers() {
    NewJob ofBob = Calls.job("bob", "workq", 1);
    assertEquals(15007, submit(0, shards.user("ann"), ofBob).getCode());
    assertEquals(15007, submit(0, shards.operator(), ofBob).getCode());
    assertEquals(0, submit(0, shards.manager(), ofBob).getCode());
  }

  @Test
  void holdsAreCheckedAndWrittenInOneOrder() {
    NewJob job = Calls.job("ann", "workq", 1);
    assertEquals(15007, submit(0, shards.user("ann"), Calls.held(job, "o")).getCode());
    assertEquals(15007, submit(0, shards.user("ann"), Calls.held(job, "s")).getCode());
    assertEquals(15014, submit(0, shards.manager(), Calls.held(job, "xyz")).getCode());
    assertEquals(15014, submit(0, shards.manager(), Calls.held(job, "")).getCode());
    Reply reply = submit(0, shards.manager(), Calls.held(job, "ou"));
    assertEquals("uo", shards.job(reply.getLines().get(0)).getHolds());
  }

  @Test
  void aRequestThatCannotBeReckonedWithIsRefused() {
    Chunk one = new Chunk(1, Map.of("ncpus", 1L), Map.of());
    List<ResourceRequest> wrong =
        List.of(
            Calls.request(""),
            Calls.request("anywhere", one),
            Calls.request("", new Chunk(0, Map.of("ncpus", 1L), Map.of())),
            Calls.request("", new Chunk(1, Map.of("ncpus", -1L), Map.of())));
    for (ResourceRequest request : wrong) {
      Reply reply = submit(0, shards.user("ann"), Calls.job("ann", "workq", request));
      assertEquals(15014, reply.getCode(), request::toString);
    }
    String job = shards.submit(Calls.job("ann", "workq", Calls.request("pack:excl", one)));
    AlterJob alter =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(job)
            .setRequest(wrong.get(1))
            .build();
    assertEquals(15014, shards.code(0, alter));
  }

  @Test
  void tooManyJobsOrNoneAreRefused() {
    assertEquals(15031, submit(0, shards.user("ann")).getCode());
    NewJob[] many = new NewJob[101];
    Arrays.fill(many, Calls.job("ann", "workq", 1));
    assertEquals(15031, submit(0, shards.user("ann"), many).getCode());
  }

  @Test
  void numbersAreUniqueAcrossBlocksAndShards() {
    Set<Long> numbers = new HashSet<>();
    List<String> queues = List.of("workq", "east", "west");
    for (int i = 0; i < 75; i++) {
      String queue = queues.get(i % 3);
      NewJob[] hundred = new NewJob[100];
      Arrays.fill(hundred, Calls.job("ann", queue, 1));
      Reply reply = submit(i % TestShards.COUNT, shards.user("ann"), hundred);
      assertEquals(100, reply.getLines().size());
      reply.getLines().forEach(id -> assertTrue(numbers.add(Keys.jobNumber(id)), id));
    }
    assertEquals(7500, numbers.size());
    List<BlockLeased> leased = shards.facts(0, BlockLeased.class);
    assertTrue(leased.size() >= 9, leased.toString());
    for (int i = 1; i < leased.size(); i++) {
      assertEquals(leased.get(i - 1).getEnd(), leased.get(i).getFirst());
    }
  }

  @Test
  void aSubmissionWaitsForItsBlockOfNumbers() {
    shards.silence(0, true);
    int east = shards.shardOfQueue("east");
    CommandMeta meta = shards.user("ann");
    shards.send(east, Calls.submit(meta, List.of(), Calls.job("ann", "east", 1)));
    shards.step(east);
    assertEquals(0, shards.waiting(east), "nothing goes round");
    assertNull(shards.answer(meta));
    assertEquals(1, shards.facts(east, BlockRequested.class).size());
    shards.silence(0, false);
    shards.run();
    assertEquals(0, shards.answer(meta).getCode());
  }

  @Test
  void aRepeatedCommandIsAnsweredTheSameAndQueuedOnce() {
    SubmitJobs command = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "east", 1));
    Reply first = shards.ask(2, command);
    shards.ask(2, command);
    shards.ask(0, command);
    assertEquals(List.of(first, first, first), shards.replies(command.getMeta()));
    assertEquals(1, shards.facts(JobQueued.class).size());
  }

  @Test
  void aCommandOlderThanOneWhoseAnswerIsForgottenIsRefused() {
    CommandMeta old = shards.user("ann");
    shards.nowMs++;
    shards.ask(0, Calls.hold(shards.user("ann"), "77.mill", "u"));
    shards.pass(2 * AnswerMemory.KEPT_MS);
    Reply reply = submit(0, old, Calls.job("ann", "workq", 1));
    assertEquals(PbsError.COMMAND_TOO_OLD.code(), reply.getCode());
    assertEquals(List.of(), shards.facts(JobQueued.class));
    assertNull(shards.tables(0).answers().get(Keys.command(old.getId())), "is not remembered");
  }

  @Test
  void aScriptIsSentOnceAndThenNamedByItsHash() {
    Script script = Calls.script("#!/bin/sh\ntrue\n");
    NewJob job = Calls.withScript(Calls.job("ann", "workq", 1), script);
    SubmitJobs without = Calls.submit(shards.user("ann"), List.of(), job);
    assertEquals(PbsError.UNKNOWN_SCRIPT.code(), shards.code(0, without));
    // The same command with the text is not taken for a repetition.
    SubmitJobs with = Calls.submit(without.getMeta(), List.of(script), job);
    shards.ask(0, with);
    assertEquals(0, shards.replies(with.getMeta()).get(1).getCode());
    assertEquals(0, shards.code(0, Calls.submit(shards.user("ann"), List.of(), job)));
    assertEquals(0, shards.code(0, Calls.submit(shards.user("ann"), List.of(script), job)));
    assertEquals(1, shards.facts(ScriptStored.class).size());
    shards.grant("0.mill", "default", "n0", 1);
    assertEquals(script.getText(), shards.lastStart().getScript());
  }

  @Test
  void aScriptThatNoJobUsesIsNotKept() {
    Script used = Calls.script("used");
    SubmitJobs command =
        Calls.submit(
            shards.user("ann"),
            List.of(used, Calls.script("unused"), used),
            Calls.withScript(Calls.job("ann", "workq", 1), used));
    assertEquals(0, shards.code(0, command));
    List<ScriptStored> stored = shards.facts(ScriptStored.class);
    assertEquals(1, stored.size());
    assertEquals(used, stored.get(0).getScript());
  }
}
