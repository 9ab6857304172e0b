package io.millrace.schedulers.simulator;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.dialects.schedconfig.live.LiveSitePolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.state.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Replays a workload with the production cycle. The machine is one node with all processors; the
 * clock jumps to the next submission, end, promised start or change of the policy's calendar.
 */
public final class Simulation {

  /** Called now and then with the progress of the simulation. */
  public interface Progress {
    void at(int submitted, int jobs);
  }

  private static final int PROGRESS_EVERY = 1024;
  private static final String NODE = "machine";
  private static final String PROCESSORS = "ncpus";

  private static final ResourceTable RESOURCES = ResourceTable.of(List.of());

  /** A wait that no rule of a calendar explains: all of a year has gone by. */
  private static final long STUCK_S = 400L * 86_400;

  private final Workload workload;
  private final SchedulerState state;
  private final LiveSitePolicy site;

  /** What is used of shares; null where the policy adds nothing up. */
  private final SimulatedUsage usage;

  private final long[] startS;
  private final EndQueue ends = new EndQueue();
  private final Map<Trace.TraceSubmitter, JobOwner> owners = new HashMap<>();
  private final Map<Trace.TraceSubmitter, String> queues = new HashMap<>();
  private int submitted;
  private int started;

  /** The present moment, and the last at which a job came, started or ended. */
  private long clockS;

  private long changedS;

  private Simulation(Workload workload, SimulatedPolicy policy) {
    this.workload = workload;
    this.state =
        new SchedulerState(DefaultNames.SCHEDULER, 0, Policies.STANDARD, Integer.MAX_VALUE);
    this.site = new LiveSitePolicy(DefaultNames.SCHEDULER, state);
    this.startS = new long[workload.jobs().size()];
    Arrays.fill(startS, Schedule.NEVER);
    this.clockS = workload.jobs().isEmpty() ? 0 : workload.jobs().get(0).submitS();
    this.changedS = clockS;
    List<Attribute> attributes = new ArrayList<>(policy.attributes());
    attributes.add(new Attribute("scheduling", "True"));
    ClusterObject scheduler =
        new ClusterObject(ObjectKind.SCHEDULER, DefaultNames.SCHEDULER, 1L, attributes, 1L);
    written(scheduler);
    this.usage = usage(scheduler);
    createQueues();
    written(new ClusterObject(ObjectKind.NODE, NODE, 1L, List.of(), 1L));
    state
        .facts()
        .node(
            Node.newBuilder()
                .setName(NODE)
                .setHost(NODE)
                .setUp(true)
                .setMeasured(Map.of(PROCESSORS, (long) workload.processors()))
                .setHoldings(List.of())
                .build());
  }

  private void written(ClusterObject object) {
    state.facts().written(object);
    site.written(object);
  }

  private SimulatedUsage usage(ClusterObject scheduler) {
    if (!SchedulerSettings.bySchedConfig(scheduler)) {
      return null;
    }
    StoredPolicy stored =
        StoredPolicy.read(ObjectAttributes.text(scheduler, AttributeTable.SCHED_CONFIG, ""));
    return stored.counts() ? new SimulatedUsage(site, stored) : null;
  }

  /** The queues of the trace, in the order of their numbers, all of the same Priority. */
  private void createQueues() {
    List<Attribute> attributes =
        List.of(new Attribute("queue_type", "Execution"), new Attribute("started", "True"));
    List<Trace.TraceSubmitter> submitters =
        workload.jobs().stream()
            .map(TraceJob::submitter)
            .sorted(Comparator.comparingLong(Trace.TraceSubmitter::queue))
            .toList();
    long created = 0;
    for (String queue :
        submitters.stream().map(Trace.TraceSubmitter::queueName).distinct().toList()) {
      written(new ClusterObject(ObjectKind.QUEUE, queue, ++created, attributes, 1L));
    }
  }

  /**
   * @throws IllegalStateException when jobs are left that no event will start any more
   */
  public static Schedule run(Workload workload, SimulatedPolicy policy, Progress progress) {
    if (policy.recorded()) {
      return Schedule.recorded(workload);
    }
    if (policy.origin().isPresent()) {
      return OriginSimulation.run(workload, policy.origin().get(), progress);
    }
    if (policy.gridEngine().isPresent()) {
      return GridEngineSimulation.run(workload, policy.gridEngine().get(), false, progress);
    }
    return run(workload, policy, progress, decisions -> {});
  }

  /**
   * @param heard is told of what each cycle decided
   */
  static Schedule run(
      Workload workload,
      SimulatedPolicy policy,
      Progress progress,
      Consumer<CycleDecisions> heard) {
    Simulation simulation = new Simulation(workload, policy);
    simulation.run(progress, heard);
    return new Schedule(workload, simulation.startS);
  }

  private void run(Progress progress, Consumer<CycleDecisions> heard) {
    List<TraceJob> jobs = workload.jobs();
    while (started < jobs.size() || ends.nextS() != EndQueue.NEVER) {
      long nowS = next();
      clockS = nowS;
      while (ends.nextS() <= nowS) {
        ended(ends.poll());
      }
      while (submitted < jobs.size() && jobs.get(submitted).submitS() <= nowS) {
        submit(submitted++);
        if (submitted % PROGRESS_EVERY == 0) {
          progress.at(submitted, jobs.size());
        }
      }
      cycle(nowS, heard);
    }
  }

  private void ended(int index) {
    changedS = clockS;
    state.facts().gone(index);
    if (usage != null) {
      usage.ended(index, clockS);
    }
  }

  /** Time of the next event. */
  private long next() {
    long nextS = ends.nextS();
    if (submitted < workload.jobs().size()) {
      nextS = Math.min(nextS, workload.jobs().get(submitted).submitS());
    }
    long promiseMs = state.nextPromiseMs();
    if (promiseMs != Long.MAX_VALUE) {
      long promiseS = Math.floorDiv(promiseMs, 1000) - workload.startEpochS();
      nextS = Math.min(nextS, Math.max(clockS, promiseS));
    }
    boolean stuck = ends.nextS() == EndQueue.NEVER && submitted == workload.jobs().size();
    if (nextS == EndQueue.NEVER || stuck && nextS - changedS > STUCK_S) {
      throw new IllegalStateException(
          (workload.jobs().size() - started) + " jobs are left that nothing will start" + first());
    }
    return nextS;
  }

  /** Why the first of the jobs that are left waits, as far as a cycle has said it. */
  private String first() {
    for (int index = 0; index < submitted; index++) {
      Shortage why = startS[index] == Schedule.NEVER ? state.waiting().shortage(index) : null;
      if (why != null) {
        String words = ReasonText.words(why.until(Shortage.UNKNOWN).reason(), RESOURCES);
        return "; the first, job " + workload.jobs().get(index).name() + ": " + words;
      }
    }
    return "";
  }

  private void submit(int index) {
    changedS = clockS;
    TraceJob job = workload.jobs().get(index);
    Trace.TraceSubmitter submitter = job.submitter();
    JobOwner owner = owners.computeIfAbsent(submitter, Simulation::owner);
    String queue = queues.computeIfAbsent(submitter, Trace.TraceSubmitter::queueName);
    state
        .given()
        .job(
            index,
            queue,
            owner,
            state.given().request(job.processors(), PROCESSORS, 1, job.estimateS() * 1000));
  }

  private static JobOwner owner(Trace.TraceSubmitter submitter) {
    return new JobOwner(submitter.userName(), submitter.groupName(), "", "", "", "");
  }

  private void cycle(long nowS, Consumer<CycleDecisions> heard) {
    Instant now = Instant.ofEpochSecond(workload.startEpochS() + nowS);
    if (!state.workDue(now.toEpochMilli())) {
      return;
    }
    if (usage != null) {
      usage.cycle(nowS);
    }
    CycleDecisions decisions = Cycle.run(state, now, Long.MAX_VALUE);
    heard.accept(decisions);
    for (Start start : decisions.starts()) {
      int index = (int) start.jobNumber();
      state.given().started(index);
      startS[index] = nowS;
      changedS = nowS;
      TraceJob job = workload.jobs().get(index);
      ends.add(index, nowS + job.runS());
      if (usage != null) {
        usage.started(index, job, nowS);
      }
      started++;
    }
  }
}
