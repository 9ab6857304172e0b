package io.millrace.server.core.parking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.GrantBlock;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.RecordSize;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands that lie in the state until they can be decided. */
class ParkingTest {
  private final TestShards shards = TestShards.threePartitions();
  private final int east = shards.shardOfQueue("east");

  private SubmitJobs submission(int jobs) {
    NewJob[] wishes = new NewJob[jobs];
    Arrays.fill(wishes, Calls.job("ann", "east", 1));
    return Calls.submit(shards.user("ann"), List.of(), wishes);
  }

  private int parked() {
    int[] count = {0};
    shards.tables(east).parked().scan("", null, (place, parked) -> ++count[0] > 0);
    return count[0];
  }

  @Test
  void aSubmissionThatGetsNoNumbersIsRefusedWithOneLineAndMayBeSentAgain() {
    shards.silence(0, true);
    SubmitJobs command = submission(1);
    assertNull(shards.ask(east, command));
    shards.pass(19_000);
    assertNull(shards.answer(command.getMeta()));
    shards.pass(1_000);
    Reply reply = shards.answer(command.getMeta());
    assertEquals(15208, reply.getCode());
    assertEquals(
        List.of("Try the request again later: no job numbers, shard 0 does not answer"),
        reply.getLines());
    assertEquals(0, parked());
    shards.silence(0, false);
    shards.run();
    assertEquals(List.of(), shards.facts(JobQueued.class), "what was refused is not done later");
    shards.ask(0, command);
    assertEquals(0, shards.replies(command.getMeta()).get(1).getCode());
    assertEquals(1, shards.facts(JobQueued.class).size());
  }

  @Test
  void manyAreServedInTheirOrderAndOnlyThoseForWhichThereAreNumbersLeave() {
    shards.silence(0, true);
    List<SubmitJobs> commands = new ArrayList<>();
    for (int i = 0; i < 35; i++) {
      commands.add(submission(100));
      shards.send(east, commands.get(i));
    }
    shards.run();
    assertEquals(35, parked());
    shards.silence(0, false);
    shards.run();
    assertEquals(0, parked());
    commands.forEach(command -> assertEquals(0, shards.answer(command.getMeta()).getCode()));
    assertEquals(3500, shards.facts(east, JobQueued.class).size());
    long most =
        shards.facts(east, CommandsReleased.class).stream()
            .mapToLong(fact -> fact.getPlaces().size())
            .max()
            .orElse(0);
    assertEquals(10, most, "a block has 1000 numbers");
    assertTrue(shards.facts(east, CommandParked.class).size() <= 36, "hardly one waits twice");
  }

  @Test
  void noMoreThanAGatewayMaySendLieHere() {
    shards.silence(0, true);
    for (int i = 0; i < Parking.COMMANDS_MAX; i++) {
      shards.send(east, submission(1));
    }
    shards.run();
    assertEquals(Parking.COMMANDS_MAX, parked());
    Reply reply = shards.ask(east, submission(1));
    assertEquals(15208, reply.getCode());
    assertEquals(List.of("Try the request again later: too many requests wait"), reply.getLines());
    assertEquals(Parking.COMMANDS_MAX, parked());
  }

  @Test
  void norMoreThanTheirRoomInBytes() {
    shards.silence(0, true);
    Script script = Calls.script("x".repeat(1 << 20));
    int code = 0;
    for (int i = 0; i < 40 && code == 0; i++) {
      NewJob job = Calls.withScript(Calls.job("ann", "east", 1), script);
      Reply reply = shards.ask(east, Calls.submit(shards.user("ann"), List.of(script), job));
      code = reply == null ? 0 : reply.getCode();
    }
    assertEquals(15208, code);
    assertEquals(31, parked(), "of a megabyte and a little");
  }

  @Test
  void whoOwnsTheShardNextHasWhatWasParked() {
    shards.silence(0, true);
    SubmitJobs command = submission(2);
    shards.ask(east, command);
    Tables rebuilt = Tables.inMemory(east, TestShards.COUNT);
    Shard next = new Shard(rebuilt);
    shards.ledger(east).forEach(next::apply);
    assertTrue(next.nextTimerMs() <= shards.nowMs + 20_000);
    CommandMeta meta = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    CommandOutcome outcome =
        next.handle(CommandFamily.SHARD, new GrantBlock(meta, 5000L, 6000L, east), shards.nowMs);
    assertEquals(List.of(new Message(east, command)), outcome.messages());
    CommandOutcome queued = next.handle(CommandFamily.USER, command, shards.nowMs);
    assertEquals(List.of("5000.mill", "5001.mill"), queued.replies().get(0).reply().getLines());
  }

  @Test
  void anAnswerGoesToWhoAskedLast() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    shards.silence(east, true);
    shards.ask(0, Calls.move(shards.user("ann"), job, "east"));
    HoldJob first = Calls.hold(shards.user("ann"), job, "u");
    shards.ask(0, first);
    CommandMeta other = CommandMeta.newBuilder(first.getMeta()).setReplyTo(7).build();
    shards.ask(0, Calls.hold(other, job, "u"));
    List<CommandParked> facts = shards.facts(0, CommandParked.class);
    assertEquals(2, facts.size());
    assertEquals(facts.get(0).getParked().getUntilMs(), facts.get(1).getParked().getUntilMs());
    int[] partition = {-1};
    shards.observe(
        (shard, command, outcome, written) ->
            outcome.replies().stream()
                .filter(r -> r.reply().getId().equals(other.getId()))
                .forEach(r -> partition[0] = r.partition()));
    shards.silence(east, false);
    shards.run();
    assertNotNull(shards.answer(other));
    assertEquals(7, partition[0]);
  }

  @Test
  void onlyWhatItsSchemaNamesMayWaitHere() {
    CommandMeta meta = shards.calls.silent("shard-0", Role.SHARD, shards.nowMs);
    Context c = new Context(shards.tables(east), shards.nowMs, meta);
    String why =
        assertThrows(
                IllegalArgumentException.class,
                () -> Parking.park(c, Parking.Cause.JOB, "1", new Tick(meta), Decision.none()))
            .getMessage();
    assertEquals("Tick cannot be parked for job", why);
  }

  @Test
  void theWeightIsNeverBelowTheBytesThatAreWritten() {
    Script script = Calls.script("äß€日\uD83D\uDE00 and more");
    NewJob job = Calls.withScript(Calls.job("ann", "east", 1), script);
    job.getSpec().setName("日本\uD83D\uDE00".repeat(50));
    SubmitJobs command = Calls.submit(shards.user("ann"), List.of(script), job);
    int written = WireCodec.local().encode(command).length;
    long weight = RecordSize.of(command);
    assertTrue(weight >= written && weight < 3L * written, weight + " for " + written);
  }
}
