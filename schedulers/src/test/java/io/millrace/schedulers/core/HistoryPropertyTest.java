package io.millrace.schedulers.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.ClusterObject;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories: the state that follows each change decides the same as one that is built anew,
 * no node is given more than it has, and no job is lost.
 */
class HistoryPropertyTest {

  private static final int STEPS = 800;
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
    "select=1:ncpus=1:lic=1",
    "select=2:lic=2",
    "select=1:ncpus=1:host=h1",
    "ncpus=20",
    "select=1:ncpus=0:mem=4gb",
    "select=4:ncpus=4"
  };
  private static final String[] QUEUES = {"q1", "q2", "q3", "q4"};
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final Policy policy = new Priority();
  private final TreeMap<String, ClusterObject> objects = new TreeMap<>();
  private final TreeMap<String, Node> nodes = new TreeMap<>();
  private final TreeMap<Long, Job> jobs = new TreeMap<>();
  private final TreeMap<Long, List<NodeShare>> running = new TreeMap<>();
  private SchedulerState state;
  private Random random;
  private long next = 1;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void followsAsIfBuiltAnew(long seed) {
    random = new Random(seed);
    state = new SchedulerState("default", 0, policy, 7);
    write(Records.licenses());
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
      String where = "seed " + seed + " step " + step;
      started += decide(where);
      assertEquals(jobs.size(), state.jobCount(), where);
    }
    assertTrue(started > STEPS / 10, "seed " + seed + " started only " + started);
  }

  private int decide(String where) {
    int started = 0;
    do {
      SchedulerState fresh = rebuild();
      Decisions anew = Cycle.run(fresh, NOW, Long.MAX_VALUE);
      Decisions again = Cycle.run(rebuild(), NOW, Long.MAX_VALUE);
      long units = random.nextInt(4) == 0 ? 3 : Long.MAX_VALUE;
      Decisions followed = Cycle.run(state, NOW, units);
      assertEquals(text(anew), text(again), where);
      if (units == Long.MAX_VALUE) {
        assertEquals(text(anew), text(followed), where);
      }
      for (Start start : followed.starts()) {
        started++;
        if (random.nextInt(10) == 0) {
          state.withdraw(start.jobNumber());
        } else {
          grant(start, where);
        }
      }
      if (followed.nothing()) {
        assertFalse(state.workDue(), where);
      }
    } while (state.workDue());
    return started;
  }

  private static List<String> text(Decisions decisions) {
    List<String> lines = new ArrayList<>();
    decisions.starts().forEach(it -> lines.add(it.jobNumber() + " " + it.shares()));
    return lines;
  }

  private void grant(Start start, String where) {
    running.put(start.jobNumber(), start.shares());
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
    state.granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
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
    return fresh;
  }

  private void change() {
    int kind = random.nextInt(20);
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
      write(Records.object(ObjectKind.QUEUE, queue, "started", started, "partition", partition));
    } else {
      String partitions = random.nextBoolean() ? "p1" : "";
      String scheduling = random.nextInt(4) == 0 ? "False" : "True";
      write(
          Records.object(
              ObjectKind.SCHEDULER, "default", "scheduling", scheduling, "partition", partitions));
    }
  }

  private void submit() {
    long number = next++;
    String queue = QUEUES[random.nextInt(QUEUES.length)];
    int priority = random.nextInt(3);
    Job job = Records.job(number, queue, priority, REQUESTS[random.nextInt(REQUESTS.length)]);
    if (random.nextInt(8) == 0) {
      job.setHolds("u");
      job.setStatus(JobStatus.HELD);
    }
    jobs.put(number, job);
    state.job(job);
  }

  private void end(long number, boolean requeue) {
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
    switch (random.nextInt(5)) {
      case 0 -> {
        boolean held = job.getHolds().equals("n");
        job.setHolds(held ? "u" : "n");
        job.setStatus(held ? JobStatus.HELD : JobStatus.QUEUED);
        state.holds(number, job.getHolds());
      }
      case 1 -> {
        if (!running.containsKey(number)) {
          String request = REQUESTS[random.nextInt(REQUESTS.length)];
          job.setSpec(
              Records.spec(job.getSpec().getQueue(), random.nextInt(3), Records.request(request)));
          state.altered(number, job.getSpec());
        }
      }
      case 2 -> {
        if (!running.containsKey(number)) {
          String queue = QUEUES[random.nextInt(QUEUES.length)];
          job.setRank(1_000_000 + next++);
          job.setSpec(Records.spec(queue, job.getSpec().getPriority(), job.getSpec().getRequest()));
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
            "resources_available.lic",
            "2"));
  }

  private void write(ClusterObject object) {
    objects.put(object.getKind() + "/" + object.getName(), object);
    state.written(object);
  }

  private <T> T anyOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
