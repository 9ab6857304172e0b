package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MANAGE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.REVOKE_HPM_COUNTERS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SORTED_JOB_DUMPFILE;

import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Packed;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.QueueDrain;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Sorted;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One pass over the jobs: what is done with which of them. */
public final class OriginScheduler {

  private final CycleContext cycle;
  private final OriginView view;
  private final QueueFit fit;
  private final List<QueueDrain> drains = new ArrayList<>();
  private final List<Packed> packed = new ArrayList<>();
  private Optional<String> decayUsage = Optional.empty();
  private Optional<String> dump = Optional.empty();

  private OriginScheduler(CycleContext cycle, OriginView view) {
    this.cycle = cycle;
    this.view = view;
    fit = new QueueFit(cycle);
  }

  /**
   * Runs a pass. When its report says so, jobs were restarted, and another is run on what is so
   * then.
   *
   * @param memory is changed
   */
  public static OriginReport run(
      OriginRules rules, OriginMemory memory, OriginOutside outside, OriginView view) {
    CycleContext cycle = new CycleContext(rules, memory, outside, view.now());
    return new OriginScheduler(cycle, view).run();
  }

  private OriginReport run() {
    if (cycle.primeEnforced()) {
      cycle.memory().prime(cycle.primeNow());
    }
    List<CycleJob> jobs =
        RequestedNodes.of(view.jobs(), cycle).stream()
            .map(job -> new CycleJob(job, view.now(), cycle.memory().lastCycleAt()))
            .toList();
    cycle.memory().passAt(view.now());
    if (new RestartAction(cycle).run(jobs)) {
      return report(true, List.of());
    }
    if (cycle.rules().usageFirst()) {
      readUsage();
    }
    List<CycleJob> sorted = JobsInOrder.of(jobs, cycle);
    List<Sorted> shown = sorted.stream().map(OriginScheduler::shown).toList();
    CycleQueues.of(cycle, view, sorted).ifPresent(this::schedule);
    return report(false, shown);
  }

  private OriginReport report(boolean again, List<Sorted> sorted) {
    if (cycle.testOnly()) {
      cycle.memory().allocations().forget(); // what was not started is not used
    }
    return new OriginReport(
        again, List.copyOf(cycle.actions()), sorted, drains, packed, decayUsage, dump);
  }

  private static Sorted shown(CycleJob job) {
    String flags =
        (job.given().interactive() ? "I" : "")
            + (job.isOutstanding() ? "W" : "")
            + (job.isDedicated() ? "D" : "")
            + (job.given().hpm() ? "H" : "");
    return new Sorted(
        job.id(), job.state(), job.nodes(), flags.isEmpty() ? "-" : flags, job.eligibleS());
  }

  private void schedule(CycleQueues queues) {
    queues.special().filter(CycleQueue::hasWaiting).ifPresent(it -> special(it, queues.submit()));
    if (cycle.config().word(SORTED_JOB_DUMPFILE).isPresent()) {
      dump = Optional.of(DumpText.of(cycle, queues));
    }
    readUsage();
    if (cycle.allocationsEnforced()) {
      cycle.memory().allocations().read(view.allocations(), view.current());
    }
    if (cycle.memory().usage().due(view.now())) {
      decayUsage =
          Optional.of(
              cycle
                  .memory()
                  .usage()
                  .save(view.now(), cycle.zone(), cycle.config(), cycle::overAllocation));
    }
    Packing packing = new Packing(cycle, fit);
    submitted(queues, packing);
    for (CycleQueue queue : queues.external()) {
      if (queue.hasWaiting()) {
        packed.add(packing.pack(queue.jobs(), List.of(queue)));
      }
    }
    DedicatedPass dedicated = new DedicatedPass(cycle, fit);
    queues.dedicated().stream().filter(CycleQueue::hasWaiting).forEach(dedicated::run);
    if (cycle.config().on(MANAGE_HPM_COUNTERS)) {
      queues.batch().forEach(this::giveBackCounters);
      queues.dedicated().forEach(this::giveBackCounters);
      queues.external().forEach(this::giveBackCounters);
    }
  }

  private void readUsage() {
    if (cycle.memory().usage().toBeRead()) {
      cycle.memory().usage().read(view.decayUsage().text(), view.now());
    }
  }

  /** Puts the waiting special jobs at the head of the submit queue's list. */
  private void special(CycleQueue special, CycleQueue submit) {
    if (special.isDown()) {
      String down = special.isStopped() ? " not started" : " not enabled";
      special.jobs().forEach(job -> cycle.say(job, "Queue " + special.name() + down));
      return;
    }
    List<CycleJob> waiting = special.jobs().stream().filter(CycleJob::waits).toList();
    special.jobs().removeIf(CycleJob::waits);
    waiting.forEach(CycleJob::makeSpecial);
    submit.jobs().addAll(0, waiting);
  }

  private void submitted(CycleQueues queues, Packing packing) {
    CycleQueue submit = queues.submit();
    if (submit.jobs().isEmpty() || submit.isDown()) {
      return;
    }
    new Unrunnable(cycle, fit).delete(submit, queues.batch());
    List<CycleQueue> open =
        queues.batch().stream()
            .filter(it -> cycle.outage(it).filter(o -> o.covers(view.now())).isEmpty())
            .toList();
    List<CycleJob> jobs = List.copyOf(submit.jobs());
    drains.addAll(new DrainSearch(cycle, fit).mark(jobs, open));
    packed.add(packing.pack(jobs, open));
  }

  /** Switches counters back that serve no job any longer. */
  private void giveBackCounters(CycleQueue queue) {
    CycleHost host = queue.host();
    if (cycle.testOnly() || host == null || !host.userCounters() || host.countersUsed()) {
      return;
    }
    if (!cycle.switchCounters(host, CycleHost.GLOBAL) && cycle.config().on(REVOKE_HPM_COUNTERS)) {
      cycle.switchCounters(host, "revoke");
    }
  }
}
