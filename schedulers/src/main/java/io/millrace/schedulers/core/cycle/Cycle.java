package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.OrderWalk;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.PolicyOrder;
import io.millrace.schedulers.core.state.job.ReadyOrder;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * One pass over the jobs that wait, as far as anything can have changed for them. The state takes
 * hold of what is decided at once: starts hold their nodes, promises are kept.
 */
public final class Cycle {

  private final SchedulerBooks books;
  private final Policy policy;
  private final CycleSearches bench;
  private final StartAttempts attempts;
  private final PromisePass promisePass;

  /** The order in which jobs fill gaps. */
  private final ReadyOrder gapOrder;

  private final long workUnits;
  private final LongConsumer looked;
  private boolean tried;
  private boolean limitHit;

  private Cycle(SchedulerState state, long nowMs, long workUnits, LongConsumer looked) {
    this.looked = looked;
    this.books = state.books();
    this.policy = books.policy();
    this.bench = state.bench();
    this.workUnits = workUnits;
    bench.begin();
    this.attempts = new StartAttempts(books, bench, nowMs);
    this.promisePass = new PromisePass(books, bench, attempts, nowMs);
    this.gapOrder =
        policy.gapOrder() == policy.order()
            ? books.book().sequence()
            : new PolicyOrder(books.book().jobs(), policy.gapOrder());
  }

  /**
   * Decides which jobs start, and what is promised to others.
   *
   * @param now time of the cycle; one before an earlier cycle counts as the time of that one
   * @param workUnits bound: no further job is tried once they are used up; at least one is
   */
  public static CycleDecisions run(SchedulerState state, Instant now, long workUnits) {
    return run(state, now, workUnits, null);
  }

  /**
   * The same, and tells which jobs were looked at, one by one and in their order.
   *
   * @param looked hears the number of each; only under a policy that goes through the jobs one by
   *     one
   */
  public static CycleDecisions run(
      SchedulerState state, Instant now, long workUnits, LongConsumer looked) {
    SchedulerBooks books = state.books();
    long nowMs = books.time().notBefore(now.toEpochMilli());
    books.holdings().overdue(nowMs);
    books.rearrangement().turnOfCalendar(nowMs);
    Cycle cycle = new Cycle(state, nowMs, workUnits, looked);
    cycle.work();
    books.claims().note(nowMs);
    return new CycleDecisions(
        now,
        cycle.attempts.starts(),
        cycle.attempts.preempted(),
        cycle.attempts.left(),
        new CycleDecisions.Plans(cycle.promisePass.made(), cycle.promisePass.dropped()),
        new CycleDecisions.CycleWork(cycle.bench.work().units(), cycle.limitHit));
  }

  private void work() {
    attempts.startClaims();
    books.rearrangement().grade();
    if (books.ready().nodesTouched()) {
      books.preemption().touch();
    }
    attempts.wake();
    books.ready().wakeSeveralKinds();
    books.ready().wakeHopeful();
    boolean oneByOne = policy.site() != null && policy.site().oneByOne();
    if (!oneByOne && books.keys().changesWithWaiting()) {
      books.rearrangement().orderOfItself();
    }
    if (oneByOne) {
      new TurnPass(books, bench, attempts, promisePass, looked).run(this::endsBefore);
      return;
    }
    boolean inOrder = policy.promiseDepth() > 0 || !policy.passes();
    if (inOrder || books.promiseBook().size() > 0 || books.promiseFacts().hasAdopted()) {
      boolean done = inTheOrder();
      attempts.take();
      if (!done) {
        return;
      }
    } else {
      // Under a policy without promises, the last promise may have been dropped since the last
      // cycle.
      books.promiseFacts().settled(false);
    }
    if (policy.passes()) {
      inTheGaps();
    } else {
      attempts.leaveRest();
    }
  }

  /**
   * Considers the waiting jobs in the policy's order, up to the last one that gets a promise.
   * Returns false when the cycle's units of work or starts were used up before.
   */
  private boolean inTheOrder() {
    promisePass.begin();
    OrderWalk walk = bench.walk();
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

  /** Backfill: tries the classes outside the ordered part for which something may have changed. */
  private void inTheGaps() {
    attempts.wake();
    if (books.ready().dirty().isEmpty()) {
      return;
    }
    List<Gap> known = new ArrayList<>(books.ready().dirty().size());
    for (ClassState owner : books.ready().dirty().copy()) {
      if (!owner.blockedIn(bench.cycle())) {
        known.add(gap(owner));
      } else if (promisePass.waitsForPromise(owner)) {
        // The class's first job waits for a promise that was kept, so no other job of it may start,
        // whatever has become free since.
        attempts.leaveAgain(owner);
      }
    }
    GapLine<Gap> gaps = new GapLine<>(known, this::compare);
    while (!gaps.isEmpty() && attempts.starts().size() < attempts.room()) {
      Gap first = gaps.first();
      if (outOfUnits()) {
        postpone(first.owner());
        return;
      }
      gaps.removeFirst();
      if (attempts.startFirst(first.owner()) && first.owner().waiting().size() > 0) {
        gaps.add(gap(first.owner()));
      }
      if (attempts.renewHopes()) {
        addHopeful(gaps, first);
      }
    }
  }

  /**
   * Adds the classes that were woken during the backfill and whose place in its order has not been
   * passed yet.
   */
  private void addHopeful(GapLine<Gap> gaps, Gap last) {
    Set<ClassState> known = new HashSet<>();
    gaps.forEach(it -> known.add(it.owner()));
    for (ClassState owner : books.ready().dirty().copy()) {
      if (!owner.blockedIn(bench.cycle()) && !known.contains(owner)) {
        Gap gap = gap(owner);
        if (compare(gap, last) > 0) {
          gaps.add(gap);
        }
      }
    }
  }

  /** The first waiting job of a class that takes part in backfill. */
  private record Gap(ClassState owner, int slot) {}

  private static Gap gap(ClassState owner) {
    return new Gap(owner, owner.waiting().first());
  }

  private int compare(Gap one, Gap other) {
    if (one.slot == other.slot) {
      return 0;
    }
    return gapOrder.before(one.owner, one.slot, other.owner, other.slot) ? -1 : 1;
  }

  private boolean endsBefore(ClassState owner) {
    if (outOfUnits()) {
      postpone(owner);
      return true;
    }
    return false;
  }

  private boolean outOfUnits() {
    limitHit = tried && bench.work().units() >= workUnits;
    tried = true;
    return limitHit;
  }

  private void postpone(ClassState owner) {
    // A class that was not woken belongs to another scheduler, or nothing has changed for it.
    if (owner.dirty() && owner.shortage() == null) {
      attempts.postpone(owner, Shortage.untilChange(ReasonCode.WORK_LIMIT, ""));
    }
  }
}
