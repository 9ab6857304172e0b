package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NONPRIME_DRAIN_SYS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NP_DRAIN_BACKTIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NP_DRAIN_IDLETIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_END;

import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Packed;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.QueueFigures;
import java.util.List;
import java.util.Optional;

/** Starting each job of a list, in order, in the first of some queues that takes it. */
final class Packing {

  private static final String NO_QUEUE = "All destination queues are too full to accept this job";

  /**
   * Why a queue does not take a job.
   *
   * @param always whether the job is told so even if it fits an earlier queue
   */
  private record QueueRefusal(String text, boolean always) {}

  private final CycleContext cycle;
  private final QueueFit fit;
  private final PrimeRule prime;
  private final DedicatedRule dedicated;
  private final long leftS;
  private boolean released;

  /** The job that was held against prime time last, and what came of it; the same in all queues. */
  private CycleJob asked;

  private Optional<String> inPrime = Optional.empty();

  Packing(CycleContext cycle, QueueFit fit) {
    this.cycle = cycle;
    this.fit = fit;
    prime = new PrimeRule(cycle.config(), cycle.prime());
    dedicated = new DedicatedRule(cycle.zone());
    leftS = cycle.primeNow() ? cycle.prime().untilEnd(cycle.now()) : 0;
  }

  /** Tries the jobs; after that, once more if queues stop observing prime time early. */
  Packed pack(List<CycleJob> jobs, List<CycleQueue> queues) {
    List<CycleJob> list = List.copyOf(jobs);
    List<String> names = list.stream().map(CycleJob::id).toList();
    List<QueueFigures> before = figures(queues);
    released = false;
    long ran = tryAll(list, queues);
    if (ran >= 0 && !list.isEmpty() && release(queues)) {
      released = true;
      long more = tryAll(list, queues);
      ran = more < 0 ? more : ran + more;
    }
    return new Packed(before, names, figures(queues), ran);
  }

  private List<QueueFigures> figures(List<CycleQueue> queues) {
    return queues.stream()
        .map(
            it ->
                new QueueFigures(
                    it.id(),
                    it.nodesMax(),
                    it.assigned(),
                    it.reserved(),
                    it.running(),
                    it.isDraining(),
                    cycle.observesPrime(it)))
        .toList();
  }

  private long tryAll(List<CycleJob> jobs, List<CycleQueue> queues) {
    long ran = 0;
    for (CycleJob job : jobs) {
      if (!job.waits() || deleted(job)) {
        continue;
      }
      Optional<CycleQueue> queue = place(job, queues);
      if (queue.isPresent()) {
        if (!cycle.start(job, queue.get())) {
          return -1;
        }
        ran++;
      }
    }
    return ran;
  }

  /** Deletes a job whose group has used up its allocation. */
  private boolean deleted(CycleJob job) {
    if (!cycle.overAllocation(job.group())) {
      return false;
    }
    cycle.delete(
        job,
        "Allocation Exceeded.",
        Optional.of(cycle.memory().allocations().figures(job.group())));
    return true;
  }

  private Optional<CycleQueue> place(CycleJob job, List<CycleQueue> queues) {
    CycleQueue first = null;
    for (CycleQueue queue : queues) {
      if (fit.wrongSize(job, queue).isPresent() || !queue.admits(job.owner())) {
        continue;
      }
      first = first == null ? queue : first;
      Optional<QueueRefusal> refusal = refusal(job, queue);
      if (refusal.isEmpty()) {
        return Optional.of(queue);
      }
      if (refusal.get().always() || first == queue) {
        cycle.tell(job, refusal.get().text());
      }
    }
    if (first == null) {
      cycle.tell(job, NO_QUEUE);
    }
    return Optional.empty();
  }

  private Optional<QueueRefusal> refusal(CycleJob job, CycleQueue queue) {
    Optional<String> dedicatedTime = dedicated.refusal(job, cycle.now(), cycle.outage(queue));
    if (dedicatedTime.isPresent()) {
      return dedicatedTime.map(it -> new QueueRefusal(it, false));
    }
    Optional<String> policy = policy(job, queue);
    if (policy.isEmpty() || job.isOutstanding()) {
      Optional<String> room = fit.noRoom(job, queue);
      if (room.isEmpty()) {
        return Optional.empty();
      }
      if (policy.isEmpty()) {
        return room.map(it -> new QueueRefusal(it, false));
      }
    }
    // An outstanding job is over the limits only where there is room at once; otherwise it waits
    // for a time within them, and is told so.
    if (!released) {
      queue.refuseForPrime();
    }
    return policy.map(it -> new QueueRefusal(it, true));
  }

  /** Why prime time forbids a job in a queue. */
  private Optional<String> policy(CycleJob job, CycleQueue queue) {
    if (job.isSpecial() || !cycle.observesPrime(queue)) {
      return Optional.empty();
    }
    if (job != asked) {
      asked = job;
      inPrime = prime.refusal(cycle.now(), job.nodes(), job.walltimeS());
    }
    return inPrime.isPresent() ? inPrime : crossesEnd(job, queue);
  }

  /** Why a job would run over the end of prime time; where another one does it may too. */
  private Optional<String> crossesEnd(CycleJob job, CycleQueue queue) {
    if (!cycle.config().on(NONPRIME_DRAIN_SYS) || !cycle.primeNow()) {
      return Optional.empty();
    }
    boolean crossed = queue.emptyBy() > 0 && queue.emptyBy() - cycle.now() >= leftS;
    return !crossed && job.walltimeS() >= leftS
        ? Optional.of(
            "System draining for non-primetime at "
                + OriginType.clock(cycle.config().number(PRIME_TIME_END)))
        : Optional.empty();
  }

  /** Lets idle queues with jobs that wait for the end of prime time stop observing it. */
  private boolean release(List<CycleQueue> queues) {
    long back = cycle.config().number(NP_DRAIN_BACKTIME);
    long idle = cycle.config().number(NP_DRAIN_IDLETIME);
    if (back <= 0 || !cycle.primeNow() || leftS > back) {
      return false;
    }
    boolean any = false;
    for (CycleQueue queue : queues) {
      if (queue.refusedForPrime()
          && queue.running() == 0
          && cycle.observesPrime(queue)
          && (idle == 0 || cycle.memory().idleS(queue.id(), cycle.now()) > idle)) {
        cycle.memory().release(queue.id());
        any = true;
      }
    }
    return any;
  }
}
