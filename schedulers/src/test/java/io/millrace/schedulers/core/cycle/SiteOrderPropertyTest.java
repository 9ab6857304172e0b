package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The order in which a cycle looks at jobs under several keys is the one that is found by looking
 * for the first of all that are left, after each job anew.
 */
class SiteOrderPropertyTest {

  private static final int HISTORIES = 150;
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  /** What the reference knows of a job. */
  private record Waiting(long number, String queue, int priority, int size, String user) {}

  private record Case(
      Random random, JobSequence sequence, ShareTree tree, List<Integer> queues, int room) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void jobsAreLookedAtInTheirOrder(long offset) throws SortFormula.BadFormula {
    long seed = Long.getLong("millrace.day", 20261125L) * 10 + offset;
    for (int i = 0; i < HISTORIES; i++) {
      check(new Random(seed * HISTORIES + i), "seed " + seed + ", history " + i);
    }
  }

  private static Case newCase(Random random) {
    List<JobSequence.JobOrderKey> keys = new ArrayList<>();
    if (random.nextBoolean()) {
      keys.add(new JobSequence.JobOrderKey("ncpus", random.nextBoolean()));
    }
    if (random.nextBoolean()) {
      keys.add(new JobSequence.JobOrderKey(JobSequence.JOB_PRIORITY, random.nextBoolean()));
    }
    JobSequence sequence =
        new JobSequence(
            random.nextBoolean(), random.nextInt(3) == 0, random.nextBoolean(), true, keys);
    List<Integer> queues = new ArrayList<>();
    for (int q = 0; q < 4; q++) {
      queues.add(random.nextInt(3));
    }
    return new Case(random, sequence, tree(random), queues, random.nextInt(20));
  }

  private static ShareTree tree(Random random) {
    ShareTree tree = new ShareTree(random.nextInt(3));
    tree.add("g1", 10, ShareTree.TOP, 1 + random.nextInt(3));
    tree.add("g2", 11, ShareTree.TOP, random.nextInt(3));
    tree.add("u1", 20, "g1", 1 + random.nextInt(3));
    tree.add("u2", 21, "g1", 1 + random.nextInt(3));
    tree.add("u3", 22, "g2", 1 + random.nextInt(3));
    tree.entitle();
    tree.charge(tree.entity("u1"), random.nextInt(20));
    tree.charge(tree.entity("u3"), random.nextInt(20));
    return tree;
  }

  private static void check(Random random, String where) throws SortFormula.BadFormula {
    Case given = newCase(random);
    SchedulerState state = new SchedulerState("default", 0, policy(given), 1000);
    state.facts().written(Records.scheduler());
    for (int q = 0; q < given.queues().size(); q++) {
      state
          .facts()
          .written(
              Records.object(
                  ObjectKind.QUEUE,
                  "q" + q,
                  "started",
                  "True",
                  "Priority",
                  "" + given.queues().get(q)));
    }
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", given.room(), 1L << 40));
    List<Waiting> waiting = new ArrayList<>();
    for (long number = 1; number <= 25; number++) {
      Waiting job =
          new Waiting(
              number,
              "q" + random.nextInt(4),
              random.nextInt(2),
              1 + random.nextInt(3),
              "u" + (1 + random.nextInt(4)));
      waiting.add(job);
      JobSpec spec =
          JobSpec.newBuilder(
                  Records.spec(job.queue(), job.priority(), Records.request("ncpus=" + job.size())))
              .setOwner(job.user())
              .build();
      state.facts().job(Records.job(number, number, spec));
    }
    List<Long> looked = new ArrayList<>();
    CycleDecisions decisions = Cycle.run(state, NOW, Long.MAX_VALUE, looked::add);
    List<Long> started = new ArrayList<>();
    assertEquals(reference(given, waiting, started), looked, where + " " + given.sequence());
    assertEquals(started, decisions.starts().stream().map(Start::jobNumber).toList(), where);
  }

  private static Policy policy(Case given) throws SortFormula.BadFormula {
    SortFormula usage = SortFormula.of("ncpus");
    SiteRules rules =
        new SiteRules(
            given.sequence(),
            new SiteRules.FairShareRules(given.tree(), whose -> whose.user(), usage, false),
            null,
            SiteRules.CycleBounds.NONE,
            false);
    return new Policy() {
      @Override
      public String name() {
        return Policies.STANDARD.name();
      }

      @Override
      public SiteRules site() {
        return rules;
      }
    };
  }

  /** Looks for the next job among all that are left, again and again. */
  private static List<Long> reference(Case given, List<Waiting> waiting, List<Long> started) {
    given.tree().beginCycle();
    List<Waiting> left = new ArrayList<>(waiting);
    List<Long> looked = new ArrayList<>();
    int room = given.room();
    int turn = 0;
    int tier = Integer.MAX_VALUE;
    while (!left.isEmpty()) {
      Waiting next = null;
      if (given.sequence().roundRobin()) {
        int priority = left.stream().mapToInt(it -> priority(given, it)).max().orElseThrow();
        turn = priority == tier ? turn : 0;
        tier = priority;
        List<String> queues = queues(given, priority, waiting);
        while (next == null) {
          String queue = queues.get(turn % queues.size());
          next = first(given, left.stream().filter(it -> it.queue().equals(queue)).toList());
          turn++;
        }
      } else {
        next = first(given, left);
      }
      left.remove(next);
      looked.add(next.number());
      if (next.size() <= room) {
        room -= next.size();
        started.add(next.number());
        if (given.sequence().byShares()) {
          given.tree().startsInCycle(given.tree().entity(next.user()), next.size());
        }
      }
    }
    return looked;
  }

  private static List<String> queues(Case given, int priority, List<Waiting> waiting) {
    return waiting.stream()
        .filter(it -> priority(given, it) == priority)
        .map(Waiting::queue)
        .distinct()
        .sorted()
        .toList();
  }

  private static int priority(Case given, Waiting job) {
    return given.queues().get(job.queue().charAt(1) - '0');
  }

  private static Waiting first(Case given, List<Waiting> jobs) {
    Waiting first = null;
    for (Waiting job : jobs) {
      if (first == null || compare(given, job, first) < 0) {
        first = job;
      }
    }
    return first;
  }

  private static int compare(Case given, Waiting a, Waiting b) {
    JobSequence sequence = given.sequence();
    int order = 0;
    if (sequence.byQueue() && !sequence.roundRobin()) {
      order = priority(given, b) - priority(given, a);
      order = order == 0 ? a.queue().compareTo(b.queue()) : order;
    }
    if (order == 0 && sequence.byShares()) {
      order = ShareTree.compare(given.tree().entity(a.user()), given.tree().entity(b.user()));
    }
    for (JobSequence.JobOrderKey key : sequence.keys()) {
      if (order == 0) {
        boolean size = key.name().equals("ncpus");
        order = size ? a.size() - b.size() : a.priority() - b.priority();
        order = key.high() ? -order : order;
      }
    }
    return order == 0 ? Long.compare(a.number(), b.number()) : order;
  }
}
