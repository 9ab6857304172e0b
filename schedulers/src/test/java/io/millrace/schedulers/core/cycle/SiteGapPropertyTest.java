package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cycle that looks behind the last promise only at what may have changed decides the same as one
 * that looks at each job, because somebody listens: over histories of jobs that come and runs that
 * end, with fair share and without.
 */
class SiteGapPropertyTest {

  private static final int HISTORIES = 60;
  private static final int STEPS = 25;
  private static final long NOW_S = 1_795_000_000;

  /** A scheduler of a history; both follow the same facts. */
  private static final class Side {
    private final SchedulerState state;
    private final ShareTree tree = tree();
    private final LongConsumer listener;

    private Side(JobSequence sequence, int depth, LongConsumer listener) throws Exception {
      this.listener = listener;
      state = new SchedulerState("default", 0, policy(sequence, depth, tree), 1000);
      state.facts().written(Records.scheduler());
      for (int q = 0; q < 3; q++) {
        state
            .facts()
            .written(
                Records.object(
                    ObjectKind.QUEUE, "q" + q, "started", "True", "Priority", "" + q % 2));
      }
      for (int n = 0; n < 4; n++) {
        state.facts().written(Records.object(ObjectKind.NODE, "n" + n));
        state.facts().node(Records.node("n" + n, "h" + n, 4, 1L << 40));
      }
    }

    private CycleDecisions cycle(long nowS) {
      return Cycle.run(state, Instant.ofEpochSecond(nowS), Long.MAX_VALUE, listener);
    }

    private List<String> promises() {
      return state.promises().stream()
          .map(
              it ->
                  it.jobNumber()
                      + " from "
                      + it.fromMs()
                      + (it.dated()
                          ? " on " + it.held().takes().stream().map(t -> t.node().name()).toList()
                          : ""))
          .toList();
    }
  }

  /** All entities are equally deep: of others PBS's comparison makes no order. */
  private static ShareTree tree() {
    ShareTree tree = new ShareTree(1);
    tree.add("g1", 10, ShareTree.TOP, 2);
    tree.add("u1", 20, "g1", 1);
    tree.add("u2", 21, "g1", 3);
    tree.add("g2", 11, ShareTree.TOP, 3);
    tree.add("u3", 22, "g2", 2);
    tree.entitle();
    return tree;
  }

  private static Policy policy(JobSequence sequence, int depth, ShareTree tree)
      throws SortFormula.BadFormula {
    SiteRules rules =
        new SiteRules(
            sequence,
            new SiteRules.FairShareRules(
                tree, whose -> whose.user(), SortFormula.of("ncpus"), false),
            null,
            SiteRules.CycleBounds.NONE,
            false);
    return new Policy() {
      @Override
      public String name() {
        return Policies.STANDARD.name();
      }

      @Override
      public int promiseDepth() {
        return depth;
      }

      @Override
      public SiteRules site() {
        return rules;
      }
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theShortWayDecidesTheSame(long offset) throws Exception {
    long seed = Long.getLong("millrace.day", 20261125L) * 10 + offset;
    int started = 0;
    for (int i = 0; i < HISTORIES; i++) {
      String where = "seed " + seed + ", history " + i;
      started += history(new Random(seed * HISTORIES + i), where);
    }
    assertTrue(started > HISTORIES * 10, "jobs start");
  }

  private static int history(Random random, String where) throws Exception {
    List<JobSequence.JobOrderKey> keys = new ArrayList<>();
    if (random.nextBoolean()) {
      keys.add(new JobSequence.JobOrderKey("ncpus", random.nextBoolean()));
    }
    if (random.nextBoolean()) {
      keys.add(new JobSequence.JobOrderKey(JobSequence.JOB_PRIORITY, random.nextBoolean()));
    }
    boolean byShares = random.nextInt(3) > 0;
    JobSequence sequence = new JobSequence(random.nextBoolean(), false, byShares, true, keys);
    int depth = random.nextInt(4);
    List<Side> sides =
        List.of(new Side(sequence, depth, null), new Side(sequence, depth, number -> {}));
    List<Long> running = new ArrayList<>();
    long next = 1;
    long nowS = NOW_S;
    int started = 0;
    for (int step = 0; step < STEPS; step++) {
      nowS += random.nextInt(600);
      for (int i = random.nextInt(5); i > 0; i--) {
        long number = next++;
        JobSpec spec = spec(random);
        sides.forEach(it -> it.state.facts().job(Records.job(number, number, spec)));
      }
      for (int i = random.nextInt(3); i > 0 && !running.isEmpty(); i--) {
        long gone = running.remove(random.nextInt(running.size()));
        sides.forEach(it -> it.state.facts().gone(gone));
      }
      if (random.nextInt(3) == 0) {
        String user = "u" + (1 + random.nextInt(4));
        int used = random.nextInt(50);
        sides.forEach(it -> it.tree.charge(it.tree.entity(user), used));
      }
      List<Long> starts = new ArrayList<>();
      for (Side side : sides) {
        List<Long> its = side.cycle(nowS).starts().stream().map(Start::jobNumber).toList();
        assertEquals(side == sides.get(0) ? its : starts, its, where + ", step " + step);
        starts = new ArrayList<>(its);
        its.forEach(it -> side.state.given().started(it));
      }
      assertEquals(sides.get(0).promises(), sides.get(1).promises(), where + ", step " + step);
      running.addAll(starts);
      started += starts.size();
    }
    return started;
  }

  private static Side side(boolean byShares, int depth) throws Exception {
    return new Side(new JobSequence(false, false, byShares, true, List.of()), depth, null);
  }

  private static void submit(Side side, long number, String user, String queue, String request) {
    submit(side, number, user, queue, 0, request);
  }

  private static void submit(
      Side side, long number, String user, String queue, int priority, String request) {
    JobSpec spec = Records.spec(queue, priority, Records.request(request));
    spec.setOwner(user);
    side.state.facts().job(Records.job(number, number, spec));
  }

  private static List<Long> starts(Side side) {
    List<Long> starts = side.cycle(NOW_S).starts().stream().map(Start::jobNumber).toList();
    starts.forEach(it -> side.state.given().started(it));
    return starts;
  }

  @Test
  void aStartMovesOnlyJobsOfItsGroups() {
    ShareTree tree = tree();
    tree.beginCycle();
    tree.startsInCycle(tree.find("u1"), 5);
    assertTrue(ShareTree.startedInCycle(tree.find("u2")));
    assertFalse(ShareTree.startedInCycle(tree.find("u3")));
  }

  @Test
  void aJobThatHasStartedIsNotReachedAgainWhenRunsAreStoppedForAnother() throws Exception {
    Side side = side(true, 0);
    side.state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, "express", "started", "True", "Priority", "150"));
    submit(side, 1, "u4", "express", "ncpus=4");
    submit(side, 2, "u4", "q0", "ncpus=4");
    submit(side, 3, "u4", "q0", "ncpus=4");
    for (Start start : side.cycle(NOW_S).starts()) {
      side.state
          .facts()
          .granted(start.jobNumber(), Records.allocation(start.shares()), NOW_S * 1000);
    }
    side.tree.charge(side.tree.entity("u2"), 1);
    submit(side, 4, "u3", "express", "select=4:ncpus=4");
    submit(side, 5, "u2", "express", "ncpus=2");
    submit(side, 6, "u1", "express", "ncpus=4");
    CycleDecisions decided = side.cycle(NOW_S);
    assertEquals(List.of(5L), decided.starts().stream().map(Start::jobNumber).toList());
    assertEquals(1, decided.preempted().size());
  }

  @Test
  void jobsOfAClassChangePlacesWhenTheFormulaSaysSoOfTheirEntity() throws Exception {
    Side side = side(false, 1);
    side.state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER,
                "default",
                "scheduling",
                "True",
                "job_sort_formula",
                "job_priority * (0.5 - fairshare_tree_usage)"));
    side.tree.charge(side.tree.entity("u3"), 1000);
    submit(side, 1, "u3", "q0", "select=4:ncpus=4");
    assertEquals(List.of(1L), starts(side));
    submit(side, 2, "u1", "q0", 1, "select=4:ncpus=4");
    submit(side, 3, "u1", "q0", 5, "select=4:ncpus=4");
    assertEquals(List.of(), starts(side));
    side.tree.charge(side.tree.entity("u1"), 1_000_000);
    side.state.facts().gone(1);
    assertEquals(List.of(2L), starts(side));
  }

  private static JobSpec spec(Random random) {
    String request =
        "select="
            + (1 + random.nextInt(3))
            + ":ncpus="
            + (1 + random.nextInt(4))
            + ",walltime="
            + 300 * (1 + random.nextInt(6));
    return JobSpec.newBuilder(
            Records.spec("q" + random.nextInt(3), random.nextInt(2), Records.request(request)))
        .setOwner("u" + (1 + random.nextInt(4)))
        .build();
  }
}
