package io.millrace.connectors.forward.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.schemas.output.ObservedCluster;
import io.millrace.schemas.output.ObservedJob;
import io.millrace.schemas.output.ObservedNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What is shown of a cluster, by what it says. */
class ClusterPictureTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private final ClusterPicture picture = new ClusterPicture("c2", "gridengine", true);

  /** What a reader of both topics has. */
  private final Map<String, SpecificRecord> present = new TreeMap<>();

  private int told;

  private static Instant at(long seconds) {
    return NOON.plusSeconds(seconds);
  }

  private void hear() {
    for (Shown each : picture.news()) {
      told++;
      if (each.record().isPresent()) {
        present.put(each.key(), each.record().get());
      } else {
        present.remove(each.key());
      }
    }
  }

  private ObservedJob job(String key) {
    return (ObservedJob) present.get(key);
  }

  private ObservedNode node(String key) {
    return (ObservedNode) present.get(key);
  }

  private static OutsideJob running(long number, long task) {
    return job(new OutsideId(number, task), OutsideState.RUNNING, "mr.q@vm");
  }

  private static OutsideJob waiting(long number) {
    return job(OutsideId.of(number), OutsideState.WAITING, "");
  }

  private static OutsideJob job(OutsideId id, OutsideState state, String place) {
    return new OutsideJob(
        id,
        "sleep\u001b[2J",
        "alice",
        Optional.empty(),
        state,
        "r",
        Optional.of(at(-60)),
        place,
        2,
        Optional.empty(),
        "",
        List.of());
  }

  private static OutsideRecord record(long number, boolean certain) {
    OutsideEnd end =
        new OutsideEnd(7, 0, OutsideCause.EXITED, "exit_status 7")
            .withUsage(new OutsideUsage(61_000, 0, 0, 0));
    return new OutsideRecord(
        OutsideId.of(number),
        "alice",
        Optional.empty(),
        Optional.of(at(-60)),
        end,
        certain,
        Map.of());
  }

  private void changes(long second, OutsideRecord... records) {
    picture.changes(new OutsideChanges(List.of(records), List.of(), "", true, false), at(second));
  }

  private static OutsideInventory host(boolean usable) {
    return new OutsideInventory(
        List.of(
            new OutsideHost("vm", usable, usable ? "up" : "no open queue", 2, 1L << 30, Map.of())),
        List.of("mr.q"));
  }

  @Test
  void aJobIsShownUntilItsRecordAndForAWhileAfter() {
    picture.queue(List.of(waiting(17)), at(0));
    hear();
    assertEquals("Q", job("c2/17").getState());
    assertEquals("sleep?[2J", job("c2/17").getName());
    picture.queue(List.of(running(17, 0)), at(5));
    hear();
    assertEquals("R", job("c2/17").getState());
    changes(9, record(17, true));
    hear();
    assertEquals("F", job("c2/17").getState());
    assertEquals(7, job("c2/17").getExitStatus());
    assertEquals(61_000, job("c2/17").getCputMs());
    assertEquals(at(9).toEpochMilli(), job("c2/17").getEndedMs());
    // The queue lags behind accounting.
    picture.queue(List.of(running(17, 0)), at(10));
    hear();
    assertEquals("F", job("c2/17").getState());
    picture.queue(List.of(), at(15));
    picture.pass(at(3600), at(3600));
    hear();
    assertEquals("F", job("c2/17").getState());
    picture.pass(at(3700), at(3700));
    hear();
    assertFalse(present.containsKey("c2/17"));
  }

  @Test
  void whatTheQueueDoesNotShowIsOverOnlyWhenAccountingWasReadForAWhile() {
    picture.queue(List.of(running(17, 0)), at(0));
    picture.queue(List.of(), at(5));
    picture.pass(at(100), at(6));
    hear();
    assertEquals("R", job("c2/17").getState());
    picture.queue(List.of(running(17, 0)), at(101));
    picture.pass(at(140), at(140));
    hear();
    assertEquals("R", job("c2/17").getState());
    picture.queue(List.of(), at(150));
    picture.pass(at(180), at(180));
    hear();
    assertEquals("F", job("c2/17").getState());
    assertEquals("nobody knows how", job("c2/17").getEnd());
    assertEquals(null, job("c2/17").getExitStatus());
  }

  @Test
  void aRecordThatAnybodyCouldHaveWrittenNeedsTheQueue() {
    picture.queue(List.of(running(17, 0)), at(0));
    changes(1, record(17, false));
    picture.queue(List.of(running(17, 0)), at(5));
    hear();
    assertEquals("R", job("c2/17").getState());
    picture.queue(List.of(), at(10));
    hear();
    assertEquals(7, job("c2/17").getExitStatus());
  }

  @Test
  void aNumberIsUsedAgain() {
    picture.queue(List.of(running(17, 0)), at(0));
    changes(1, record(17, true));
    OutsideJob later =
        new OutsideJob(
            OutsideId.of(17),
            "other",
            "bob",
            Optional.empty(),
            OutsideState.WAITING,
            "qw",
            Optional.of(at(60)),
            "",
            1,
            Optional.empty(),
            "",
            List.of());
    picture.queue(List.of(later), at(61));
    hear();
    assertEquals("bob", job("c2/17").getAccount());
    assertEquals("Q", job("c2/17").getState());
    // A late record of somebody else's job is not its end.
    changes(62, record(17, true));
    hear();
    assertEquals("Q", job("c2/17").getState());
  }

  @Test
  void anArrayAllOfWhoseTasksHaveBegunIsItsTasks() {
    picture.queue(List.of(waiting(17), running(17, 1)), at(0));
    picture.queue(List.of(running(17, 1), running(17, 2)), at(5));
    hear();
    assertFalse(present.containsKey("c2/17"));
    assertEquals("R", job("c2/17.2").getState());
  }

  @Test
  void movesInTheLogAreShownBeforeTheQueueIsAsked() {
    picture.queue(List.of(running(17, 0)), at(0));
    OutsideMove move =
        new OutsideMove(
            OutsideId.of(17),
            "alice",
            Optional.empty(),
            OutsideState.SUSPENDED,
            at(1),
            Optional.empty());
    picture.changes(new OutsideChanges(List.of(), List.of(move), "", true, false), at(1));
    hear();
    assertEquals("S", job("c2/17").getState());
  }

  private void isNew(int number, int second) {
    OutsideMove move =
        new OutsideMove(
            OutsideId.of(number),
            "alice",
            Optional.empty(),
            OutsideState.WAITING,
            at(second),
            Optional.of("sleeper"));
    picture.changes(new OutsideChanges(List.of(), List.of(move), "", true, false), at(second));
    hear();
  }

  @Test
  void aNewJobInTheLogIsShownBeforeTheQueueIsAsked() {
    picture.queue(List.of(running(17, 0)), at(0));
    isNew(18, 1);
    assertEquals("Q", job("c2/18").getState());
    assertEquals("sleeper", job("c2/18").getName());
    isNew(17, 1);
    assertEquals("R", job("c2/17").getState());
    changes(2, record(18, true));
    hear();
    assertEquals("F", job("c2/18").getState());
    isNew(18, 1);
    assertEquals("F", job("c2/18").getState());
    isNew(18, 9);
    assertEquals("Q", job("c2/18").getState(), "its number was given out again");
  }

  @Test
  void whatJobsHoldIsShownWithTheirHost() {
    picture.hosts(host(true), at(0));
    hear();
    assertEquals("free", node("vm@c2").getState());
    picture.queue(List.of(running(17, 0), waiting(18)), at(1));
    hear();
    assertEquals("job-busy", node("vm@c2").getState());
    assertEquals(2, node("vm@c2").getHeld());
    assertEquals(1, node("vm@c2").getJobs());
    picture.hosts(host(false), at(2));
    hear();
    assertEquals("offline", node("vm@c2").getState());
    picture.hosts(new OutsideInventory(List.of(host(true).hosts().get(0)), List.of()), at(3));
    picture.troubles(Optional.of("qstat: no answer within 20 s"), Optional.empty());
    hear();
    assertEquals("state-unknown", node("vm@c2").getState());
    assertEquals(
        "qstat: no answer within 20 s", ((ObservedCluster) present.get("@c2")).getTrouble());
    assertEquals("R", job("c2/17").getState());
    picture.queue(List.of(), at(60));
    picture.troubles(Optional.empty(), Optional.empty());
    hear();
    // Nobody knows yet that the job is over.
    assertEquals("job-busy", node("vm@c2").getState());
    picture.pass(at(90), at(90));
    hear();
    assertEquals("free", node("vm@c2").getState());
    assertEquals("", ((ObservedCluster) present.get("@c2")).getTrouble());
  }

  private void isHeld(String name, long slots, int jobs) {
    assertEquals(slots, node(name + "@c2").getHeld(), name);
    assertEquals(jobs, node(name + "@c2").getJobs(), name);
  }

  /** A Grid Engine names the first of its places alone, and all of its slots. */
  @Test
  void eachHostHoldsWhatTheQueueSaysOfIt() {
    picture.hosts(
        new OutsideInventory(
            List.of(
                new OutsideHost("n1.site", true, "", 8, 1L << 30, Map.of()),
                new OutsideHost("n2.site", true, "", 8, 1L << 30, Map.of())),
            List.of()),
        at(0));
    OutsideJob both =
        job(OutsideId.of(17), OutsideState.RUNNING, "mr.q@n1.site")
            .having(
                List.of(
                    OutsideHolding.of("n1.site", Map.of("ncpus", 3L, "mem", 1L << 20)),
                    OutsideHolding.of("n2.site", Map.of("ncpus", 1L)),
                    OutsideHolding.of("n2.site", Map.of("ncpus", 6L))));
    OutsideJob parts = job(OutsideId.of(18), OutsideState.ENDING, "n[1-2]");
    picture.queue(List.of(both, parts), at(1));
    hear();
    isHeld("n1.site", 4, 2);
    isHeld("n2.site", 8, 2);
    assertEquals("free", node("n1.site@c2").getState());
    assertEquals("job-busy", node("n2.site@c2").getState());
    changes(2, record(17, true));
    hear();
    isHeld("n2.site", 1, 1);
    // Its number is another one's, which is at one host.
    picture.queue(List.of(job(OutsideId.of(18), OutsideState.RUNNING, "n1")), at(3));
    hear();
    isHeld("n1.site", 2, 1);
    isHeld("n2.site", 0, 0);
  }

  @Test
  void whatDoesNotChangeIsNotToldAgainButOnceAMinute() {
    picture.hosts(host(true), at(0));
    picture.queue(List.of(running(17, 0)), at(0));
    hear();
    int before = told;
    for (int second = 5; second < 60; second += 5) {
      picture.hosts(host(true), at(second));
      picture.queue(List.of(running(17, 0)), at(second));
      hear();
    }
    assertEquals(before, told);
    picture.queue(List.of(running(17, 0)), at(60));
    hear();
    assertEquals(before + 1, told);
    assertEquals(at(60).toEpochMilli(), ((ObservedCluster) present.get("@c2")).getHeardMs());
  }

  /** Numbers are used again, and a line is cut off at its second. */
  @Test
  void aLineOfBeforeItsSubmissionIsOfAnotherJob() {
    picture.queue(List.of(waiting(17)), at(0));
    picture.changes(moved(17, OutsideState.RUNNING, at(-62)), at(1));
    hear();
    assertEquals("Q", job("c2/17").getState());
    picture.changes(moved(17, OutsideState.RUNNING, at(-60)), at(1));
    hear();
    assertEquals("R", job("c2/17").getState());
    picture.changes(moved(17, OutsideState.ENDING, at(2)), at(3));
    hear();
    assertEquals("E", job("c2/17").getState());
    assertEquals("", job("c2/17").getEnd());
  }

  /** It begins, and may end, before the queue is asked for again. */
  @Test
  void aJobThatBeginsIsShownBeforeTheQueueShowsIt() {
    picture.queue(List.of(waiting(17)), at(0));
    picture.changes(moved(18, OutsideState.ENDING, at(1)), at(1));
    picture.changes(moved(19, OutsideState.RUNNING, at(-61)), at(0));
    hear();
    assertFalse(present.containsKey("c2/18") || present.containsKey("c2/19"));
    picture.changes(moved(18, OutsideState.RUNNING, at(2)), at(3));
    hear();
    assertEquals("R", job("c2/18").getState());
    assertEquals("alice", job("c2/18").getAccount());
    picture.changes(moved(18, OutsideState.ENDING, at(4)), at(5));
    hear();
    assertEquals("E", job("c2/18").getState());
    picture.queue(List.of(waiting(17), running(18, 0)), at(6));
    hear();
    assertEquals("mr.q@vm", job("c2/18").getPlace());
    assertEquals(2, job("c2/18").getSlots());
    picture.queue(List.of(waiting(17)), at(7));
    picture.pass(at(60), at(60));
    hear();
    assertEquals("F", job("c2/18").getState());
    // Late lines of it are not of a new one; the next one with its number is.
    picture.changes(moved(18, OutsideState.RUNNING, at(2)), at(61));
    hear();
    assertEquals("F", job("c2/18").getState());
    picture.changes(moved(18, OutsideState.RUNNING, at(62)), at(63));
    hear();
    assertEquals("R", job("c2/18").getState());
  }

  private static OutsideChanges moved(long number, OutsideState state, Instant at) {
    OutsideMove move =
        new OutsideMove(
            OutsideId.of(number), "alice", Optional.empty(), state, at, Optional.empty());
    return new OutsideChanges(List.of(), List.of(move), "", true, false);
  }

  @Test
  void theNextProcessGoesOnFromWhatWasShown() {
    picture.hosts(host(true), at(0));
    picture.queue(List.of(running(17, 0), running(18, 0)), at(0));
    hear();
    ClusterPicture next = new ClusterPicture("c2", "gridengine", true);
    present.values().forEach(next::remember);
    assertTrue(next.news().isEmpty());
    next.changes(new OutsideChanges(List.of(record(17, true)), List.of(), "", true, false), at(20));
    next.hosts(host(true), at(21));
    next.queue(List.of(running(18, 0)), at(21));
    List<String> keys = next.news().stream().map(Shown::key).toList();
    assertEquals(List.of("c2/17"), keys.stream().filter(it -> it.startsWith("c2/")).toList());
    List<Shown> all = next.farewell();
    assertTrue(all.stream().allMatch(it -> it.record().isEmpty()));
    assertEquals(present.keySet(), new java.util.TreeSet<>(all.stream().map(Shown::key).toList()));
  }

  @Test
  void recordsOfOtherClustersAreNotItsOwn() {
    picture.remember(
        ObservedNode.newBuilder()
            .setCluster("c1")
            .setName("vm@c1")
            .setState("free")
            .setWord("")
            .setNcpus(1)
            .setMemBytes(-1)
            .setHeld(0)
            .setJobs(0)
            .build());
    assertEquals(List.of("@c2"), picture.farewell().stream().map(Shown::key).toList());
  }

  private void hear(OutsideId id, OutsideState state) {
    OutsideMove move = new OutsideMove(id, "", Optional.empty(), state, NOON, Optional.empty());
    picture.changes(new OutsideChanges(List.of(), List.of(move), "x", true, false), NOON);
    hear();
  }

  /** It may be of the first task of an array; whose a job is that is not known the queue says. */
  @Test
  void aLineThatSaysNoMoreThanANumber() {
    OutsideJob array =
        new OutsideJob(
            OutsideId.of(8),
            "a",
            "bob",
            Optional.empty(),
            OutsideState.WAITING,
            "qw",
            Optional.of(at(-60)),
            "",
            1,
            Optional.empty(),
            "1-3:1",
            List.of());
    picture.queue(List.of(waiting(7), array), NOON);
    hear();
    for (OutsideId id :
        List.of(
            OutsideId.of(7),
            new OutsideId(7, 1),
            OutsideId.of(8),
            new OutsideId(8, 1),
            OutsideId.of(9),
            new OutsideId(9, 1))) {
      hear(id, OutsideState.RUNNING);
    }
    assertEquals("R", job("c2/7").getState());
    assertEquals("Q", job("c2/8").getState());
    assertEquals("R", job("c2/8.1").getState());
    assertEquals("bob", job("c2/8.1").getAccount());
    assertFalse(present.containsKey("c2/7.1") || present.containsKey("c2/9.1"), present::toString);
    assertEquals("R", job("c2/9").getState());
    assertEquals("", job("c2/9").getAccount());
    hear(OutsideId.of(7), OutsideState.ENDING);
    assertEquals("E", job("c2/7").getState());
  }
}
