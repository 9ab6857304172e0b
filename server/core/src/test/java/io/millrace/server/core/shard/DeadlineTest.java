package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A command that the broker appends after its deadline is not carried out, and whoever is told that
 * a submission is withdrawn can rely on it.
 */
class DeadlineTest {
  private static final long HOUR_MS = 3_600_000;

  private final TestShards shards = TestShards.threePartitions();
  private final long deadlineMs = shards.nowMs + 20_000;

  private SubmitJobs submission(String queue) {
    CommandMeta meta = shards.user("ann");
    meta.setDeadlineMs(deadlineMs);
    return Calls.submit(meta, List.of(), Calls.job("ann", queue, 1));
  }

  /** The same command as another attempt to have it done would send it. */
  private static SubmitJobs until(SubmitJobs command, long deadlineMs) {
    SubmitJobs copy = (SubmitJobs) TestShards.throughTheWire(command);
    copy.getMeta().setDeadlineMs(deadlineMs);
    return copy;
  }

  private Reply last(int shard, SubmitJobs command) {
    shards.ask(shard, command);
    List<Reply> replies = shards.replies(command.getMeta());
    return replies.isEmpty() ? null : replies.get(replies.size() - 1);
  }

  private void withdrawn(Reply reply, long untilMs) {
    assertEquals(PbsError.WITHDRAWN.code(), reply.getCode());
    assertEquals(List.of(PbsError.WITHDRAWN.text(), Long.toString(untilMs)), reply.getLines());
  }

  private int queued() {
    return shards.facts(JobQueued.class).size();
  }

  @Test
  void whatCameInTimeIsDoneOnceHoweverLateItIsRepeated() {
    SubmitJobs command = submission("workq");
    assertEquals(0, last(0, command).getCode());
    shards.pass(60_000);
    assertEquals(0, last(0, command).getCode());
    assertEquals(1, queued());
  }

  @Test
  void whatCameTooLateIsWithdrawnAlsoWhenTheClockGoesBack() {
    SubmitJobs command = submission("workq");
    shards.brokerAheadMs += HOUR_MS;
    withdrawn(last(0, command), deadlineMs);
    shards.brokerAheadMs -= HOUR_MS;
    withdrawn(last(0, command), deadlineMs);
    withdrawn(last(0, until(command, deadlineMs - 1)), deadlineMs);
    assertEquals(0, queued());
  }

  @Test
  void whatWasWithdrawnIsDoneOnceWhenItIsAskedForAgain() {
    SubmitJobs command = submission("workq");
    shards.pass(30_000);
    withdrawn(last(0, command), deadlineMs);
    SubmitJobs again = until(command, shards.nowMs + 20_000);
    assertEquals(0, last(0, again).getCode());
    assertEquals(0, last(0, command).getCode(), "is answered by now");
    assertEquals(0, last(0, again).getCode());
    assertEquals(1, queued());
  }

  @Test
  void theBrokersTimeCountsAndNotTheShards() {
    shards.nowMs += 25_000;
    shards.ask(0, Calls.hold(shards.user("ann"), "1.mill", "u"));
    shards.nowMs -= 25_000; // a broker with a slower clock has the partition now
    assertEquals(0, last(0, submission("workq")).getCode());
  }

  @Test
  void whatWaitsForNumbersIsNotDoneAfterItsDeadline() {
    int east = shards.shardOfQueue("east");
    shards.silence(0, true);
    SubmitJobs command = submission("east");
    assertNull(shards.ask(east, command));
    shards.nowMs += 30_000;
    assertEquals(PbsError.TRY_AGAIN.code(), last(east, command).getCode());
    shards.silence(0, false);
    shards.run();
    assertEquals(0, queued());
  }

  /** Who was told to try again later must not have the job that a copy on its way would make. */
  @Test
  void whatWasRefusedForNowIsNotDoneByACopyOfIt() {
    int east = shards.shardOfQueue("east");
    shards.silence(0, true);
    SubmitJobs command = until(submission("east"), shards.nowMs + 60_000);
    assertNull(shards.ask(east, command));
    shards.pass(25_000);
    assertEquals(PbsError.TRY_AGAIN.code(), last(east, command).getCode());
    shards.silence(0, false);
    assertEquals(PbsError.TRY_AGAIN.code(), last(east, command).getCode());
    shards.run();
    assertEquals(0, queued());
    SubmitJobs again = until(command, shards.nowMs + 90_000);
    shards.ask(east, again);
    shards.run();
    assertEquals(0, last(east, command).getCode(), "is answered by now");
    assertEquals(1, queued());
  }

  /** The answer to a parked command holds for the last copy that the gateway has sent. */
  @Test
  void aParkedCommandIsRefusedUpToTheLatestDeadline() {
    int east = shards.shardOfQueue("east");
    shards.silence(0, true);
    SubmitJobs command = until(submission("east"), shards.nowMs + 60_000);
    assertNull(shards.ask(east, command));
    SubmitJobs renewed = until(command, shards.nowMs + 90_000);
    shards.ask(east, renewed);
    shards.pass(25_000);
    shards.silence(0, false);
    assertEquals(PbsError.TRY_AGAIN.code(), last(east, renewed).getCode());
    shards.run();
    assertEquals(0, queued());
  }

  @Test
  void whatWentOnToAnotherShardIsNotCalledWithdrawnHere() {
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    SubmitJobs command = submission("east");
    assertNull(shards.ask(0, command));
    shards.nowMs += 30_000;
    assertNull(shards.ask(0, command));
    shards.silence(east, false);
    shards.run();
    shards.ask(east, until(command, shards.nowMs + 20_000));
    List<Reply> replies = shards.replies(command.getMeta());
    assertEquals(0, replies.get(replies.size() - 1).getCode());
    assertEquals(1, queued());
  }

  @Test
  void otherCommandsAreRefusedButMayHaveBeenDone() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    HoldJob command = Calls.hold(shards.user("ann"), job, "u");
    command.getMeta().setDeadlineMs(deadlineMs);
    shards.pass(30_000);
    assertEquals(PbsError.COMMAND_LATE.code(), shards.ask(0, command).getCode());
    command.getMeta().setDeadlineMs(shards.nowMs + 20_000);
    shards.ask(0, command);
    assertEquals(0, shards.replies(command.getMeta()).get(1).getCode());
  }

  @Test
  void withoutADeadlineNothingIsLate() {
    CommandMeta meta = shards.manager();
    shards.pass(HOUR_MS / 6);
    Reply reply =
        shards.ask(0, Calls.change(meta, ChangeOperation.CREATE, ObjectKind.NODE, "late"));
    assertEquals(0, reply.getCode());
  }
}
