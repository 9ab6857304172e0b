package io.millrace.schedulers.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Conservative;
import io.millrace.schedulers.core.policy.Easy;
import io.millrace.schedulers.core.policy.EasySjbf;
import io.millrace.schedulers.core.policy.Fifo;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schedulers.core.policy.StrictOrdering;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Random histories under each policy: the state that follows each change decides the same as one
 * that is built anew and is told the promises; no node is given or promised more than it has at any
 * time; nobody is beyond a limit with a job that starts; no job is lost. {@code
 * -Dmillrace.histories=10000} runs so many.
 */
class HistoryPropertyTest {

  private static final int STEPS = 150;
  private static final int HISTORIES = Integer.getInteger("millrace.histories", 24);
  private static final long GB = 1L << 30;
  private static final String[] REQUESTS = {
    "ncpus=1",
    "ncpus=3",
    "ncpus=8",
    "ncpus=1,mem=3gb",
    "select=2:ncpus=3",
    "select=2:ncpus=2:mem=1gb,place=scatter",
    "select=3:ncpus=2,place=pack",
    "select=1:ncpus=2+2:ncpus=1:mem=2gb",
    "select=1:ncpus=1,place=excl",
    "select=2:ncpus=1,place=vscatter:exclhost",
    "select=2:ncpus=2,place=group=rack",
    "select=2:ncpus=3,place=scatter:group=rack",
    "select=1:ncpus=1:lic=1",
    "select=2:lic=2",
    "select=1:ncpus=1:host=h1",
    "ncpus=20",
    "select=1:ncpus=0:mem=4gb",
    "select=4:ncpus=4"
  };
  private static final int[] WALLTIMES = {60, 120, 300, 600, 3600};
  private static final String[] QUEUES = {"q1", "q2", "q3", "q4"};
  private static final List<String> NODE_ORDERS =
      List.of("", "ncpus HIGH unused", "sort_priority LOW", "mem HIGH, ncpus LOW assigned");
  private static final String[] USERS = {"alice@h", "bob@h", "carol@h"};
  private static final String[] GROUPS = {"", "staff"};
  private static final String[] PROJECTS = {"red", "blue"};
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

  private Policy policy;
  private final TreeMap<String, ClusterObject> objects = new TreeMap<>();
  private final TreeMap<String, Node> nodes = new TreeMap<>();
  private final TreeMap<Long, Job> jobs = new TreeMap<>();
  private final TreeMap<Long, List<NodeShare>> running = new TreeMap<>();
  private Instant now = NOW;
  private String changed = "";
  private SchedulerState state;
  private Random random;
  private long next = 1;

  @Test
  void followsAsIfBuiltAnew() {
    int started = 0;
    for (int seed = 1; seed <= HISTORIES; seed++) {
      started += new HistoryPropertyTest().history(seed);
    }
    assertTrue(started > HISTORIES * STEPS / 10, "only " + started + " starts");
  }

  private int history(long seed) {
    random = new Random(seed);
    policy = POLICIES.get((int) (seed % POLICIES.size()));
    state = new SchedulerState("default", 0, policy, 7);
    write(Records.licenses());
    write(Records.rack());
    write(Records.scheduler());
    for (String queue : QUEUES) {
      write(Records.queue(queue));
    }
    for (int i = 1; i <= 5; i++) {
      writeNode("n" + i, "free", "");
      Node node = Records.node("n" + i, "h" + (i + 1) / 2, 8, 4 * GB);
      nodes.put(node.getName(), node);
      state.node(node);
    }
    int started = 0;
    for (int step = 0; step < STEPS; step++) {
      change();
      String where = "seed " + seed + " step " + step + " " + policy.name();
      started += decide(where);
      assertEquals(jobs.size(), state.jobCount(), where);
    }
    return started;
  }

  private int decide(String where) {
    int started = 0;
    int cycles = 0;
    do {
      assertTrue(cycles++ < 200, "no end of cycles: " + where);
      SchedulerState fresh = rebuild();
      String before = promises(state);
      SchedulerState second = rebuild();
      Decisions anew = Cycle.run(fresh, now, Long.MAX_VALUE);
      Decisions again = Cycle.run(second, now, Long.MAX_VALUE);
      long units = random.nextInt(4) == 0 ? 3 : Long.MAX_VALUE;
      Decisions followed = Cycle.run(state, now, units);
      String story = where + " after " + changed + " had " + before + " anew " + text(anew);
      assertEquals(text(anew), text(again), story);
      if (units == Long.MAX_VALUE) {
        assertEquals(text(anew), text(followed), story);
        assertEquals(promises(fresh), promises(state), story);
      }
      for (Start start : followed.starts()) {
        started++;
        if (random.nextInt(10) == 0) {
          state.withdraw(start.jobNumber());
        } else {
          grant(start, where);
        }
      }
      neverTooMuch(story);
      if (followed.nothing() && !followed.work().limitHit()) {
        assertFalse(state.workDue(), where);
      }
    } while (state.workDue(now.toEpochMilli()));
    return started;
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

  /** What runs and what is promised is within what each usable node has, at all times. */
  private void neverTooMuch(String where) {
    Map<String, UsageProfile> used = new TreeMap<>();
    running.forEach(
        (number, shares) ->
            UsedAmounts.debit(used, shares, Long.MIN_VALUE, state.holdings().endMs(number)));
    for (Promise promise : state.promises()) {
      if (promise.dated()) {
        UsedAmounts.debit(used, promise.shares(), promise.fromMs(), promise.toMs());
      }
    }
    used.forEach(
        (key, profile) -> {
          String[] words = key.split(" ");
          long has = words[1].equals("lic") ? 2 : nodes.get(words[0]).getMeasured().get(words[1]);
          long most = profile.max(now.toEpochMilli(), UsageProfile.FOREVER);
          assertTrue(most <= has, where + ": " + key + " " + profile + " of " + has);
        });
  }

  private void neverBeyondLimit(JobSpec started, String where) {
    String queue = started.getQueue();
    List<JobSpec> served = new ArrayList<>();
    List<JobSpec> beside = new ArrayList<>();
    for (long number : running.keySet()) {
      JobSpec spec = jobs.get(number).getSpec();
      String partition =
          ObjectAttributes.text(
              objects.get(ObjectKind.QUEUE + "/" + spec.getQueue()), "partition", "");
      boolean own = partition.isEmpty() || partition.equals("pbs-default");
      if (own || state.settings().partitions().contains(partition)) {
        served.add(spec);
      }
      if (spec.getQueue().equals(queue)) {
        beside.add(spec);
      }
    }
    PlainLimits.check(objects.get(ObjectKind.QUEUE + "/" + queue), started, beside, where);
    ClusterObject server = objects.get(ObjectKind.SERVER + "/server");
    if (server != null) {
      PlainLimits.check(server, started, served, where);
    }
  }

  private static List<String> text(Decisions decisions) {
    List<String> lines = new ArrayList<>();
    decisions.starts().forEach(it -> lines.add(it.jobNumber() + " " + it.shares()));
    return lines;
  }

  private void grant(Start start, String where) {
    running.put(start.jobNumber(), start.shares());
    neverBeyondLimit(jobs.get(start.jobNumber()).getSpec(), where);
    jobs.get(start.jobNumber()).setStartedMs(now.toEpochMilli());
    Map<String, Long> sums = new TreeMap<>();
    running
        .values()
        .forEach(
            shares ->
                shares.forEach(
                    share ->
                        share
                            .getAmounts()
                            .forEach(
                                (r, a) -> sums.merge(share.getNode() + " " + r, a, Long::sum))));
    for (NodeShare share : start.shares()) {
      Node node = nodes.get(share.getNode());
      share
          .getAmounts()
          .keySet()
          .forEach(
              r -> {
                long has = r.equals("lic") ? 2 : node.getMeasured().get(r);
                long given = sums.get(share.getNode() + " " + r);
                assertTrue(given <= has, where + ": " + given + " of " + has + " " + r);
              });
    }
    state.granted(start.jobNumber(), Records.allocation(start.shares()), now.toEpochMilli());
  }

  /** The same state, built as an engine does that starts now. */
  private SchedulerState rebuild() {
    SchedulerState fresh = new SchedulerState("default", 0, policy, 7);
    objects.values().forEach(fresh::written);
    for (Node node : nodes.values()) {
      List<Holding> holdings = new ArrayList<>();
      running.forEach(
          (number, shares) ->
              shares.stream()
                  .filter(it -> it.getNode().equals(node.getName()))
                  .map(
                      it -> new Holding(number + ".vm", number, 1, it.getAmounts(), it.getChunks()))
                  .forEach(holdings::add));
      fresh.node(Node.newBuilder(node).setHoldings(holdings).build());
    }
    for (Job job : jobs.values()) {
      boolean runs = running.containsKey(job.getNumber());
      fresh.job(Job.newBuilder(job).setStatus(runs ? JobStatus.RUNNING : job.getStatus()).build());
    }
    running.keySet().forEach(it -> fresh.expect(it, state.holdings().endMs(it)));
    state.promises().forEach(it -> fresh.adopt(it.jobNumber(), it.fromMs(), it.shares()));
    return fresh;
  }

  private void change() {
    changed = "";
    if (random.nextInt(3) == 0) {
      now = now.plusMillis(random.nextInt(200_000));
    }
    int kind = random.nextInt(21);
    changed = "kind " + kind + " at " + (now.toEpochMilli() - NOW.toEpochMilli());
    if (kind < 7 || jobs.isEmpty()) {
      submit();
    } else if (kind < 12 && !running.isEmpty()) {
      end(anyOf(new ArrayList<>(running.keySet())), random.nextInt(4) == 0);
    } else if (kind < 16) {
      changeJob(jobs.get(anyOf(new ArrayList<>(jobs.keySet()))));
    } else if (kind < 18) {
      String name = anyOf(new ArrayList<>(nodes.keySet()));
      writeNode(
          name, random.nextInt(3) == 0 ? "offline" : "free", random.nextInt(5) == 0 ? "p1" : "");
    } else if (kind < 19) {
      String queue = QUEUES[random.nextInt(QUEUES.length)];
      String partition = random.nextInt(5) == 0 ? "p1" : "pbs-default";
      String started = random.nextInt(3) == 0 ? "False" : "True";
      List<String> pairs = new ArrayList<>(List.of("started", started, "partition", partition));
      pairs.addAll(anyOf(PlainLimits.CHOICES));
      write(Records.object(ObjectKind.QUEUE, queue, pairs.toArray(String[]::new)));
    } else if (kind < 20) {
      String[] pairs = anyOf(PlainLimits.CHOICES).toArray(String[]::new);
      write(Records.object(ObjectKind.SERVER, "server", pairs));
    } else {
      String partitions = random.nextBoolean() ? "p1" : "";
      String scheduling = random.nextInt(4) == 0 ? "False" : "True";
      write(
          Records.object(
              ObjectKind.SCHEDULER,
              "default",
              "scheduling",
              scheduling,
              "partition",
              partitions,
              "policy",
              random.nextInt(4) == 0 ? POLICIES.get(random.nextInt(5)).name() : "",
              "node_sort_key",
              anyOf(NODE_ORDERS)));
    }
  }

  private void submit() {
    long number = next++;
    String queue = QUEUES[random.nextInt(QUEUES.length)];
    int priority = random.nextInt(3);
    Job job = Records.job(number, queue, priority, request());
    job.setSpec(
        JobSpec.newBuilder(job.getSpec())
            .setOwner(anyOf(List.of(USERS)))
            .setGroup(anyOf(List.of(GROUPS)))
            .setProject(anyOf(List.of(PROJECTS)))
            .build());
    if (random.nextInt(8) == 0) {
      job.setHolds("u");
      job.setStatus(JobStatus.HELD);
    }
    jobs.put(number, job);
    state.job(job);
  }

  private String request() {
    String request = REQUESTS[random.nextInt(REQUESTS.length)];
    return random.nextInt(5) == 0
        ? request
        : request + ",walltime=" + WALLTIMES[random.nextInt(WALLTIMES.length)];
  }

  private void end(long number, boolean requeue) {
    changed += " end of " + number + " requeue " + requeue;
    running.remove(number);
    if (requeue) {
      state.requeued(number);
    } else {
      jobs.remove(number);
      state.gone(number);
    }
  }

  private void changeJob(Job job) {
    long number = job.getNumber();
    changed += " job " + number;
    switch (random.nextInt(5)) {
      case 0 -> {
        boolean held = job.getHolds().equals("n");
        job.setHolds(held ? "u" : "n");
        job.setStatus(held ? JobStatus.HELD : JobStatus.QUEUED);
        state.holds(number, job.getHolds());
      }
      case 1 -> {
        if (!running.containsKey(number)) {
          String request = request();
          job.setSpec(
              JobSpec.newBuilder(job.getSpec())
                  .setPriority(random.nextInt(3))
                  .setRequest(Records.request(request))
                  .setProject(anyOf(List.of(PROJECTS)))
                  .build());
          state.altered(number, job.getSpec());
        }
      }
      case 2 -> {
        if (!running.containsKey(number)) {
          String queue = QUEUES[random.nextInt(QUEUES.length)];
          job.setRank(1_000_000 + next++);
          job.setSpec(JobSpec.newBuilder(job.getSpec()).setQueue(queue).build());
          state.moved(number, queue, job.getRank());
        }
      }
      case 3 -> {
        if (!running.containsKey(number)) {
          jobs.remove(number);
          state.gone(number);
        }
      }
      default -> {
        if (!running.containsKey(number)) {
          boolean offered = job.getOfferedTo() >= 0;
          job.setOfferedTo(offered ? -1 : 2);
          state.transit(number, !offered);
        }
      }
    }
  }

  private void writeNode(String name, String nodeState, String partition) {
    write(
        Records.object(
            ObjectKind.NODE,
            name,
            "state",
            nodeState,
            "partition",
            partition,
            "resources_available.rack",
            name.equals("n3") ? "r1,r2" : name.compareTo("n3") < 0 ? "r1" : "r2",
            "resources_available.lic",
            "2"));
  }

  private void write(ClusterObject object) {
    changed += " " + object;
    objects.put(object.getKind() + "/" + object.getName(), object);
    state.written(object);
  }

  private <T> T anyOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
