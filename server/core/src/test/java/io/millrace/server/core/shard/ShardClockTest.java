package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ClockSetBack;
import io.millrace.schemas.fact.FormerQueueForgotten;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RoutingAdvanced;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Leaps of clocks, the broker's alone or those of all hosts: no command is lost, none done twice.
 */
class ShardClockTest {
  private static final long MINUTE_MS = 60_000;
  private static final long HOUR_MS = 60 * MINUTE_MS;
  private static final long DAY_MS = 24 * HOUR_MS;

  private final TestShards shards = TestShards.initialised();
  private boolean all;

  static Stream<Arguments> leaps() {
    return Stream.of(HOUR_MS, 2 * DAY_MS, 365 * DAY_MS, -HOUR_MS)
        .flatMap(ms -> Stream.of(Arguments.of(ms, false), Arguments.of(ms, true)));
  }

  private void leap(long ms) {
    if (all) {
      shards.nowMs += ms;
    } else {
      shards.brokerAheadMs += ms;
    }
  }

  private SubmitJobs submission() {
    return Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "workq", 1));
  }

  /** Sends a command again, which gets the answer that it got. */
  private void again(SubmitJobs command) {
    shards.ask(0, command);
    List<Reply> replies = shards.replies(command.getMeta());
    assertTrue(replies.size() > 1);
    assertEquals(replies.get(0), replies.get(replies.size() - 1));
  }

  private SubmitJobs accepted() {
    SubmitJobs command = submission();
    assertEquals(0, shards.code(0, command));
    return command;
  }

  @ParameterizedTest
  @MethodSource("leaps")
  void commandsAreAnsweredAndNoneIsDoneTwice(long ms, boolean allClocks) {
    all = allClocks;
    final SubmitJobs before = accepted();
    SubmitJobs underWay = submission();
    leap(ms);
    assertEquals(0, shards.code(0, underWay), "made before the leap");
    SubmitJobs inside = accepted();
    again(before);
    again(inside);
    shards.pass(5 * MINUTE_MS);
    again(before);
    again(inside);
    underWay = submission();
    leap(-ms);
    assertEquals(0, shards.code(0, underWay), "made before the leap back");
    SubmitJobs behind = accepted();
    for (int i = 0; i < 2; i++) {
      again(before);
      again(inside);
      again(behind);
      shards.pass(5 * MINUTE_MS);
    }
    accepted();
    assertEquals(6, shards.facts(JobQueued.class).size());
    shards.pass(30 * MINUTE_MS);
    for (SubmitJobs old : List.of(before, inside, behind)) {
      String key = Keys.command(old.getMeta().getId());
      assertNull(shards.tables(0).answers().get(key), "is forgotten, as it always is");
    }
    accepted();
  }

  @ParameterizedTest
  @MethodSource("leaps")
  void whatIsForgottenInALeapIsRefused(long ms, boolean allClocks) {
    all = allClocks;
    leap(ms);
    SubmitJobs inside = accepted();
    shards.pass(20 * MINUTE_MS);
    accepted();
    refused(inside);
    leap(-ms);
    accepted();
    refused(inside);
    shards.pass(20 * MINUTE_MS);
    accepted();
    refused(inside);
    assertEquals(4, shards.facts(JobQueued.class).size());
  }

  /** Its answer is forgotten; but for a command from the broker's future, as long as it is that. */
  private void refused(SubmitJobs command) {
    shards.ask(0, command);
    List<Reply> replies = shards.replies(command.getMeta());
    Reply last = replies.get(replies.size() - 1);
    boolean future = shards.brokerAheadMs < 0;
    assertEquals(future ? 0 : PbsError.COMMAND_TOO_OLD.code(), last.getCode());
  }

  @ParameterizedTest
  @MethodSource("leaps")
  void timeFollowsTheClockBack(long ms, boolean allClocks) {
    all = allClocks;
    accepted();
    leap(ms);
    accepted();
    leap(-ms);
    accepted();
    assertEquals(1, shards.facts(0, ClockSetBack.class).size());
    assertEquals(shards.nowMs, ShardNumbers.of(shards.tables(0)).getTimeMs(), 10);
    Tables replica = WatchedTable.tables(0, TestShards.COUNT);
    Shard shard = new Shard(replica);
    for (SpecificRecord fact : shards.ledger(0)) {
      shard.apply(fact);
    }
    for (String name : Tables.NAMES) {
      assertEquals(
          WatchedTable.of(shards.tables(0), name).records(),
          WatchedTable.of(replica, name).records(),
          name);
    }
  }

  @ParameterizedTest
  @MethodSource("leaps")
  void aTimerOfTheSkippedTimeFiresOnce(long ms, boolean allClocks) {
    all = allClocks;
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.getSpec().setExecutionMs(shards.nowMs + 30 * MINUTE_MS);
    String job = shards.submit(wish);
    leap(ms);
    shards.pass(MINUTE_MS);
    assertEquals(ms > 0 ? "n" : "w", shards.job(job).getHolds());
    leap(-ms);
    shards.pass(40 * MINUTE_MS);
    assertEquals("n", shards.job(job).getHolds());
    assertEquals(1, shards.facts(JobReleased.class).size());
  }

  @ParameterizedTest
  @MethodSource("leaps")
  void whatWaitsForALengthOfTimeGoesOnBehindTheLeap(long ms, boolean allClocks) {
    all = allClocks;
    shards.queue("closed", "");
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "closed", "enabled=f");
    shards.must(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "r0",
        "queue_type=r",
        "enabled=t",
        "started=t",
        "route_destinations=closed");
    shards.submit(Calls.job("ann", "r0", 1));
    shards.queue("brief", "");
    leap(ms);
    shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "brief");
    shards.pass(2 * MINUTE_MS);
    leap(-ms);
    shards.pass(MINUTE_MS);
    int passes = shards.facts(RoutingAdvanced.class).size();
    shards.pass(20 * MINUTE_MS);
    assertTrue(shards.facts(RoutingAdvanced.class).size() > passes + 5, "passes go on");
    assertEquals(1, shards.facts(FormerQueueForgotten.class).size());
  }

  @Test
  void clocksThatDifferALittleDoNotSetTheTimeBack() {
    accepted();
    leap(-30_000);
    accepted();
    assertEquals(List.of(), shards.facts(ClockSetBack.class));
  }

  @Test
  void aFastClockOfOneClientCostsTheOthersNothing() {
    shards.nowMs += 365 * DAY_MS;
    SubmitJobs early = submission();
    shards.nowMs -= 365 * DAY_MS;
    assertEquals(0, shards.code(0, early));
    shards.pass(30 * MINUTE_MS);
    accepted();
    leap(-HOUR_MS);
    accepted();
    again(early);
  }

  @Test
  void aLeapForgetsNoAnswer() {
    List<SubmitJobs> commands = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      commands.add(accepted());
      leap((i % 2 == 0 ? 2 : -2) * DAY_MS);
    }
    commands.forEach(this::again);
    shards.pass(AnswerMemory.KEPT_MS + 2 * MINUTE_MS);
    assertTrue(
        commands.stream()
            .allMatch(
                it -> shards.tables(0).answers().get(Keys.command(it.getMeta().getId())) == null));
  }

  @Test
  void aJobThatIsAlteredInALeapKeepsItsOwnTime() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    long atMs = shards.nowMs + HOUR_MS;
    leap(-HOUR_MS);
    AlterJob later =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(job)
            .setExecutionMs(atMs)
            .build();
    assertEquals(0, shards.code(0, later));
    leap(HOUR_MS);
    shards.pass(59 * MINUTE_MS);
    assertEquals("w", shards.job(job).getHolds());
    shards.pass(2 * MINUTE_MS);
    assertEquals("n", shards.job(job).getHolds());
    assertNotNull(shards.job(job));
  }
}
