package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_DEDICATED_TIME;

import io.millrace.schedulers.dialects.origin2000.config.OriginDate;
import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schemas.pbs.origin.Outage;
import java.util.List;
import java.util.Optional;

/** The jobs of a dedicated queue: started in place while its host is in dedicated time. */
final class DedicatedPass {

  private final CycleContext cycle;
  private final QueueFit fit;
  private final DedicatedRule rule;

  DedicatedPass(CycleContext cycle, QueueFit fit) {
    this.cycle = cycle;
    this.fit = fit;
    rule = new DedicatedRule(cycle.zone());
  }

  void run(CycleQueue queue) {
    Optional<Outage> outage = cycle.outage(queue);
    List<CycleJob> jobs = List.copyOf(queue.jobs());
    if (outage.isPresent() && outage.get().covers(cycle.now())) {
      start(queue, jobs, outage);
    } else {
      String text = waitsFor(queue, outage);
      jobs.stream().filter(it -> !it.runs()).forEach(it -> cycle.tell(it, text));
    }
  }

  private String waitsFor(CycleQueue queue, Optional<Outage> outage) {
    long from = cycle.config().number(ENFORCE_DEDICATED_TIME);
    if (!cycle.dedicatedEnforced()) {
      String until = from == 0 ? "" : " (until " + OriginDate.write(from, cycle.zone()) + ")";
      return "Dedicated time is not being enforced" + until;
    }
    String host = OutageCache.shortName(queue.id().host());
    String when =
        outage
            .map(it -> host + " " + Outage.written(it.begin(), cycle.zone()))
            .orElse("none scheduled for " + host);
    return "Waiting for start of dedicated time (" + when + ")";
  }

  private void start(CycleQueue queue, List<CycleJob> jobs, Optional<Outage> outage) {
    Optional<String> closed = fit.closed(queue);
    for (CycleJob job : jobs) {
      if (!job.waits()) {
        continue;
      }
      Optional<String> never = closed.isPresent() ? Optional.empty() : fit.wrongSize(job, queue);
      if (never.isPresent()) {
        cycle.delete(job, never.get(), Optional.empty());
        continue;
      }
      Optional<String> refusal =
          closed
              .or(() -> fit.manyRunning(queue))
              .or(() -> fit.hostFull(job, queue, false))
              .or(() -> rule.refusal(job, cycle.now(), outage))
              .or(() -> fit.userLimits(job, queue));
      if (refusal.isPresent()) {
        cycle.tell(job, refusal.get());
      } else if (!cycle.start(job, queue)) {
        return;
      }
    }
  }
}
