package io.millrace.server.core.handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.AnswersTaken;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A submission that is repeated after its queue went to another shard is not queued twice. */
class AnswerHandoverTest {
  private final TestShards shards = TestShards.threePartitions();
  private final int east = shards.shardOfQueue("east");
  private final int west = shards.shardOfQueue("west");

  private SubmitJobs submission(String queue, int jobs) {
    NewJob[] wishes = new NewJob[jobs];
    Arrays.fill(wishes, Calls.job("ann", queue, 1));
    return Calls.submit(shards.user("ann"), List.of(), wishes);
  }

  private ChangeObject move(String queue, String partition) {
    String pair = "partition=" + partition;
    return Calls.change(shards.manager(), ChangeOperation.SET, ObjectKind.QUEUE, queue, pair);
  }

  private Reply last(SubmitJobs command) {
    List<Reply> replies = shards.replies(command.getMeta());
    return replies.get(replies.size() - 1);
  }

  private int queued() {
    return shards.facts(JobQueued.class).size();
  }

  @Test
  void whileTheJobLives() {
    SubmitJobs command = submission("east", 2);
    Reply first = shards.ask(east, command);
    assertEquals(0, shards.code(0, move("east", "pwest")));
    assertEquals(west, shards.where(first.getLines().get(0)));
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      shards.ask(shard, command);
    }
    shards.replies(command.getMeta()).forEach(reply -> assertEquals(first, reply));
    assertEquals(1 + TestShards.COUNT, shards.replies(command.getMeta()).size());
    assertEquals(2, queued());
  }

  @Test
  void whenTheJobHasFinishedAndIsForgotten() {
    SubmitJobs command = submission("east", 1);
    Reply first = shards.ask(east, command);
    String job = first.getLines().get(0);
    shards.grant(job, "es", "e0", 1);
    shards.finished(shards.lastStart(), 0);
    assertEquals(JobStatus.FINISHED, shards.status(job));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    shards.ask(west, command);
    assertEquals(first, last(command));
    assertEquals(0, shards.code(east, Calls.delete(shards.manager(), job, true)));
    shards.ask(west, command);
    assertEquals(first, last(command));
    assertEquals(1, queued());
  }

  @Test
  void whenThePartitionGoesToAnotherSchedulerAndOnAndOn() {
    SubmitJobs command = submission("east", 1);
    Reply first = shards.ask(east, command);
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "es", "partition");
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, "ws", "partition+=peast");
    assertEquals(west, shards.shardOfQueue("east"));
    shards.ask(west, command);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=");
    assertEquals(0, shards.shardOfQueue("east"));
    shards.ask(0, command);
    assertEquals(List.of(first, first, first), shards.replies(command.getMeta()));
    assertEquals(1, queued());
  }

  @Test
  void whenOneOfItsQueuesGoes() {
    shards.queue("east2", "peast");
    SubmitJobs command =
        Calls.submit(
            shards.user("ann"),
            List.of(),
            Calls.job("ann", "east", 1),
            Calls.job("ann", "east2", 1));
    Reply first = shards.ask(east, command);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east2", "partition=pwest");
    shards.ask(west, command);
    shards.ask(east, command);
    assertEquals(List.of(first, first, first), shards.replies(command.getMeta()));
  }

  @Test
  void whenItsQueueIsDeletedAndMadeAgainElsewhere() {
    SubmitJobs command = submission("east", 1);
    Reply first = shards.ask(east, command);
    assertEquals(
        0, shards.code(east, Calls.delete(shards.manager(), first.getLines().get(0), true)));
    shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "east");
    shards.pass(60_000);
    shards.queue("east", "pwest");
    assertEquals(west, shards.shardOfQueue("east"));
    shards.ask(west, command);
    assertEquals(List.of(first, first), shards.replies(command.getMeta()));
    assertEquals(1, queued());
  }

  @Test
  void whereADeletedQueueWasIsForgottenWhenNobodyCanAskAnyMore() {
    shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "east");
    assertEquals(east, shards.tables(0).formerQueues().get("east").getShard());
    shards.pass(14 * 60_000);
    assertEquals(east, shards.tables(0).formerQueues().get("east").getShard());
    shards.pass(2 * 60_000);
    assertNull(shards.tables(0).formerQueues().get("east"));
    shards.queue("east", "pwest");
    assertEquals(List.of(), shards.facts(AnswersTaken.class));
  }

  @Test
  void aRefusalIsRepeatedToo() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=f");
    SubmitJobs command = submission("east", 1);
    assertEquals(15021, shards.code(east, command));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "enabled=t");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    shards.ask(west, command);
    assertEquals(15021, last(command).getCode());
    assertEquals(0, queued());
  }

  @Test
  void aSubmissionWaitsForTheAnswersOfTheOldShardAndSoDoesTheDirective() {
    SubmitJobs repeated = submission("east", 1);
    Reply first = shards.ask(east, repeated);
    shards.silence(east, true);
    SubmitJobs unheard = submission("east", 1);
    shards.send(east, unheard);
    ChangeObject move = move("east", "pwest");
    assertNull(shards.ask(0, move));
    assertEquals(west, shards.shardOfQueue("east"));
    SubmitJobs fresh = submission("east", 1);
    shards.send(west, repeated);
    shards.send(west, unheard);
    shards.send(west, fresh);
    shards.run();
    assertEquals(0, shards.waiting(west), "nothing goes round");
    assertEquals(1, shards.replies(repeated.getMeta()).size());
    shards.silence(east, false);
    shards.run();
    assertEquals(List.of(first, first), shards.replies(repeated.getMeta()));
    List<Reply> both = shards.replies(unheard.getMeta());
    assertEquals(2, both.size());
    assertEquals(both.get(0), both.get(1), "decided by the old shard before the queue went");
    assertEquals(0, last(fresh).getCode());
    assertEquals(0, shards.answer(move.getMeta()).getCode());
    assertEquals(3, queued());
  }

  @Test
  void aSubmissionIsRefusedWhenTheOldShardDoesNotAnswerAndMayBeSentAgain() {
    SubmitJobs command = submission("east", 1);
    Reply first = shards.ask(east, command);
    shards.silence(east, true);
    shards.ask(0, move("east", "pwest"));
    shards.ask(west, command);
    shards.pass(20_000);
    assertEquals(15208, last(command).getCode());
    assertEquals(
        List.of(
            "Try the request again later: shard "
                + east
                + ", where the queue was, does not answer"),
        last(command).getLines());
    shards.silence(east, false);
    shards.run();
    shards.ask(west, command);
    assertEquals(first, last(command));
    assertEquals(1, queued());
  }

  @Test
  void manyAnswersGoInPiecesAndThoseOfOtherQueuesStay() {
    shards.queue("stays", "peast");
    List<SubmitJobs> commands = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      commands.add(submission("east", i < 60 ? 100 : 1));
      shards.send(east, commands.get(i));
      shards.send(east, submission("stays", 1));
    }
    shards.run();
    int before = queued();
    assertEquals(0, shards.code(0, move("east", "pwest")));
    List<AnswersTaken> pieces = shards.facts(west, AnswersTaken.class);
    assertEquals(700, pieces.stream().mapToInt(p -> p.getAnswers().size()).sum());
    assertTrue(pieces.size() >= 4, pieces.size() + " pieces");
    for (AnswersTaken piece : pieces) {
      int lines = piece.getAnswers().stream().mapToInt(a -> a.getLines().size()).sum();
      assertTrue(
          piece.getAnswers().size() <= AnswerHandover.ANSWERS_AT_ONCE && lines < 2100, "" + lines);
    }
    commands.forEach(command -> shards.send(west, command));
    shards.run();
    for (SubmitJobs command : commands) {
      List<Reply> replies = shards.replies(command.getMeta());
      assertEquals(List.of(replies.get(0), replies.get(0)), replies);
    }
    assertEquals(before, queued());
  }

  @Test
  void theyAreForgottenAtTheNewShardWhenTheirTimeIsOver() {
    SubmitJobs command = submission("east", 1);
    shards.ask(east, command);
    shards.pass(5 * 60_000);
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "east", "partition=pwest");
    shards.pass(14 * 60_000);
    shards.ask(west, command);
    assertEquals(0, last(command).getCode());
    shards.pass(3 * 60_000);
    String key = Keys.command(command.getMeta().getId());
    assertNull(shards.tables(west).answers().get(key));
    shards.ask(west, command);
    assertEquals(PbsError.COMMAND_TOO_OLD.code(), last(command).getCode());
  }
}
