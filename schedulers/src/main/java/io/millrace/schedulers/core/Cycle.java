package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** One pass over the classes that are worth a try. Changes nothing but its own space. */
public final class Cycle {

  private final SchedulerState view;
  private final Policy policy;
  private final Space space;
  private final FirstFit fit;
  private final Diagnosis diagnosis;
  private final Map<Pool, Summary> summaries = new HashMap<>();
  private final List<Start> starts = new ArrayList<>();
  private final List<Decisions.Left> left = new ArrayList<>();

  private Cycle(SchedulerState view, Policy policy) {
    this.view = view;
    this.policy = policy;
    this.space = new Space(view.nodes());
    this.fit = new FirstFit(space, view.names(), view.nodes().resources());
    this.diagnosis = new Diagnosis(space, view.names(), view.nodes().resources());
  }

  /**
   * Decides which jobs start.
   *
   * @param policy the policy by which the view orders its jobs
   * @param now time of the cycle; recorded with the reasons
   * @param workUnits bound: no further job is tried once they are used up; at least one is
   * @return the decisions, which {@link SchedulerState#apply} puts into effect
   */
  public static Decisions run(SchedulerState view, Policy policy, Instant now, long workUnits) {
    if (policy != view.policy()) {
      throw new IllegalArgumentException("the view is ordered by another policy than " + policy);
    }
    Cycle cycle = new Cycle(view, policy);
    boolean limitHit = cycle.work(workUnits);
    return new Decisions(
        now, cycle.starts, cycle.left, new Decisions.Work(cycle.space.units(), limitHit));
  }

  private boolean work(long workUnits) {
    JobTable jobs = view.jobs();
    PriorityQueue<HeapWalk> heads =
        new PriorityQueue<>(
            Math.max(1, view.dirty().size()),
            (a, b) -> a == b ? 0 : JobHeap.before(a.slot(), b.slot(), jobs, policy) ? -1 : 1);
    for (ClassState dirty : view.dirty()) {
      heads.add(new HeapWalk(dirty, jobs, policy));
    }
    int room = view.room();
    boolean tried = false;
    while (!heads.isEmpty() && starts.size() < room) {
      if (tried && space.units() >= workUnits) {
        postpone(heads.peek().owner);
        return true;
      }
      tried = true;
      HeapWalk walk = heads.poll();
      if (consider(walk)) {
        walk.advance();
        if (!walk.atEnd()) {
          heads.add(walk);
        }
      }
    }
    return false;
  }

  /** Tries the job at which the walk stands; true when it starts. */
  private boolean consider(HeapWalk walk) {
    space.work(1);
    ClassState owner = walk.owner;
    Pool pool = view.poolOf(owner.queue);
    Shortage closed = closed(owner, pool);
    if (closed != null) {
      left.add(new Decisions.Left(owner, closed));
      return false;
    }
    if (diagnosis.atOnce(owner.shape, summary(pool, false)) == null) {
      Held held = fit.place(owner.shape, pool);
      if (held != null) {
        long number = view.jobs().number(walk.slot());
        starts.add(new Start(number, view.shares(held), held));
        return true;
      }
    }
    left.add(new Decisions.Left(owner, shortage(owner.shape, pool)));
    return false;
  }

  /** With the numbers of this moment; those of the quick look may be older. */
  private Shortage shortage(RequestShape shape, Pool pool) {
    Shortage atOnce = diagnosis.atOnce(shape, summary(pool, true));
    return atOnce != null ? atOnce : diagnosis.afterTry(shape, pool);
  }

  private Shortage closed(ClassState owner, Pool pool) {
    if (!view.settings().scheduling()) {
      return Shortage.untilChange(ReasonCode.SCHEDULING_OFF, view.scheduler());
    }
    if (!owner.queue.started) {
      return Shortage.untilChange(ReasonCode.QUEUE_NOT_STARTED, owner.queue.name);
    }
    if (pool == null || summary(pool, false).usable == 0) {
      return Shortage.untilChange(ReasonCode.NO_NODES, owner.queue.partition);
    }
    return null;
  }

  private void postpone(ClassState owner) {
    if (owner.shortage == null) {
      left.add(new Decisions.Left(owner, Shortage.untilChange(ReasonCode.WORK_LIMIT, "")));
    }
  }

  private Summary summary(Pool pool, boolean fresh) {
    Summary known = summaries.get(pool);
    if (known == null || fresh && known.version != space.version()) {
      known = new Summary(pool, space, view.names().size());
      summaries.put(pool, known);
    }
    return known;
  }
}
