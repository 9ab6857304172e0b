package io.millrace.server.core.job.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOfferRefused;
import io.millrace.schemas.fact.JobOffered;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Moves inside a shard and across shards. */
class MoveTest {
  private final TestShards shards = TestShards.threePartitions();
  private final String job = shards.submit(Calls.job("ann", "workq", 1));

  private Reply move(String queue) {
    return shards.ask(0, Calls.move(shards.user("ann"), job, queue));
  }

  @Test
  void insideAShardTheJobGoesToTheEndOfTheOtherQueue() {
    shards.queue("other", "");
    String later = shards.submit(Calls.job("ann", "other", 1));
    assertEquals(0, move("other").getCode());
    assertEquals("other", shards.job(job).getSpec().getQueue());
    assertTrue(shards.job(job).getRank() > shards.job(later).getRank());
    assertEquals(0L, shards.tables(0).queues().get("workq").getCounts().get("QUEUED"));
    assertEquals(2L, shards.tables(0).queues().get("other").getCounts().get("QUEUED"));
  }

  @Test
  void acrossShardsTheAnswerComesAtTheEnd() {
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    MoveJob command = Calls.move(shards.user("ann"), job, "east");
    assertNull(shards.ask(0, command));
    assertEquals(-1, shards.where(job), "in transit");
    assertNull(shards.ask(0, command), "a repetition waits too");
    assertEquals(1, shards.facts(JobOffered.class).size());
    shards.silence(east, false);
    shards.run();
    assertEquals(
        List.of(0), shards.replies(command.getMeta()).stream().map(Reply::getCode).toList());
    assertEquals(east, shards.where(job));
    assertEquals("east", shards.job(job).getSpec().getQueue());
    assertEquals(east, shards.tables(0).whereabouts().get(Keys.number(0)).getShard());
  }

  @Test
  void aQueueThatRefusesLeavesTheJobWhereItIs() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=f");
    Reply reply = move("east");
    assertEquals(15021, reply.getCode());
    assertEquals(List.of("Queue is not enabled"), reply.getLines());
    assertEquals(0, shards.where(job));
    assertEquals("workq", shards.job(job).getSpec().getQueue());
    assertEquals(JobStatus.QUEUED, shards.status(job));
    assertEquals(1, shards.facts(JobKept.class).size());
    assertEquals(1, shards.facts(JobOfferRefused.class).size());
    assertNull(shards.job(job).getWaiting());
  }

  @Test
  void aHeldJobIsHeldOnTheOtherSide() {
    shards.ask(0, Calls.hold(shards.user("ann"), job, "u"));
    assertEquals(0, move("east").getCode());
    assertEquals(JobStatus.HELD, shards.status(job));
  }

  @Test
  void aJobThatTravelsFarIsAlwaysFound() {
    for (String queue : List.of("east", "west", "workq", "west", "east")) {
      assertEquals(0, move(queue).getCode(), queue);
      assertEquals(shards.shardOfQueue(queue), shards.where(job));
    }
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), job, "u")));
    shards.pass(11 * 60_000);
    int west = shards.shardOfQueue("west");
    assertNull(shards.tables(west).whereabouts().get(Keys.number(0)), "a pointer has its time");
    assertEquals(0, shards.code(0, Calls.release(shards.user("ann"), job, "u")));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), job, true)));
    assertNull(shards.tables(0).whereabouts().get(Keys.number(0)), "its mark goes with the job");
    assertEquals(15001, shards.code(0, Calls.release(shards.user("ann"), job, "u")));
  }

  @Test
  void aCommandForAJobInTransitWaitsForItsArrival() {
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.ask(0, Calls.move(shards.user("ann"), job, "east"));
    CommandMeta hold = shards.post(0, Calls.hold(shards.user("ann"), job, "u"));
    shards.step(0);
    assertEquals(0, shards.waiting(0), "nothing goes round");
    assertNull(shards.answer(hold));
    assertNull(shards.ask(0, Calls.hold(hold, job, "u")));
    assertEquals(1, shards.facts(CommandParked.class).size(), "a repetition changes nothing");
    shards.silence(east, false);
    shards.run();
    assertEquals(0, shards.answer(hold).getCode());
    assertEquals("u", shards.job(job).getHolds());
  }

  @Test
  void aCommandForAJobThatDoesNotArriveIsRefusedAfterTenSeconds() {
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.ask(0, Calls.move(shards.user("ann"), job, "east"));
    DeleteJob delete = Calls.delete(shards.user("ann"), job, false);
    assertNull(shards.ask(0, delete));
    shards.pass(9_000);
    assertNull(shards.answer(delete.getMeta()));
    shards.pass(1_000);
    assertEquals(15016, shards.answer(delete.getMeta()).getCode());
    assertEquals(
        List.of("Request invalid for state of job"), shards.answer(delete.getMeta()).getLines());
    shards.silence(east, false);
    shards.run();
    assertEquals(JobStatus.QUEUED, shards.status(job), "what was refused is not done later");
  }

  @Test
  void aCommandWaitsForAJobThatIsRefusedAndComesBack() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=f");
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.ask(0, Calls.move(shards.user("ann"), job, "east"));
    CommandMeta hold = shards.post(0, Calls.hold(shards.user("ann"), job, "u"));
    shards.run();
    assertNull(shards.answer(hold));
    shards.silence(east, false);
    shards.run();
    assertEquals(0, shards.answer(hold).getCode());
    assertEquals("u", shards.job(job).getHolds());
    assertEquals(0, shards.where(job));
  }

  @Test
  void itsScriptGoesWithIt() {
    Script script = Calls.script("#!/bin/sh\n");
    NewJob wish = Calls.withScript(Calls.job("ann", "workq", 1), script);
    Reply reply = shards.ask(0, Calls.submit(shards.user("ann"), List.of(script), wish));
    String scripted = reply.getLines().get(0);
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), scripted, "east")));
    int east = shards.shardOfQueue("east");
    String key = Keys.script(script.getHash());
    assertNull(shards.tables(0).scripts().get(key), "nobody uses it here any more");
    assertEquals(script.getText(), shards.tables(east).scripts().get(key).getText());
  }

  @Test
  void refusals() {
    assertEquals(15018, move("nowhere").getCode());
    assertEquals(15007, shards.code(0, Calls.move(shards.user("bob"), job, "east")));
    shards.grant(job, "default", "n0", 1);
    assertEquals(15016, move("east").getCode());
    shards.finished(shards.lastStart(), 0);
    assertEquals(15139, move("east").getCode());
  }
}
