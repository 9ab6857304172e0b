package io.millrace.schedulers.simulator;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * Replays a workload with the production cycle and its round of best effort: all that the jobs of
 * the trace leave is full of best-effort jobs, or there are none. The jobs of the trace are to
 * start at the same second.
 */
public final class BestEffortTrial {

  /** Jobs of each fourth user of the trace preempt others, which wait again. */
  public static final String PREEMPTION = "preemption";

  private static final RequestParser REQUESTS = new RequestParser(ResourceTable.of(List.of()));
  private static final String NODE = "machine";
  private static final String QUEUE = "workq";
  private static final String EXPRESS = "express";
  private static final String BEST_EFFORT_QUEUE = "be";
  private static final int EXPRESS_USERS = 4;

  /** Numbers of best-effort jobs begin here. */
  private static final long BEST_EFFORT = 1L << 40;

  /** Best-effort jobs that wait at a time; their sizes, and how long they run. */
  private static final int WAITING = 4;

  private static final int PARTS = 16;
  private static final int RUN_S = 40_000;

  /** What happens at a second: the end of a run. */
  private record End(long atS, long number, int run) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = Long.compare(atS, other.atS);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /**
   * When runs of the trace's jobs began, and what it was beside them.
   *
   * @param starts second and job of each, in order
   * @param gaveWay best-effort runs that were ended for them
   */
  public record TrialResult(List<String> starts, int gaveWay) {

    /** Starts of one that the other does not have. */
    public int differences(TrialResult other) {
      Set<String> own = new HashSet<>(starts);
      Set<String> others = new HashSet<>(other.starts);
      long only = starts.stream().filter(it -> !others.contains(it)).count();
      return (int) (only + other.starts.stream().filter(it -> !own.contains(it)).count());
    }
  }

  private final Workload workload;
  private final boolean preemption;
  private final SchedulerState state =
      new SchedulerState(DefaultNames.SCHEDULER, 0, Policies.STANDARD, Integer.MAX_VALUE);
  private final BestEffort all = new BestEffort(state, 0, Integer.MAX_VALUE);
  private final PriorityQueue<End> ends = new PriorityQueue<>();
  private final Map<Long, Integer> runs = new HashMap<>();
  private final Map<Long, Integer> sizes = new HashMap<>();
  private final Random random;
  private final List<String> starts = new ArrayList<>();
  private long next = BEST_EFFORT;
  private int waiting;
  private int gaveWay;
  private int used;
  private int submitted;

  private BestEffortTrial(Workload workload, String policy, Random random) {
    this.workload = workload;
    this.preemption = policy.equals(PREEMPTION);
    this.random = random;
    List<Attribute> attributes = new ArrayList<>();
    if (preemption) {
      attributes.add(new Attribute("preempt_order", "R"));
    } else {
      attributes.addAll(SimulatedPolicy.named(policy).orElseThrow().attributes());
    }
    attributes.add(new Attribute("scheduling", "True"));
    written(ObjectKind.SCHEDULER, DefaultNames.SCHEDULER, attributes);
    queue(QUEUE, List.of());
    queue(EXPRESS, List.of(new Attribute("Priority", "150")));
    if (random != null) {
      queue(
          BEST_EFFORT_QUEUE,
          List.of(new Attribute("best_effort", "True"), new Attribute("kill_delay", "0")));
    }
    written(ObjectKind.NODE, NODE, List.of());
    all.node(
        Node.newBuilder()
            .setName(NODE)
            .setHost(NODE)
            .setUp(true)
            .setMeasured(Map.of("ncpus", (long) workload.processors()))
            .setHoldings(new ArrayList<>())
            .build());
  }

  /**
   * @param policy {@link #PREEMPTION}, or a name of {@link SimulatedPolicy}
   */
  public static TrialResult without(Workload workload, String policy) {
    return new BestEffortTrial(workload, policy, null).run();
  }

  /**
   * The same with best-effort jobs.
   *
   * @param seed of their sizes and times
   */
  public static TrialResult with(Workload workload, String policy, long seed) {
    return new BestEffortTrial(workload, policy, new Random(seed)).run();
  }

  private void written(ObjectKind kind, String name, List<Attribute> attributes) {
    all.written(new ClusterObject(kind, name, 1L, attributes, 1L));
  }

  private void queue(String name, List<Attribute> own) {
    List<Attribute> attributes = new ArrayList<>(own);
    attributes.add(new Attribute("queue_type", "Execution"));
    attributes.add(new Attribute("started", "True"));
    written(ObjectKind.QUEUE, name, attributes);
  }

  private TrialResult run() {
    List<TraceJob> jobs = workload.jobs();
    long left = jobs.size();
    while (left > 0) {
      long nowS = nextS();
      while (!ends.isEmpty() && ends.peek().atS <= nowS) {
        End end = ends.poll();
        if (runs.getOrDefault(end.number, 0) == end.run) {
          left -= end.number < BEST_EFFORT ? 1 : 0;
          gone(end.number);
        }
      }
      while (submitted < jobs.size() && jobs.get(submitted).submitS() <= nowS) {
        submit(submitted++);
      }
      while (rounds(nowS)) {
        continue;
      }
    }
    return new TrialResult(starts, gaveWay);
  }

  private long nextS() {
    long nextS = ends.isEmpty() ? Long.MAX_VALUE : ends.peek().atS;
    if (submitted < workload.jobs().size()) {
      nextS = Math.min(nextS, workload.jobs().get(submitted).submitS());
    }
    long promiseMs = state.nextPromiseMs();
    return promiseMs == Long.MAX_VALUE
        ? nextS
        : Math.min(nextS, Math.floorDiv(promiseMs, 1000) - workload.startEpochS());
  }

  private void gone(long number) {
    used -= sizes.remove(number);
    runs.remove(number);
    all.gone(number);
  }

  private void submit(int index) {
    TraceJob job = workload.jobs().get(index);
    String queue = preemption && job.user() % EXPRESS_USERS == 0 ? EXPRESS : QUEUE;
    add(index, queue, job.processors(), job.estimateS());
  }

  private void add(long number, String queue, int processors, long estimateS) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("j")
            .setOwner("u")
            .setSubmitHost("h")
            .setQueue(queue)
            .setRequest(request(processors, estimateS))
            .setResourceList(List.of())
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    all.job(
        Job.newBuilder()
            .setId(number + ".trace")
            .setNumber(number)
            .setRank(number)
            .setSpec(spec)
            .setStatus(JobStatus.QUEUED)
            .setCreatedMs(0)
            .setQueuedMs(0)
            .setModifiedMs(0)
            .setEvents(List.of())
            .build());
  }

  private static ResourceRequest request(int processors, long estimateS) {
    try {
      return REQUESTS
          .parse(
              List.of(
                  new Attribute("select", processors + ":ncpus=1"),
                  new Attribute("walltime", Long.toString(estimateS))))
          .request();
    } catch (RequestException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One cycle and its round; false when nothing was due. */
  private boolean rounds(long nowS) {
    Instant now = Instant.ofEpochSecond(workload.startEpochS() + nowS);
    long nowMs = now.toEpochMilli();
    while (random != null && waiting < WAITING) {
      waiting++;
      int size = 1 + random.nextInt(Math.max(WAITING, workload.processors() / PARTS));
      add(next++, BEST_EFFORT_QUEUE, size, 60 + random.nextInt(RUN_S));
    }
    boolean due = state.workDue(nowMs);
    if (!due && !all.due(nowMs)) {
      return false;
    }
    CycleDecisions decided = due ? Cycle.run(state, now, Long.MAX_VALUE) : CycleDecisions.none(now);
    BestEffort.BestEffortOutcome round = all.round(decided.starts(), now, Long.MAX_VALUE);
    round.starts().forEach(it -> start(it, nowS, nowMs));
    for (Preempt stop : round.stops()) {
      gaveWay++;
      gone(stop.jobNumber());
    }
    for (Preempt stop : decided.preempted()) {
      used -= sizes.remove(stop.jobNumber());
      runs.merge(stop.jobNumber(), 1, Integer::sum);
      all.requeued(stop.jobNumber());
    }
    return true;
  }

  private void start(Start start, long nowS, long nowMs) {
    long number = start.jobNumber();
    boolean bestEffort = number >= BEST_EFFORT;
    int size = start.shares().stream().mapToInt(it -> it.getChunks()).sum();
    long runS = bestEffort ? 1 + random.nextInt(RUN_S) : workload.jobs().get((int) number).runS();
    waiting -= bestEffort ? 1 : 0;
    used += size;
    if (used > workload.processors()) {
      throw new IllegalStateException("at " + nowS + " s " + used + " processors are in use");
    }
    sizes.put(number, size);
    ends.add(new End(nowS + runS, number, runs.merge(number, 1, Integer::sum)));
    all.granted(number, new Allocation(start.shares(), "", "", null), nowMs);
    if (!bestEffort) {
      starts.add(nowS + " " + number);
    }
  }
}
