package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import io.millrace.schedulers.core.policy.Policy;
import java.time.Instant;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

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
    bench.hope++;
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
    state.claims().note(nowMs);
    return new Decisions(
        now,
        cycle.attempts.starts(),
        cycle.attempts.preempted(),
        cycle.attempts.left(),
        new Decisions.Plans(cycle.promisePass.made(), cycle.promisePass.dropped()),
        new Decisions.Work(cycle.bench.work.units(), cycle.limitHit));
  }

  private void work() {
    attempts.startClaims();
    state.grade();
    if (state.agenda().nodesTouched()) {
      state.preemption().touch();
    }
    attempts.wake();
    state.agenda().wakeSeveralKinds();
    state.agenda().wakeHopeful();
    boolean inOrder = policy.promiseDepth() > 0 || !policy.passes();
    if (inOrder || state.promiseBook().size() > 0 || state.promiseFacts().hasAdopted()) {
      boolean done = inTheOrder();
      attempts.take();
      if (!done) {
        return;
      }
    } else {
      // Under a policy without promises the last one may have gone since the last cycle.
      state.promiseFacts().settled(false);
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
      attempts.renewHopes();
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
      Gap first = gaps.peek();
      if (outOfUnits()) {
        postpone(first.owner);
        return;
      }
      gaps.poll();
      if (attempts.startFirst(first.owner) && first.owner.waiting.size() > 0) {
        gaps.add(gap(first.owner));
      }
      if (attempts.renewHopes()) {
        addHopeful(gaps, first);
      }
    }
  }

  /** Adds the classes that were woken meanwhile and whose turn has not been yet. */
  private void addHopeful(PriorityQueue<Gap> gaps, Gap last) {
    Set<ClassState> known = new HashSet<>();
    gaps.forEach(it -> known.add(it.owner));
    for (ClassState owner : state.agenda().dirty().copy()) {
      if (owner.blockedInCycle != bench.cycle && !known.contains(owner)) {
        Gap gap = gap(owner);
        if (gap.compareTo(last) > 0) {
          gaps.add(gap);
        }
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
    if (policy.gapOrder() == policy.order()) {
      return new Gap(owner, owner.headPlace, owner.headRank);
    }
    int priority = state.book().jobs().priority(owner.waiting.first());
    return new Gap(owner, Levels.place(owner, policy.gapOrder(), priority), owner.headRank);
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
