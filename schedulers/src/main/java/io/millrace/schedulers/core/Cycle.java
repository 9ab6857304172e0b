package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import io.millrace.schedulers.core.policy.Policy;
import java.time.Instant;
import java.util.PriorityQueue;

/**
 * One pass over the jobs that wait, as far as anything can have changed for them. The state takes
 * hold of what is decided at once: starts hold their nodes, promises are kept.
 */
public final class Cycle {

  private final SchedulerState state;
  private final Policy policy;
  private final Workbench bench;
  private final Attempts attempts;
  private final PromisePass promisePass;
  private final long workUnits;
  private boolean tried;
  private boolean limitHit;

  private Cycle(SchedulerState state, long nowMs, long workUnits) {
    this.state = state;
    this.policy = state.policy();
    this.bench = state.bench();
    this.workUnits = workUnits;
    bench.cycle++;
    bench.work.restart();
    this.attempts = new Attempts(state, nowMs);
    this.promisePass = new PromisePass(state, attempts, nowMs);
  }

  /**
   * Decides which jobs start, and what is promised to others.
   *
   * @param now time of the cycle; one before an earlier cycle counts as the time of that one
   * @param workUnits bound: no further job is tried once they are used up; at least one is
   */
  public static Decisions run(SchedulerState state, Instant now, long workUnits) {
    long nowMs = state.time().notBefore(now.toEpochMilli());
    state.holdings().overdue(nowMs);
    Cycle cycle = new Cycle(state, nowMs, workUnits);
    cycle.work();
    return new Decisions(
        now,
        cycle.attempts.starts(),
        cycle.attempts.left(),
        cycle.promisePass.made(),
        cycle.promisePass.dropped(),
        new Decisions.Work(cycle.bench.work.units(), cycle.limitHit));
  }

  private void work() {
    attempts.wake();
    state.agenda().wakeSeveralKinds();
    boolean inOrder = policy.promiseDepth() > 0 || !policy.passes();
    if (inOrder || state.promiseBook().size() > 0 || state.promiseFacts().hasAdopted()) {
      boolean done = inTheOrder();
      attempts.take();
      if (!done) {
        return;
      }
    }
    if (policy.passes()) {
      inTheGaps();
    } else {
      attempts.leaveRest();
    }
  }

  /** The jobs in the policy's order, up to the last that gets a promise; false when cut short. */
  private boolean inTheOrder() {
    promisePass.begin();
    OrderWalk walk = bench.walk;
    walk.restart();
    while (promisePass.wantsMore() && walk.next()) {
      if (attempts.starts().size() >= attempts.room()) {
        return false;
      }
      if (outOfUnits()) {
        postpone(walk.owner());
        return false;
      }
      promisePass.consider(walk);
    }
    promisePass.end();
    return true;
  }

  /** The other jobs for which something may have changed. */
  private void inTheGaps() {
    attempts.wake();
    if (state.agenda().dirty().isEmpty()) {
      return;
    }
    PriorityQueue<Gap> gaps = new PriorityQueue<>(state.agenda().dirty().size());
    for (ClassState owner : state.agenda().dirty().copy()) {
      if (owner.blockedInCycle != bench.cycle) {
        gaps.add(gap(owner));
      } else if (promisePass.waitsForPromise(owner)) {
        // Nobody of it comes before its first job, whatever has become free since that was kept.
        attempts.leaveAgain(owner);
      }
    }
    while (!gaps.isEmpty() && attempts.starts().size() < attempts.room()) {
      ClassState owner = gaps.peek().owner;
      if (outOfUnits()) {
        postpone(owner);
        return;
      }
      gaps.poll();
      if (attempts.startFirst(owner) && owner.waiting.size() > 0) {
        gaps.add(gap(owner));
      }
    }
  }

  /** The first job of a class among those that fill gaps. */
  private record Gap(ClassState owner, long place, long rank) implements Comparable<Gap> {

    @Override
    public int compareTo(Gap other) {
      int byPlace = Long.compare(place, other.place);
      return byPlace != 0 ? byPlace : Long.compare(rank, other.rank);
    }
  }

  private Gap gap(ClassState owner) {
    int priority = state.book().jobs().priority(owner.waiting.first());
    return new Gap(
        owner, policy.gapOrder().place(priority, owner.shape.walltimeMs), owner.headRank);
  }

  private boolean outOfUnits() {
    limitHit = tried && bench.work.units() >= workUnits;
    tried = true;
    return limitHit;
  }

  private void postpone(ClassState owner) {
    // Others are not this scheduler's, or have nothing new to be tried for.
    if (owner.dirty() && owner.shortage == null) {
      attempts.postpone(owner, Shortage.untilChange(ReasonCode.WORK_LIMIT, ""));
    }
  }
}
