package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Drained;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.QueueDrain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which queue is drained for the first job of the list, and for each outstanding or special one:
 * the one in which it can start soonest when running jobs end as they should. Nodes that are free
 * now and wanted then are kept for it.
 */
final class DrainSearch {

  /** A time at which a job can start in a queue, with the nodes that are to be kept until then. */
  private record Chance(CycleQueue queue, long time, long reserve) {}

  private final CycleContext cycle;
  private final QueueFit fit;
  private final PrimeRule prime;
  private final DedicatedRule dedicated;

  DrainSearch(CycleContext cycle, QueueFit fit) {
    this.cycle = cycle;
    this.fit = fit;
    prime = new PrimeRule(cycle.config(), cycle.prime());
    dedicated = new DedicatedRule(cycle.zone());
  }

  /** Marks the queues, and says for which jobs it looked. */
  List<QueueDrain> mark(List<CycleJob> jobs, List<CycleQueue> queues) {
    List<QueueDrain> looked = new ArrayList<>();
    for (CycleJob job : jobs) {
      if (job.waits() && (looked.isEmpty() || job.isUrgent())) {
        Optional<Chance> soonest = soonest(job, queues);
        soonest.ifPresent(it -> it.queue().drain(it.time(), it.reserve()));
        looked.add(
            new QueueDrain(
                job.id(),
                soonest.map(it -> new Drained(it.queue().name(), it.time(), it.reserve()))));
      }
    }
    return looked;
  }

  private Optional<Chance> soonest(CycleJob job, List<CycleQueue> queues) {
    Chance soonest = null;
    for (CycleQueue queue : queues) {
      if (fit.wrongSize(job, queue).isPresent() || queue.isDown() || !queue.admits(job.owner())) {
        continue;
      }
      if (queue.free() >= job.nodes()) {
        return Optional.empty(); // nothing has to end for it
      }
      Optional<Chance> chance = chance(job, queue);
      if (chance.isPresent() && (soonest == null || chance.get().time() < soonest.time())) {
        soonest = chance.get();
      }
    }
    return Optional.ofNullable(soonest);
  }

  private Optional<Chance> chance(CycleJob job, CycleQueue queue) {
    long free = queue.free();
    long freeThen = free;
    long running = queue.running();
    for (CycleJob ending : queue.jobs()) {
      if (!ending.runs()) {
        continue;
      }
      running--;
      freeThen += ending.nodes();
      if (queue.maxRunning() >= 0 && running >= queue.maxRunning() || freeThen < job.nodes()) {
        continue;
      }
      long time = cycle.now() + ending.expectedS();
      if (time > queue.emptyBy() || mayStart(job, queue, time)) {
        return Optional.of(
            new Chance(queue, time, free == 0 ? 0 : free - (freeThen - job.nodes())));
      }
    }
    return Optional.empty();
  }

  private boolean mayStart(CycleJob job, CycleQueue queue, long time) {
    boolean limited = cycle.observesPrime(queue) && !job.isSpecial();
    return dedicated.refusal(job, time, cycle.outage(queue, time)).isEmpty()
        && (!limited || prime.refusal(time, job.nodes(), job.walltimeS()).isEmpty());
  }
}
