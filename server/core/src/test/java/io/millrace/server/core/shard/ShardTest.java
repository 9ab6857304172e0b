package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ReadTable;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every command meets: memory of answers, incidents, time. */
class ShardTest {
  private final TestShards shards = TestShards.initialised();

  @Test
  void aDeciderThatThrowsIsARejectionWithAnIncidentAndTheShardGoesOn() {
    CommandMeta meta = shards.calls.meta("shard-0", Role.SHARD, shards.nowMs);
    Reply reply = shards.ask(0, new Continue(meta, "no such work", ""));
    assertEquals(PbsError.INCIDENT.code(), reply.getCode());
    String id = Keys.command(meta.getId()).substring(0, 16);
    assertEquals(List.of("Internal error, incident " + id), reply.getLines());
    shards.submit(Calls.job("ann", "workq", 1));
  }

  @Test
  void answersAreForgottenAfterAQuarterOfAnHour() {
    SubmitJobs command = Calls.submit(shards.user("ann"), List.of(), Calls.job("ann", "workq", 1));
    shards.ask(0, command);
    String key = Keys.command(command.getMeta().getId());
    shards.pass(14 * 60_000);
    assertNotNull(shards.tables(0).answers().get(key));
    assertEquals(0, shards.code(0, command));
    shards.pass(3 * 60_000);
    assertNull(shards.tables(0).answers().get(key));
    shards.ask(0, command);
    List<Reply> replies = shards.replies(command.getMeta());
    assertEquals(PbsError.COMMAND_TOO_OLD.code(), replies.get(replies.size() - 1).getCode());
    assertEquals(1, shards.facts(JobQueued.class).size());
  }

  @Test
  void manyAnswersAreForgottenInSeveralSteps() {
    for (int i = 0; i < 500; i++) {
      shards.ask(0, Calls.hold(shards.user("ann"), "77.mill", "u"));
    }
    shards.pass(20 * 60_000); // a step a minute
    assertEquals(List.of(), keys(shards.tables(0).answers()));
    List<AnswersForgotten> facts = shards.facts(AnswersForgotten.class);
    assertTrue(facts.stream().allMatch(f -> f.getIds().size() <= 200), "at most 200 in one fact");
    assertEquals(List.of(), keys(shards.tables(0).timers()));
  }

  private static List<String> keys(ReadTable<?> table) {
    List<String> keys = new ArrayList<>();
    table.scan("", null, (key, value) -> keys.add(key));
    return keys;
  }

  @Test
  void aTimerThatThrowsIsPushedOutAndGivenUpAndTheShardGoesOn() {
    // As after a fault in the program: no timer of this kind can be decided with this subject.
    Timer broken = new Timer(shards.nowMs, "whereabouts", "no number", 0);
    String key = Keys.timer(shards.nowMs, "whereabouts", "no number");
    shards.tables(0).timers().put(key, broken);
    shards.submit(Calls.job("ann", "workq", 1));
    List<TimerFailed> failed = shards.facts(TimerFailed.class);
    assertEquals(1, failed.size());
    assertEquals(16 + "-whereabouts".length(), failed.get(0).getIncident().length());
    assertNull(shards.tables(0).timers().get(key));
    shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(1, shards.facts(TimerFailed.class).size(), "not at once again");
    for (int i = 0; i < 10; i++) {
      shards.pass(40 * 60_000L);
    }
    failed = shards.facts(TimerFailed.class);
    assertEquals(6, failed.size());
    assertEquals(-1, failed.get(5).getAgainMs());
    assertEquals(List.of(), keys(shards.tables(0).timers()));
  }

  @Test
  void otherTimersThatAreDueAreDecidedAllTheSame() {
    shards.submit(Calls.job("ann", "workq", 1));
    Timer broken = new Timer(shards.nowMs, "no such kind", "", 0);
    shards.tables(0).timers().put(Keys.timer(shards.nowMs, "no such kind", ""), broken);
    shards.pass(20 * 60_000);
    assertEquals(List.of(), keys(shards.tables(0).answers()));
  }

  @Test
  void timeNeverGoesBack() {
    String job = shards.submit(Calls.job("ann", "workq", 1));
    long before = shards.job(job).getCreatedMs();
    CommandMeta now = shards.user("ann");
    shards.nowMs -= 60_000;
    shards.ask(0, Calls.hold(now, job, "u"));
    assertTrue(shards.job(job).getModifiedMs() >= before);
  }

  @Test
  void aLedgerWithAGapIsNotApplied() {
    Shard replica = new Shard(Tables.inMemory(0, TestShards.COUNT));
    replica.apply(shards.ledger(0).get(0));
    IllegalStateException thrown =
        org.junit.jupiter.api.Assertions.assertThrows(
            IllegalStateException.class, () -> replica.apply(shards.ledger(0).get(2)));
    assertEquals("fact 3 follows 1: the ledger has a gap", thrown.getMessage());
  }

  @Test
  void aReplyToNobodyIsNotWritten() {
    CommandMeta silent = shards.calls.silent("ann", Role.USER, shards.nowMs);
    shards.ask(0, Calls.submit(silent, List.of(), Calls.job("ann", "workq", 1)));
    assertEquals(1, shards.facts(JobQueued.class).size());
    assertEquals(List.of(), shards.replies(silent));
  }
}
