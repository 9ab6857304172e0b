package io.millrace.schedulers.dialects.origin2000.live;

import static io.millrace.schedulers.dialects.origin2000.live.OriginMachineRoom.MONDAY_TEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A live scheduler decides as the planner does, at the moments at which it must. */
class OriginCyclesTest {

  private static final long T = MONDAY_TEN;
  private static final String NO_USAGE = "SORT_BY_PAST_USAGE False\nAVOID_FRAGMENTATION False\n";
  private static final String PRIME =
      "ENFORCE_PRIME_TIME True\nPRIME_TIME_START 10:05:00\nPRIME_TIME_END 10:20:00\n"
          + "PRIME_TIME_WALLT_LIMIT 0:05:00\n";

  @Test
  void jobsGoToTheFirstQueueThatTakesThemTheLargestFirst() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.job(1, "ann", "ncpus=2,walltime=600", T);
    room.job(2, "bob", "ncpus=8,walltime=600", T);
    room.job(3, "cid", "ncpus=6,mem=512mb,walltime=600", T);
    assertTrue(room.due(T));
    assertEquals(List.of("2 b1 h1", "3 b2 h2", "1 b2 h2"), room.cycle(T));
    assertFalse(room.due(T), "nothing waits, nothing has changed");
    assertEquals(Long.MAX_VALUE / 1000, room.dueS());
  }

  @Test
  void aJobHoldsWhatItAskedForThoughItCountsInWholeNodes() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    for (int i = 1; i <= 13; i++) {
      room.job(i, "ann", "ncpus=1,walltime=600", T);
    }
    assertEquals(12, room.cycle(T).size(), "three hosts of four nodes");
    assertEquals(new NodeShare("h1", "h1", 1, Map.of("ncpus", 1L)), room.share(1), "half a node's");
    assertEquals("Would over-subscribe node resources (4 max)", room.comment(13));
    room.ends(5);
    assertTrue(room.due(T + 1));
    assertEquals(List.of("13 b2 h2"), room.cycle(T + 1));
    assertNull(room.comment(13));
  }

  @Test
  void limitsOfTheQueueAreToldInTheOriginalsWords() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\n" + NO_USAGE);
    room.written(
        Records.object(
            ObjectKind.QUEUE,
            "b1",
            "queue_type",
            "Execution",
            "enabled",
            "True",
            "started",
            "True",
            "max_user_run",
            "1",
            "resources_max.walltime",
            "01:00:00"));
    room.job(1, "ann", "ncpus=2,walltime=600", T);
    room.job(2, "ann", "ncpus=2,walltime=700", T);
    room.job(3, "bob", "ncpus=2,walltime=7200", T);
    OriginCycles.OriginCycleOutcome outcome = room.cycle(Instant.ofEpochSecond(T));
    assertEquals(List.of(1L), outcome.starts().stream().map(OriginStart::number).toList());
    assertEquals("Would exceed queue b1 userrun limit (1)", room.comment(2));
    assertEquals(
        "Job will not fit on any execution queue.\n\nUse 'qstat -q' to get execution queue limits.",
        outcome.deletions().get(3L));
    assertTrue(room.cycle(Instant.ofEpochSecond(T + 1)).deletions().isEmpty(), "proposed once");
    room.follower.notGivenUp(3);
    assertEquals(1, room.cycle(Instant.ofEpochSecond(T + 2)).deletions().size());
  }

  private static OriginMachineRoom oneHour() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\n" + NO_USAGE);
    room.written(
        Records.object(
            ObjectKind.QUEUE,
            "b1",
            "queue_type",
            "Execution",
            "enabled",
            "True",
            "started",
            "True",
            "resources_max.walltime",
            "01:00:00"));
    return room;
  }

  @Test
  void aCycleDeletesNoMoreThanItMayStart() {
    OriginMachineRoom room = oneHour();
    for (int i = 1; i <= 130; i++) {
      room.job(i, "ann", "ncpus=2,walltime=7200", T);
    }
    assertEquals(100, room.cycle(Instant.ofEpochSecond(T)).deletions().size());
    assertTrue(room.due(T), "for the others");
    assertEquals(30, room.cycle(Instant.ofEpochSecond(T)).deletions().size());
    assertFalse(room.due(T));
  }

  @Test
  void whatIsHeldIsNotDeleted() {
    OriginMachineRoom room = oneHour();
    room.job(1, "ann", "ncpus=2,walltime=7200", T);
    room.follower.holds(1, "u");
    assertEquals(0, room.cycle(Instant.ofEpochSecond(T)).deletions().size());
    assertFalse(room.due(T), "it is not tried again and again");
    room.follower.holds(1, "n");
    assertEquals(1, room.cycle(Instant.ofEpochSecond(T)).deletions().size());
  }

  @Test
  void theLongestIterationDoesNotOverflow() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.iteration("999999999999999999");
    for (int i = 1; i <= 4; i++) {
      room.job(i, "ann", "ncpus=8,walltime=600", T);
    }
    assertEquals(3, room.cycle(T).size());
    assertFalse(room.due(T + 1));
    assertTrue(room.dueS() > T + 86_400);
  }

  @Test
  void aJobCountsAsItWasAltered() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.job(1, "ann", "ncpus=2,walltime=600", T);
    room.follower.altered(1, Records.job(1, "submit", 0, "ncpus=6,walltime=600").getSpec(), true);
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
    assertEquals(new NodeShare("h1", "h1", 1, Map.of("ncpus", 6L)), room.share(1));
  }

  @Test
  void primeTimeBeginsAndEndsAtItsMoments() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE + PRIME);
    room.job(1, "ann", "ncpus=8,walltime=120", T);
    room.job(2, "ann", "ncpus=8,walltime=120", T);
    room.job(3, "ann", "ncpus=8,walltime=120", T);
    assertEquals(3, room.cycle(T).size());
    room.job(4, "ann", "ncpus=8,walltime=900", T + 1);
    assertEquals(List.of(), room.cycle(T + 1));
    assertEquals(T + 300, room.dueS(), "the beginning of prime time");
    room.ends(1);
    assertEquals(List.of(), room.cycle(T + 300));
    assertEquals("Exceeds primetime walltime limit (00:05:00)", room.comment(4));
    room.job(5, "bob", "ncpus=2,walltime=200", T + 301);
    assertEquals(List.of("5 b1 h1"), room.cycle(T + 301), "a short one may");
    assertEquals(T + 901, room.dueS(), "scheduler_iteration");
    assertEquals(List.of(), room.cycle(T + 901));
    assertEquals(T + 1200, room.dueS(), "its end");
    room.ends(5);
    assertEquals(List.of("4 b1 h1"), room.cycle(T + 1200));
  }

  @Test
  void anOutstandingJobGoesFirstAndAQueueIsDrainedForIt() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.written(
        Records.object(
            ObjectKind.QUEUE,
            "b1",
            "queue_type",
            "Execution",
            "enabled",
            "True",
            "started",
            "True",
            "resources_max.ncpus",
            "8",
            "resources_max.mem",
            "2gb"));
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\nMAX_QUEUED_TIME 0:01:00\n" + NO_USAGE);
    room.job(1, "ann", "ncpus=6,walltime=600", T);
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
    room.job(2, "bob", "ncpus=8,walltime=600", T);
    room.cycle(T + 1);
    assertEquals(T + 61, room.dueS(), "then it has waited too long");
    room.cycle(T + 61);
    room.job(3, "cid", "ncpus=2,walltime=7200", T + 70);
    assertEquals(List.of(), room.cycle(T + 70), "it would delay the outstanding one");
    assertTrue(room.comment(3).startsWith("Queue b1 is being drained"), room.comment(3));
    room.job(4, "cid", "ncpus=2,walltime=60", T + 80);
    assertEquals(List.of("4 b1 h1"), room.cycle(T + 80), "it ends before");
  }

  @Test
  void whatTheShardRefusesRestsWhileOthersGoOn() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    assertEquals(1, room.cycle(Instant.ofEpochSecond(T)).starts().size());
    room.job(2, "ann", "ncpus=8,walltime=600", T);
    room.refused(1, T + 1);
    assertTrue(room.due(T + 1));
    assertEquals(List.of("2 b1 h1"), room.cycle(T + 1));
    assertEquals("refused", room.comment(1));
    assertEquals(T + 61, room.dueS());
    assertEquals(List.of("1 b2 h2"), room.cycle(T + 61));
  }

  @Test
  void whatOthersHoldOfANodeIsNotGivenTwice() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\n" + NO_USAGE);
    room.job(9, "other", "eve", "ncpus=5", T);
    room.follower.granted(
        9,
        Records.allocation(List.of(new NodeShare("h1", "h1", 1, Map.of("ncpus", 5L)))),
        T * 1000);
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    room.job(2, "ann", "ncpus=2,walltime=600", T);
    assertEquals(List.of(), room.cycle(T));
    assertTrue(room.comment(1).startsWith("There is no room for it on node h1"), room.comment(1));
    assertEquals(List.of("2 b1 h1"), room.cycle(T), "without the first");
  }

  @Test
  void whoWaitsWithoutAChanceIsToldWhy() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.job(1, "other", "ann", "ncpus=2", T);
    room.cycle(T);
    assertEquals("Queue other is not one of the policy's queues", room.comment(1));
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b9@h1\n");
    room.job(2, "ann", "ncpus=2", T);
    assertEquals(List.of(), room.cycle(T + 1));
    assertEquals("The policy cannot be obeyed: there is no queue b9", room.comment(2));
    room.config("SUBMIT_QUEUE\n");
    assertEquals(List.of(), room.cycle(T + 2));
    assertTrue(room.comment(2).startsWith("The policy cannot be obeyed: config:1: SUBMIT_QUEUE"));
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\nFAKE_MACHINE_MULT 4\n");
    room.cycle(T + 3);
    assertTrue(room.comment(2).contains("FAKE_MACHINE_MULT"), room.comment(2));
    room.leave();
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\n");
    room.cycle(T + 4);
    assertNull(room.comment(2), "it runs");
  }

  @Test
  void anInterruptedJobFollowsTheRestartAction() {
    OriginMachineRoom room = new OriginMachineRoom(NO_USAGE);
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
    room.follower.requeued(1);
    assertEquals(List.of(), room.cycle(T + 1), "it is left where it is");
    String queues = "SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1,b2@h2,b3@h3\n" + NO_USAGE;
    room.config(queues + "SCHED_RESTART_ACTION RERUN\n");
    assertEquals(List.of("1 b1 h1"), room.cycle(T + 2));
    room.follower.requeued(1);
    room.job(2, "bob", "ncpus=8,walltime=30", T);
    room.follower.granted(
        2,
        Records.allocation(List.of(new NodeShare("h1", "h1", 1, Map.of("ncpus", 8L)))),
        T * 1000);
    room.follower.moved(2, "b1", 2);
    room.config(queues + "SCHED_RESTART_ACTION RESUBMIT\n");
    assertEquals(List.of("1 b2 h2"), room.cycle(T + 3), "as if it were submitted");
  }

  @Test
  void pastUsageThatTheShardKnowsOrdersUsers() {
    OriginMachineRoom room = new OriginMachineRoom("");
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\nAVOID_FRAGMENTATION False\n");
    room.used("users:ann", 50);
    room.used("users:bob", 1);
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    room.job(2, "bob", "ncpus=8,walltime=600", T);
    assertEquals(List.of("2 b1 h1"), room.cycle(T));
  }

  @Test
  void aStartCountsWhileItIsProposedAndNoLongerWhenItIsRefused() {
    OriginMachineRoom room = new OriginMachineRoom("");
    room.config("SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\nAVOID_FRAGMENTATION False\n");
    room.used("users:ann", 5);
    room.used("users:bob", 10);
    room.job(1, "ann", "ncpus=2,walltime=7200", T);
    assertEquals(1, room.cycle(Instant.ofEpochSecond(T)).starts().size());
    assertEquals(15, room.follower.usage().get("users:ann"), "not yet answered");
    room.refused(1, T + 1);
    assertEquals(5, room.follower.usage().get("users:ann"), "it cost nothing");
    room.job(2, "ann", "ncpus=8,walltime=600", T + 1);
    room.job(3, "bob", "ncpus=8,walltime=600", T + 1);
    assertEquals(List.of("2 b1 h1"), room.cycle(T + 1));
  }
}
