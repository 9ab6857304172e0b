package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.ObjectKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts that the shard refused, and where and when their jobs are tried again. */
class RefusedStartsTest extends LiveCellFixture {
  private void unheard(long job, long second, long restS) {
    state.withdraw(job);
    state.refused(job, false, NOW.plusSeconds(second).toEpochMilli(), 1000 * restS);
  }

  @Test
  void aStartThatIsHeardOfLateWasNotRefused() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 4\n");
    state.written(object());
    scheduler = new LiveScheduler(state, 1, NO_LIMITS);
    submit(11, "-t 1-2", 1, 1);
    submit(12, "-t 1-2", 1, 2);
    List<ProposedStart> first = run(0);
    assertEquals(List.of(11L), numbers(first));
    unheard(11, 5, 100);
    assertEquals(List.of(), run(6));
    grant(first.get(0), 6);
    assertEquals(List.of(12L), numbers(run(7)));
  }

  @Test
  void silenceIsNeverMoreThanTheFirstRest() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 4\n");
    state.written(object());
    submit(1, "");
    for (int second = 0; second < 12; second += 3) {
      assertEquals(List.of(1L), numbers(run(second)));
      unheard(1, second, 3);
      assertEquals(List.of(), run(second + 2));
    }
  }

  @Test
  void theTasksThatARunProposedAreRefusedOnce() {
    files.put("queue.all.q", "qname all.q\nhostlist n1 n2\nslots 4\n");
    state.written(object());
    for (int task = 1; task <= 8; task++) {
      submit(task, "-t 1-8", 1, task);
    }
    assertEquals(8, run(0).size());
    for (int task = 1; task <= 8; task++) {
      refuse(task, 0, 3);
    }
    assertEquals(List.of(), run(2));
    assertEquals(8, run(3).size());
    for (int task = 1; task <= 8; task++) {
      refuse(task, 3, 3);
    }
    assertEquals(List.of(), run(8), "twice as long");
    assertEquals(8, run(9).size());
  }

  @Test
  void aHostThatIsNotAsItWasIsTriedAgain() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 8\n");
    state.written(object());
    submit(1, "");
    run(0);
    refuse(1, 0, 100);
    assertEquals(List.of(), run(1));
    state.nodeDown("n1");
    assertEquals(List.of(), run(2), "it is down");
    state.nodeUp("n1", "host", Map.of("ncpus", 4L));
    assertEquals(List.of(1L), numbers(run(3)));
    refuse(1, 3, 100);
    state.written(Records.object(ObjectKind.NODE, "n1"));
    assertEquals(List.of(1L), numbers(run(4)), "somebody has set something");
  }

  private static String place(List<ProposedStart> launches) {
    return launches.get(0).grant().getQueues().get(0);
  }

  @Test
  void aJobThatTheShardRefusedTriesOtherHostsAndLeavesThoseToOthers() {
    submit(1, "");
    String first = place(run(0));
    refuse(1, 0, 3);
    List<ProposedStart> second = run(1);
    assertEquals(List.of(1L), numbers(second));
    assertNotEquals(first, place(second));
    refuse(1, 1, 3);
    assertEquals(List.of(), run(2), "refused on each host");
    String reason = reasons().toString();
    assertTrue(reason.contains(first + "\" left out because the server has refused"), reason);
    submit(2, "");
    List<ProposedStart> another = run(2);
    assertEquals(List.of(2L), numbers(another), "no host is left out for others");
    grant(another.get(0), 2);
    assertEquals(first, place(run(3)), "after a while");
    refuse(1, 3, 3);
    assertEquals(List.of(), run(6), "the other one is left alone for twice as long");
    assertNotEquals(first, place(run(7)));
  }

  @Test
  void aJobThatAsksForSomethingElseIsTriedAgain() {
    submit(1, "");
    run(0);
    refuse(1, 0, 100);
    run(1);
    refuse(1, 1, 100);
    assertEquals(List.of(), run(2));
    state.altered(1, jobs.get(1L).getSpec(), false);
    assertEquals(List.of(1L), numbers(run(3)));
  }

  @Test
  void aHostThatHasStartedATaskHasNotRefusedTheJobTwice() {
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 2\n");
    state.written(object());
    submit(1, "-now y -t 1-2", 1, 1);
    submit(2, "-now y -t 1-2", 1, 2);
    assertEquals(2, run(0).size());
    refuse(1, 0, 3);
    refuse(2, 0, 3);
    List<ProposedStart> again = run(3);
    assertEquals(2, again.size());
    grant(again.get(0), 3);
    refuse(2, 3, 3);
    assertEquals(List.of(), givenUp(4));
  }

  @Test
  void hostsThatRefusedAnArrayAreAvoidedWhateverItsOtherTasksDo() {
    state.node(Records.node("n1", "host", 1, 1L << 32));
    for (int task = 1; task <= 3; task++) {
      submit(task, "-t 1-3", 1, task);
    }
    List<ProposedStart> launches = run(0);
    assertEquals(3, launches.size());
    ProposedStart elsewhere =
        launches.stream().filter(it -> !place(List.of(it)).equals("all.q@n1")).findFirst().get();
    grant(elsewhere, 0);
    ProposedStart refused =
        launches.stream().filter(it -> place(List.of(it)).equals("all.q@n1")).findFirst().get();
    refuse(refused.number(), 0, 100);
    end(elsewhere.number());
    List<ProposedStart> next = run(1);
    assertTrue(
        next.stream().noneMatch(it -> place(List.of(it)).equals("all.q@n1")), next::toString);
    assertEquals(1, next.size());
  }

  @Test
  void hostsAreNotBlamedForAJobThatWasHeldMeanwhile() {
    submit(1, "");
    String host = run(0).get(0).grant().getQueues().get(0);
    state.holds(1, "u");
    refuse(1, 0, 100);
    state.holds(1, "n");
    assertEquals(List.of(host), run(1).get(0).grant().getQueues());
  }

  @Test
  void aJobBehindManyThatCannotStartIsComeTo() {
    for (int job = 1; job <= 200; job++) {
      submit(job, "-l license=9,h_rt=" + job);
    }
    submit(201, "-p -500");
    assertEquals(List.of(), scheduler.run(NOW, 20).launches(), "cut before it");
    int runs = 1;
    List<ProposedStart> launches = List.of();
    while (launches.isEmpty() && runs < 20) {
      launches = scheduler.run(NOW.plusSeconds(runs++), 20).launches();
    }
    assertEquals(List.of(201L), launches.stream().map(ProposedStart::number).toList());
    assertTrue(runs <= 8, runs + " runs");
    for (long job = 1; job <= 201; job++) {
      end(job);
    }
    for (int second = 20; second < 30; second++) {
      run(second);
    }
    for (int job = 301; job <= 400; job++) {
      submit(job, "-l license=9,h_rt=" + job);
    }
    assertTrue(
        scheduler.run(NOW.plusSeconds(30), 20).effort().units() < 60,
        "as short as in the beginning");
  }
}
