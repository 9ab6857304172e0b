package io.millrace.schedulers.core.cycle;

import static io.millrace.schedulers.core.cycle.SchedulerFixture.decided;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.EasySjbf;
import io.millrace.schedulers.core.policy.Fifo;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schedulers.core.state.preemption.PreemptionClaim;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random histories under each policy: the state that follows each change decides the same as one
 * that is rebuilt and takes over the promises; no node is given or promised more than it has at any
 * time; no start exceeds a limit or uses a node of another queue; no job is lost. In every fourth
 * history there are reservations of all kinds with jobs in them, and no start runs into what they
 * have. {@code -Dmillrace.histories=10000} runs those of the seeds 1 to 10,000, with {@code
 * -Dmillrace.first_history=9001} only the last thousand of these; {@code millrace.site_histories}
 * and {@code millrace.first_site_history} say the same of those under rules of a site.
 */
class SchedulerHistoryPropertyTest {

  private static final int STEPS = 150;

  /** Of each policy, with nodes that are bound to queues and without, shared and not. */
  private static final long[] HISTORIES =
      Seeds.asked(
          "millrace.first_history",
          "millrace.histories",
          500,
          LongStream.rangeClosed(1, 44).toArray());

  /** Of those under rules of a site. */
  private static final long[] SITE_HISTORIES =
      Seeds.asked("millrace.first_site_history", "millrace.site_histories", 300, 1, 2, 3);

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private static final List<Policy> POLICIES =
      List.of(
          new Priority(),
          new Easy(),
          new EasySjbf(),
          new Conservative(),
          new Fifo(),
          new StrictOrdering(3),
          new StrictOrdering(0),
          new StrictOrdering(1));

  private static int stopped;
  private static int reserved;
  private static int together;
  private static int spanned;
  private static int clustered;

  /** What was done with reservations of other kinds than one window. */
  private static final Map<RandomKinds.KindOfChange, Integer> KINDS =
      new EnumMap<>(RandomKinds.KindOfChange.class);

  /** Rules of a site, which change; null in a history without. */
  private RandomRules rules;

  private SchedulerFixture world;

  /** Whether all reservations of the history are of one window. */
  private boolean plain;

  private Predicate<Object> missed = fact -> false;
  private RandomKinds kinds;
  private RandomReservations reservations;
  private ReferenceSets sets;
  private int resumed;
  private boolean refused;
  private Random random;

  @Test
  void followsAsIfBuiltAnew() {
    assertTrue(HISTORIES.length > 0, "no history");
    int started = 0;
    for (long seed : HISTORIES) {
      SchedulerHistoryPropertyTest one = new SchedulerHistoryPropertyTest();
      started += one.history(seed);
      resumed += one.resumed;
    }
    int steps = HISTORIES.length * STEPS;
    assertTrue(started > steps / 10, "only " + started + " starts");
    assertTrue(resumed > steps / 200, "only " + resumed + " runs went on");
    assertTrue(stopped > steps / 500, "only " + stopped + " stops");
    assertTrue(together > steps / 100, "only " + together + " in one set");
    assertTrue(spanned > 0 && clustered > 0, "none in several sets, or in a cluster");
    assertTrue(reserved > steps / 100, "only " + reserved + " reservations");
    assertEquals(EnumSet.allOf(RandomKinds.KindOfChange.class), KINDS.keySet(), "kinds: " + KINDS);
  }

  /** Under orders by several keys, shares, calendars and bounds of a cycle, which change. */
  @Test
  void followsUnderRulesOfASite() {
    int started = 0;
    for (long seed : SITE_HISTORIES) {
      SchedulerHistoryPropertyTest one = new SchedulerHistoryPropertyTest();
      one.rules = new RandomRules(new Random(~seed));
      started += one.history(seed);
    }
    int steps = SITE_HISTORIES.length * STEPS;
    assertTrue(started > steps / 20, "only " + started + " starts");
  }

  /** In this history the last overdue preempted run ends, after which another may be preempted. */
  @Test
  void followsTheEndOfALateRun() {
    assertTrue(plain().history(1186) > 0);
  }

  /**
   * In this history queues take turns, and a job that found no time at all gets before the one that
   * was in its way when a job of its queue starts.
   */
  @Test
  void aTurnBringsAJobWithoutATimeForward() {
    assertTrue(plain().history(779) > 0);
  }

  /** In this history the run of one that waited so long would last into what is booked. */
  @Test
  void whoWaitedForRunsToEndLastsIntoNoBooking() {
    assertTrue(plain().history(1279) > 0);
  }

  /** In these a reservation begins beside late runs; in the second one is given more walltime. */
  @Test
  void aReservationBeginsBesideLateRuns() {
    for (long seed : new long[] {271, 9851}) {
      SchedulerHistoryPropertyTest one = plain();
      assertTrue(one.history(seed) > 0 && one.reservations.room().refused() > 0);
    }
  }

  private static SchedulerHistoryPropertyTest plain() {
    SchedulerHistoryPropertyTest one = new SchedulerHistoryPropertyTest();
    one.plain = true;
    return one;
  }

  /** The same history with a follower that misses a fact. */
  static void play(long seed, Predicate<Object> missed) {
    SchedulerHistoryPropertyTest one = new SchedulerHistoryPropertyTest();
    one.missed = missed;
    one.history(seed);
  }

  private int history(long seed) {
    random = new Random(seed);
    Policy first = POLICIES.get((int) (seed % POLICIES.size()));
    world = new SchedulerFixture(rules == null ? first : rules.next(), NOW);
    world.missed = missed;
    // Most clusters have no bound nodes.
    RandomFacts facts =
        new RandomFacts(world, random, seed % 5 != 1, seed / POLICIES.size() % 3 == 2)
            .inClusters(seed % 7 == 6);
    facts.begin();
    kinds = plain ? null : new RandomKinds(world, new Random(31 * ~seed));
    reservations = new RandomReservations(world, random, kinds);
    // An own source of chance, so that histories without sets stay what they were.
    RandomSets grouping = new RandomSets(world, new Random(-seed));
    sets = new ReferenceSets(world);
    int started = 0;
    for (int step = 0; step < STEPS; step++) {
      facts.change();
      String said = facts.said() + (seed % 3 == 0 ? grouping.change() : "");
      said += rules == null ? "" : rules.change(step, world);
      String where = "seed " + seed + " step " + step + " " + world.state.policy().name();
      if (seed % 4 == 3) {
        said += reservations.change();
        reservations.decide(where + " after " + said);
      }
      started += decide(where, said);
      assertEquals(world.jobs.size(), world.state.waiting().jobCount(), where);
    }
    reserved += reservations.confirmed();
    if (kinds != null) {
      kinds.done().forEach((what, times) -> KINDS.merge(what, times, Integer::sum));
    }
    together += sets.together();
    spanned += sets.spanned();
    clustered += sets.clustered();
    return started;
  }

  private int decide(String where, String said) {
    int started = 0;
    int cycles = 0;
    int idle = 0;
    do {
      assertTrue(cycles++ < 200, "no end of cycles: " + where);
      SchedulerState fresh = world.rebuilt();
      String before = promises(world.state);
      SchedulerState second = random.nextInt(8) == 0 ? world.rebuilt() : null;
      CycleDecisions anew = Cycle.run(fresh, world.now, Long.MAX_VALUE);
      int claims = world.state.books().preemption().claims().size();
      long units = random.nextInt(4) == 0 ? 3 : Long.MAX_VALUE;
      CycleDecisions followed = Cycle.run(world.state, world.now, units);
      Supplier<String> story =
          () -> where + " after " + said + " had " + before + " anew " + decided(anew);
      if (second != null) {
        assertEquals(decided(anew), decided(Cycle.run(second, world.now, Long.MAX_VALUE)), story);
      }
      if (units == Long.MAX_VALUE) {
        assertEquals(decided(anew), decided(followed), story);
        assertEquals(promises(fresh), promises(world.state), story);
        boolean graded = world.state.books().preemption().gradeDue();
        boolean whole = followed.starts().size() < SchedulerFixture.PROPOSALS_MAX && !graded;
        if (whole && !RandomRules.bounds(world.state.policy())) {
          // Otherwise the cycle ended at a limit and left some classes unconsidered.
          assertEquals(ToldReasons.of(fresh), ToldReasons.of(world.state), story);
        }
      }
      refused = false;
      for (Preempt stop : followed.preempted()) {
        stop(stop, where);
      }
      for (Start start : followed.starts()) {
        started++;
        started(start, where, said, story);
      }
      if (!refused) {
        alone(where);
        neverTooMuch(where, followed.work().limitHit() && world.state.workDue(world.nowMs()));
      }
      promised(where + said);
      ToldReasons.limitsAreReached(world.state, where);
      boolean claimed = claims != world.state.books().preemption().claims().size();
      if (followed.nothing() && !claimed && !followed.work().limitHit()) {
        // What was held for a search and given back may call one more.
        assertTrue(!world.state.workDue() || idle++ == 0, where);
      }
    } while (world.state.workDue(world.nowMs()));
    return started;
  }

  private void started(Start start, String where, String said, Supplier<String> story) {
    sets.check(start.jobNumber(), start.shares(), where + said);
    onRacks(start.jobNumber(), start.shares(), where);
    if (!world.inside(start.jobNumber())) {
      ReferenceBindings.check(world, start.jobNumber(), start.shares(), where);
    }
    if (random.nextInt(10) == 0) {
      world.state.facts().withdraw(start.jobNumber());
    } else if (reservations.room().beyondItsNodes(start.jobNumber(), start.shares(), where + said)
        || reservations.room().besideAnother(start.jobNumber(), start.shares())) {
      world.state.facts().withdraw(start.jobNumber());
      world.pause(start.jobNumber());
    } else if (world.standsStill(start.jobNumber())) {
      resumed++;
      assertEquals(asItWas(start.jobNumber()), amounts(start.shares()), story);
      world.resumeRun(start.jobNumber());
      reservations.room().started(start.jobNumber(), where + said);
      neverBeyondLimit(start.jobNumber(), where);
    } else {
      world.grant(start.jobNumber(), given(start));
      reservations.room().started(start.jobNumber(), where + said);
      neverBeyondLimit(start.jobNumber(), where);
    }
  }

  private void promised(String where) {
    for (Promise promise : world.state.promises()) {
      sets.check(promise.jobNumber(), promise.shares(), where);
      onRacks(promise.jobNumber(), promise.shares(), where);
      long number = promise.jobNumber();
      if (!world.inside(number)) {
        ReferenceBindings.check(world, number, promise.shares(), where);
      } else if (promise.dated()) {
        long endMs = withItsReservation(number, promise.fromMs() + 1);
        assertTrue(promise.fromMs() < endMs, where + ": promised after the end: " + number);
      }
    }
  }

  /**
   * Shares that a start is granted: sometimes fewer chunks than asked for, as a scheduler may
   * choose.
   */
  private List<NodeShare> given(Start start) {
    List<NodeShare> shares = start.shares();
    boolean oneKind =
        world.jobs.get(start.jobNumber()).getSpec().getRequest().getChunks().size() == 1;
    boolean fewer = oneKind && shares.size() > 1 && random.nextInt(3) == 0;
    return fewer ? shares.subList(0, shares.size() - 1) : shares;
  }

  /** What a job's suspended run held, by node. */
  private Map<String, Map<String, Long>> asItWas(long number) {
    return amounts(world.jobs.get(number).getAllocation().getShares());
  }

  private static Map<String, Map<String, Long>> amounts(List<NodeShare> shares) {
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    for (NodeShare share : shares) {
      Map<String, Long> sum = sums.computeIfAbsent(share.getNode(), node -> new TreeMap<>());
      share.getAmounts().forEach((name, amount) -> sum.merge(name, amount, Long::sum));
      sum.values().removeIf(amount -> amount == 0);
    }
    return sums;
  }

  /** Checks that a preempted run is of a lower level, and that the asked ways are possible. */
  private void stop(Preempt stop, String where) {
    stopped++;
    SchedulerState state = world.state;
    int victim = state.books().book().jobs().find(stop.jobNumber());
    int other = state.books().book().jobs().find(stop.forNumber());
    int level = state.books().preemption().level(state.books().book().classOf(victim));
    boolean lower = level > state.books().book().classOf(other).level();
    // An owner above a soft limit may be below it once another of his jobs was preempted.
    assertTrue(lower || state.books().preemption().graded(), where + ": " + stop);
    assertTrue(world.runs(stop.jobNumber()), where + ": " + stop);
    boolean again = world.jobs.get(stop.jobNumber()).getSpec().getRerunnable();
    assertTrue(again || !stop.letters().contains("R"), where + ": " + stop);
    assertFalse(stop.letters().isEmpty() || world.killed(stop.jobNumber()), where + ": " + stop);
    if (random.nextInt(8) == 0) {
      // The next cycle checks what was promised for the time after the run's end.
      refused = true;
      state.answers().notStopped(stop.jobNumber()).forEach(world::pause);
    } else if (stop.letters().startsWith("S")) {
      world.suspend(stop.jobNumber(), true);
    } else {
      world.kill(stop.jobNumber());
    }
  }

  private static String promises(SchedulerState of) {
    StringBuilder lines = new StringBuilder();
    for (Promise promise : of.promises()) {
      lines.append(promise.jobNumber()).append('@').append(promise.fromMs() - NOW.toEpochMilli());
      promise
          .shares()
          .forEach(it -> lines.append(' ').append(it.getNode()).append(it.getAmounts()));
      lines.append("; ");
    }
    return lines.toString();
  }

  /**
   * Checks that runs and promises together never exceed a node's capacity. A cycle that ended at
   * its work limit may not have reached all promises; one whose time has passed is then out of date
   * and checked by the next cycle, which must be due. A late run on a reservation's node has now
   * what it has, but is not counted on by what the reservation's jobs are promised.
   */
  private void neverTooMuch(String where, boolean interrupted) {
    SchedulerState state = world.state;
    Map<String, UsageProfile> used = new TreeMap<>();
    world.running.forEach(
        (number, shares) -> {
          if (!state.books().preemption().stopped(number)) {
            for (NodeShare it : shares) {
              boolean now = reservations.room().outlives(number, it.getNode());
              long toMs = now ? world.nowMs() + 1 : endMs(number);
              UsedAmounts.debit(used, List.of(it), Long.MIN_VALUE, toMs);
            }
          }
        });
    for (PreemptionClaim claim : state.books().preemption().claims()) {
      List<NodeShare> held = claim.held().shares(state.books().names());
      long toMs = withItsReservation(claim.number(), claim.endMs());
      UsedAmounts.debit(used, held, Long.MIN_VALUE, toMs);
    }
    for (Promise promise : state.promises()) {
      boolean over = interrupted && promise.fromMs() <= world.nowMs();
      long toMs = withItsReservation(promise.jobNumber(), promise.toMs());
      if (promise.dated() && !over) {
        UsedAmounts.debit(used, promise.shares(), promise.fromMs(), toMs);
      }
    }
    used.forEach(
        (key, profile) -> {
          String[] words = key.split(" ");
          assertTrue(world.nodes.containsKey(words[0]), where + ": " + key + " is lost");
          long has = world.capacity(words[0], words[1]);
          long most = profile.max(world.nowMs(), UsageProfile.FOREVER);
          assertTrue(
              most <= has,
              () -> where + ": " + key + " " + profile + " of " + has + " " + world.running);
        });
  }

  private long endMs(long number) {
    return withItsReservation(number, world.promisedAfterMs(number));
  }

  /** An end, which in a reservation is not later than the reservation's. */
  private long withItsReservation(long number, long endMs) {
    String queue = world.jobs.get(number).getSpec().getQueue();
    return world.inside(number)
        ? Math.min(endMs, world.reservationOf(queue).getSpec().getEndMs())
        : endMs;
  }

  /** Checks that no job is beside a run that has its node or host exclusively. */
  private void alone(String where) {
    ReferenceNodeSharing company =
        new ReferenceNodeSharing(name -> NodeAmounts.sharing(world.object(ObjectKind.NODE, name)));
    world.running.forEach(
        (one, its) ->
            world
                .running
                .tailMap(one + 1)
                .forEach(
                    (other, others) -> {
                      boolean gone =
                          world.state.books().preemption().stopped(one)
                              || world.state.books().preemption().stopped(other);
                      assertFalse(
                          !gone && company.excludes(sharing(one), its, sharing(other), others),
                          () -> where + ": " + one + its + " beside " + other + others);
                    }));
  }

  private Sharing sharing(long number) {
    return PlaceRequest.of(world.jobs.get(number).getSpec().getRequest().getPlace()).sharing();
  }

  private void neverBeyondLimit(long number, String where) {
    JobSpec started = world.asGranted(number);
    String queue = started.getQueue();
    List<JobSpec> served = new ArrayList<>();
    List<JobSpec> beside = new ArrayList<>();
    for (long other : world.running.keySet()) {
      JobSpec spec = world.asGranted(other);
      String partition =
          ObjectAttributes.text(world.object(ObjectKind.QUEUE, spec.getQueue()), "partition", "");
      boolean own = partition.isEmpty() || partition.equals("pbs-default");
      if (own || world.state.settings().partitions().contains(partition)) {
        served.add(spec);
      }
      if (spec.getQueue().equals(queue)) {
        beside.add(spec);
      }
    }
    ReferenceLimits.check(world.object(ObjectKind.QUEUE, queue), started, beside, where);
    ClusterObject server = world.object(ObjectKind.SERVER, "server");
    if (server != null) {
      ReferenceLimits.check(server, started, served, where);
    }
  }

  /** Checks that the nodes are of a rack that the job asks for. */
  private void onRacks(long number, List<NodeShare> shares, String where) {
    if (world.standsStill(number)) {
      return; // it goes on where it is, whatever its nodes show by now
    }
    Set<String> asked = new TreeSet<>();
    world
        .jobs
        .get(number)
        .getSpec()
        .getRequest()
        .getChunks()
        .forEach(it -> asked.add(it.getMatches().getOrDefault("rack", "")));
    for (NodeShare share : shares) {
      // What is kept free for its host only need not show anything.
      if (share.getChunks() > 0 && !asked.contains("")) {
        ClusterObject node = world.object(ObjectKind.NODE, share.getNode());
        String racks = ObjectAttributes.text(node, "resources_available.rack", "");
        assertTrue(
            Stream.of(racks.split(",")).anyMatch(asked::contains), where + ": " + number + share);
      }
    }
  }
}
