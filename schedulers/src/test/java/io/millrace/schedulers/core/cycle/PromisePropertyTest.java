package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.EasySjbf;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Histories without surprises: runs end at their estimate or before, nodes stay, and later
 * submissions come later in the order. Then, under each policy that makes promises, backfill moves
 * no promise later; each promised job starts by its promise; no node is ever given more than it
 * has, promises included; all jobs run in the end, each once; and the same history gives the same
 * decisions. In every other history limits hold. A job at its limit is passed over, and those
 * behind it get promises; when it may run again it comes before them, as jobs do that come earlier
 * in the order. So a promise may move later only where it is in the way of jobs that come before
 * it, which the test works out by itself; later jobs move none. {@code -Dmillrace.histories=10000}
 * runs so many.
 */
class PromisePropertyTest {

  /** Of each policy, with limits and without, with nodes that are shared and without. */
  private static final long[] HISTORIES =
      Seeds.asked(
          "millrace.first_history",
          "millrace.histories",
          500,
          1,
          2,
          3,
          4,
          5,
          6,
          7,
          8,
          9,
          10,
          11,
          12,
          14,
          16,
          19);

  private static final int JOBS = 60;
  private static final long GB = 1L << 30;
  private static final Instant BEGIN = Instant.ofEpochSecond(1_795_000_000);
  private static final List<Policy> POLICIES =
      List.of(
          new Easy(),
          new EasySjbf(),
          new Conservative(),
          new StrictOrdering(1),
          new StrictOrdering(4),
          new StrictOrdering(50));
  private static final String[] REQUESTS = {
    "ncpus=1",
    "ncpus=3",
    "ncpus=8",
    "ncpus=2,mem=3gb",
    "select=2:ncpus=3:mpiprocs=3",
    "select=2:ncpus=4:mem=1gb:mpiprocs=2,place=scatter",
    "select=2:ncpus=4,place=pack",
    "select=1:ncpus=1,place=excl",
    "select=2:ncpus=1,place=shared",
    "select=1:ncpus=1,place=scatter:exclhost",
    "select=6:ncpus=2",
    "select=1:ncpus=4+2:ncpus=1:mem=2gb"
  };

  private static final List<String> USERS = List.of("alice@h", "bob@h", "carol@h");

  private record Run(List<NodeShare> shares, long fromMs, long endMs, long estimateMs) {}

  private Policy policy;
  private Random random;
  private SchedulerState state;
  private long nowMs = BEGIN.toEpochMilli();
  private long next = 1;
  private final Map<Long, Long> walltimes = new TreeMap<>();
  private ClusterObject queue;
  private final Map<Long, JobSpec> specs = new TreeMap<>();
  private final Map<Long, Run> running = new TreeMap<>();
  private final Map<Long, Promise> promised = new TreeMap<>();
  private final Map<String, NodeSharing> nodes = new TreeMap<>();
  private int moved;
  private final TreeSet<Long> waiting = new TreeSet<>();
  private final StringBuilder story = new StringBuilder();

  @Test
  void nobodyWhoIsStartedInAGapMovesAPromiseLater() {
    for (long seed : HISTORIES) {
      String story = new PromisePropertyTest().history(seed);
      if (seed % 8 == 0) {
        assertEquals(story, new PromisePropertyTest().history(seed));
      }
    }
  }

  private String history(long seed) {
    random = new Random(seed);
    policy = POLICIES.get((int) (seed % POLICIES.size()));
    state = new SchedulerState("default", 0, policy, Integer.MAX_VALUE);
    state.facts().written(Records.scheduler());
    List<String> pairs = new ArrayList<>(List.of("started", "True"));
    boolean limited = seed / POLICIES.size() % 2 == 1;
    if (limited) {
      pairs.addAll(ReferenceLimits.CHOICES.get(random.nextInt(ReferenceLimits.CHOICES.size())));
    }
    queue = Records.object(ObjectKind.QUEUE, "q", pairs.toArray(String[]::new));
    state.facts().written(queue);
    for (int i = 1; i <= 4; i++) {
      // Without the attribute sharing, all nodes are shared.
      boolean says = seed / POLICIES.size() % 3 == 2 && random.nextBoolean();
      NodeSharing sharing = says ? anyOf(NodeSharing.values()) : NodeSharing.DEFAULT_SHARED;
      nodes.put("n" + i, sharing);
      state.facts().written(Records.object(ObjectKind.NODE, "n" + i, "sharing", sharing.word()));
      state.facts().node(Records.node("n" + i, "h" + (i + 1) / 2, 8, 4 * GB));
    }
    int steps = 0;
    while (next <= JOBS || !waiting.isEmpty() || !running.isEmpty()) {
      String where = "seed " + seed + " step " + steps + " " + policy.name();
      assertTrue(steps++ < 40 * JOBS, where + ": no end, waiting " + waiting);
      for (int i = random.nextInt(4); i > 0 && next <= JOBS; i--) {
        submit();
      }
      cycle(where);
      advance();
    }
    assertEquals(0, state.waiting().jobCount());
    assertTrue(limited || moved == 0, "seed " + seed + ": a promise was moved without a limit");
    return story.toString();
  }

  private NodeSharing anyOf(NodeSharing[] all) {
    return all[random.nextInt(all.length)];
  }

  private void submit() {
    long number = next++;
    int walltimeS = 60 * (1 + random.nextInt(30));
    String request = REQUESTS[random.nextInt(REQUESTS.length)] + ",walltime=" + walltimeS;
    Job job = Records.job(number, "q", 0, request);
    JobSpec spec =
        JobSpec.newBuilder(job.getSpec())
            .setOwner(USERS.get(random.nextInt(USERS.size())))
            .setGroup("staff")
            .setProject(random.nextBoolean() ? "red" : "blue")
            .build();
    if (!ReferenceLimits.beyond(queue, spec, List.of(spec)).isEmpty()) {
      // A job that can never run.
      return;
    }
    job.setSpec(spec);
    specs.put(number, spec);
    walltimes.put(number, walltimeS * 1000L);
    waiting.add(number);
    state.facts().job(job);
  }

  private void cycle(String where) {
    do {
      PromiseCheck kept =
          new PromiseCheck(
              nowMs, queue, policy.promiseDepth(), new ReferenceNodeSharing(nodes::get));
      running.forEach((number, run) -> kept.runs(specs.get(number), run.shares, run.estimateMs));
      promised.forEach((number, promise) -> kept.before(number, specs.get(number), promise));
      CycleDecisions decisions = Cycle.run(state, Instant.ofEpochMilli(nowMs), Long.MAX_VALUE);
      for (Start start : decisions.starts()) {
        long number = start.jobNumber();
        assertTrue(waiting.remove(number), where + ": " + number + " starts again");
        promised.remove(number);
        long walltimeMs = walltimes.get(number);
        long ranMs = random.nextInt(3) == 0 ? walltimeMs : 1 + random.nextInt((int) walltimeMs);
        running.put(number, new Run(start.shares(), nowMs, nowMs + ranMs, nowMs + walltimeMs));
        kept.starts(number, specs.get(number), start.shares(), nowMs + walltimeMs);
        state.facts().granted(number, Records.allocation(start.shares()), nowMs);
        List<JobSpec> beside = running.keySet().stream().map(specs::get).toList();
        ReferenceLimits.check(queue, specs.get(number), beside, where);
        story.append(nowMs).append(' ').append(number).append(start.shares()).append('\n');
      }
      promised.clear();
      state.promises().forEach(it -> promised.put(it.jobNumber(), it));
      promised.forEach((number, promise) -> kept.after(number, specs.get(number), promise));
      kept.check(where);
      moved += kept.moved();
      withinCapacity(where);
    } while (state.workDue(nowMs));
  }

  private void withinCapacity(String where) {
    Map<String, UsageProfile> used = new TreeMap<>();
    running.values().forEach(it -> UsedAmounts.debit(used, it.shares, it.fromMs, it.estimateMs));
    for (Promise promise : state.promises()) {
      if (promise.dated()) {
        UsedAmounts.debit(used, promise.shares(), promise.fromMs(), promise.toMs());
      }
    }
    used.forEach(
        (key, profile) -> {
          long has = key.endsWith("ncpus") ? 8 : 4 * GB;
          long most = profile.max(nowMs, UsageProfile.FOREVER);
          assertTrue(most <= has, where + ": " + key + " " + most + " of " + has);
        });
  }

  /** Advances the time to the next end or promised start, or to a moment before it. */
  private void advance() {
    long untilMs = Math.min(state.nextPromiseMs(), nowMs + 600_000);
    for (Run run : running.values()) {
      untilMs = Math.min(untilMs, run.endMs());
    }
    nowMs = random.nextInt(4) == 0 ? nowMs + (untilMs - nowMs) / 2 : untilMs;
    List<Long> over = new ArrayList<>();
    running.forEach(
        (number, run) -> {
          if (run.endMs() <= nowMs) {
            over.add(number);
          }
        });
    for (long number : over) {
      running.remove(number);
      state.facts().gone(number);
    }
  }
}
