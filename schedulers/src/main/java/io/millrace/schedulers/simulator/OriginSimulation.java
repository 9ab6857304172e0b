package io.millrace.schedulers.simulator;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.EXTERNAL_QUEUES;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SPECIAL_QUEUE;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SUBMIT_QUEUE;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginScheduler;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replays a workload with the cycle of the Origin2000 dialect. The machine's processors are divided
 * evenly among the hosts of the batch queues. A job of a queue that the configuration names is
 * submitted there, another one to the submit queue. A cycle takes place when a job comes or ends,
 * every ten minutes while jobs wait, as the server has it, and every hour else.
 */
final class OriginSimulation implements OriginOutside {

  private static final long ITERATION_S = 600;

  /** While none waits past usage is to fade all the same. */
  private static final long IDLE_S = 3600;

  private final Workload workload;
  private final OriginSite site;
  private final OriginMachine machine;
  private final OriginMemory memory;
  private final EndQueue ends = new EndQueue();
  private final long[] startS;
  private InputFile decayUsage;
  private int submitted;
  private int deleted;
  private long iterationS = EndQueue.NEVER;

  private OriginSimulation(Workload workload, OriginSite site) {
    this.workload = workload;
    this.site = site;
    machine = new OriginMachine(workload, hosts(site.rules().config()), queues(site));
    memory = new OriginMemory(workload.startEpochS());
    decayUsage = site.decayUsage();
    startS = new long[workload.jobs().size()];
    Arrays.fill(startS, Schedule.NEVER);
  }

  private static Set<String> hosts(OriginConfig config) {
    Set<String> hosts = new TreeSet<>();
    config.queues(BATCH_QUEUES).forEach(queue -> hosts.add(queue.host()));
    config.queues(EXTERNAL_QUEUES).forEach(queue -> hosts.add(queue.host()));
    return hosts;
  }

  /** Names of all queues; the submit queue comes first. */
  private static List<String> queues(OriginSite site) {
    List<String> names = new ArrayList<>();
    for (OriginOption kind :
        List.of(SUBMIT_QUEUE, SPECIAL_QUEUE, BATCH_QUEUES, EXTERNAL_QUEUES, DEDICATED_QUEUES)) {
      for (OriginQueueName queue : site.rules().config().queues(kind)) {
        names.add(queue.name());
      }
    }
    return names;
  }

  /**
   * @return the schedule of the jobs that were not deleted
   * @throws IllegalStateException when jobs are left that nothing starts
   */
  static Schedule run(Workload workload, OriginSite site, Simulation.Progress progress) {
    OriginSimulation simulation = new OriginSimulation(workload, site);
    simulation.run(progress);
    return simulation.schedule();
  }

  private Schedule schedule() {
    if (deleted == 0) {
      return new Schedule(workload, startS);
    }
    List<TraceJob> ran = new ArrayList<>();
    for (int i = 0; i < startS.length; i++) {
      if (startS[i] != Schedule.NEVER) {
        ran.add(workload.jobs().get(i));
      }
    }
    long[] starts = Arrays.stream(startS).filter(it -> it != Schedule.NEVER).toArray();
    return new Schedule(
        new Workload(workload.processors(), workload.startEpochS(), ran, workload.findings()),
        starts);
  }

  private void run(Simulation.Progress progress) {
    List<TraceJob> jobs = workload.jobs();
    while (submitted < jobs.size() || machine.waiting() > 0) {
      long nowS = next();
      while (ends.nextS() <= nowS) {
        machine.ended(ends.poll());
      }
      while (submitted < jobs.size() && jobs.get(submitted).submitS() <= nowS) {
        machine.submitted(submitted++);
        progress.at(submitted, jobs.size());
      }
      cycle(nowS);
      iterationS = nowS + (machine.waiting() > 0 ? ITERATION_S : IDLE_S);
    }
  }

  /** Time of the next cycle. */
  private long next() {
    long submissionS =
        submitted < workload.jobs().size()
            ? workload.jobs().get(submitted).submitS()
            : EndQueue.NEVER;
    long eventS = Math.min(submissionS, ends.nextS());
    if (eventS == EndQueue.NEVER && machine.stuck(iterationS + workload.startEpochS())) {
      throw new IllegalStateException(
          machine.waiting() + " jobs are left that nothing starts; " + machine.firstComment());
    }
    return Math.min(eventS, iterationS);
  }

  private void cycle(long nowS) {
    long now = workload.startEpochS() + nowS;
    OriginView view =
        new OriginView(
            now,
            machine.jobs(now),
            machine.queues(),
            machine.hosts(),
            decayUsage,
            site.allocations(),
            site.current());
    OriginReport report = OriginScheduler.run(site.rules(), memory, this, view);
    for (OriginAction action : report.actions()) {
      take(action, nowS, now);
    }
    report.decayUsage().ifPresent(text -> decayUsage = new InputFile(text, now));
    memory.cycleEnds();
  }

  private void take(OriginAction action, long nowS, long now) {
    if (action instanceof OriginAction.OriginJobStart it) {
      int job = machine.started(it.job(), it.queue(), it.host(), now);
      startS[job] = nowS;
      ends.add(job, nowS + workload.jobs().get(job).runS());
    } else if (action instanceof OriginAction.OriginDeletion it) {
      machine.deleted(it.job());
      deleted++;
    } else if (action instanceof OriginAction.Comment it) {
      machine.commented(it.job(), it.text(), now);
    } else if (action instanceof OriginAction.SetResource it) {
      machine.requested(it.job(), now);
    }
  }

  /** A simulation runs no programs; configurations that need one are not simulated. */
  @Override
  public Optional<String> dedicatedTimes(String name) {
    return Optional.empty();
  }

  @Override
  public boolean switchCounters(String host, String mode) {
    return true;
  }

  @Override
  public boolean starts(String job, String host) {
    return true;
  }
}
