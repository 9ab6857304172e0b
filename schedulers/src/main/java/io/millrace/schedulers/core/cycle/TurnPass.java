package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.EachJobWalk;
import io.millrace.schedulers.core.search.JobWalk;
import io.millrace.schedulers.core.search.TurnWalk;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.RequestedUsage;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * A cycle under a site's own policy: one walk over the jobs in its order.
 *
 * <p>Simple semantics: look at one job after another. It starts if it can; if not it gets a promise
 * where the policy still makes some. With fair share a start moves the jobs of its entity back, and
 * with queues that take turns each job that is looked at uses up its queue's turn. Classes of which
 * nothing can have become startable are passed over at once, unless each job has to be counted.
 */
final class TurnPass {

  /** As often as usage of runs that go on is told. */
  private static final long AGAIN_MS = 60_000;

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final StartAttempts attempts;
  private final PromisePass promises;
  private final Policy policy;
  private final SiteRules site;

  /** Told of each job that is looked at; null when nobody listens. */
  private final LongConsumer looked;

  /** True when each single job has to be reached. */
  private final boolean eachJob;

  /** True when queues have numbers of promises of their own. */
  private final boolean ownDepths;

  private final RequestedUsage usage;

  /** The walk behind the last promise; null before it. */
  private TurnWalk gaps;

  /** Queues of which nobody may start any more, with the job that nobody passes. */
  private final Map<QueueState, Long> shut = new HashMap<>();

  private int jobs;
  private int preemptions;
  private boolean ended;

  /**
   * @param looked is told of the number of each job that is looked at; null for nobody
   */
  TurnPass(
      SchedulerBooks books,
      CycleSearches bench,
      StartAttempts attempts,
      PromisePass promises,
      LongConsumer looked) {
    this.books = books;
    this.bench = bench;
    this.attempts = attempts;
    this.promises = promises;
    this.policy = books.policy();
    this.site = policy.site();
    this.looked = looked;
    this.eachJob =
        looked != null || site.sequence().turns() || site.bounds().jobs() != Integer.MAX_VALUE;
    this.ownDepths = anyDepth(books.cluster().queues());
    this.usage =
        site.shares() == null
            ? null
            : books.shares().requested(books.names(), books.nodes().resources());
  }

  /** A loop, since a stream costs more than many a cycle. */
  private static boolean anyDepth(Collection<QueueState> queues) {
    for (QueueState queue : queues) {
      if (queue.backfillDepth() >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether jobs stand in another order when time passes or somebody has used something. */
  private boolean movesByItself() {
    return site.sequence().byShares() || books.keys().changesWithTime();
  }

  /** The walk in the order of the policy. */
  private JobWalk walk() {
    return site.sequence().changesWithStarts() ? bench.turns() : bench.walk();
  }

  /**
   * @param outOfUnits asked before each job; true ends the cycle
   */
  void run(Predicate<ClassState> outOfUnits) {
    if (site.shares() != null) {
      site.shares().tree().beginCycle();
    }
    if (movesByItself()) {
      meetEntities();
      books.rearrangement().orderOfItself();
    }
    for (Pool pool : books.nodes().pools()) {
      if (pool.ranking().changesWithRuns()) {
        pool.ranking().beginCycle(pool.nodes());
      }
    }
    promises.begin();
    boolean shortWay = gapsByThemselves();
    JobWalk walk = walk();
    walk.restart();
    boolean cut = walk(walk, outOfUnits, () -> !shortWay || inOrder());
    if (!cut) {
      // Otherwise jobs were not reached whose promises still hold.
      endPromises();
    }
    attempts.take();
    if (!cut && shortWay && !promises.barred() && !inOrder()) {
      cut = inTheGaps(outOfUnits);
      attempts.take();
    }
    bench.turns().end();
    if (promises.barred()) {
      attempts.leaveRest();
    }
    if (!cut && jobs >= site.bounds().jobs() && attempts.decidedNothing()) {
      books.ready().rest(movesByItself() ? books.time().latestMs() + AGAIN_MS : Long.MAX_VALUE);
    }
  }

  /** Has the tree know the entities of all jobs: who comes to it later makes the others' less. */
  private void meetEntities() {
    if (site.sequence().byShares()) {
      for (int i = 0; i < books.book().order().size(); i++) {
        books.shares().of(books.book().order().get(i));
      }
    }
  }

  /**
   * True when behind the last promise only classes matter of which something may have become
   * startable, and no job counts for having been reached.
   */
  private boolean gapsByThemselves() {
    return !eachJob && !site.inQueue() && !ownDepths && !books.ready().takeUntried();
  }

  /** True while the next job gets a promise where it cannot start, or bars the way. */
  private boolean inOrder() {
    return promises.wantsMore() || !policy.passes();
  }

  /**
   * Goes on along a walk.
   *
   * @param wanted asked before each job
   * @return true when the cycle had no units of work or starts left
   */
  private boolean walk(JobWalk walk, Predicate<ClassState> outOfUnits, BooleanSupplier wanted) {
    while (wanted.getAsBoolean()
        && !promises.barred()
        && jobs < site.bounds().jobs()
        && walk.next()) {
      if (attempts.starts().size() >= attempts.room() || outOfUnits.test(walk.owner())) {
        return true;
      }
      visit(walk);
    }
    return false;
  }

  /**
   * Tries the classes behind the last promise for which something may have changed.
   *
   * @return true when the cycle had no units of work or starts left
   */
  private boolean inTheGaps(Predicate<ClassState> outOfUnits) {
    attempts.wake();
    gaps = bench.turns();
    gaps.restart(open());
    boolean cut = walk(gaps, outOfUnits, () -> true);
    gaps = null;
    return cut;
  }

  /** The classes to look at; those whose first job waits for a promise are left as they are. */
  private List<ClassState> open() {
    List<ClassState> open = new ArrayList<>();
    for (ClassState owner : books.ready().dirty().copy()) {
      if (!owner.blockedIn(bench.cycle())) {
        open.add(owner);
      } else if (promises.waitsForPromise(owner)) {
        attempts.leaveAgain(owner);
      }
    }
    return open;
  }

  /** The last job that gets a promise has been reached: the promises of later ones go. */
  private void endPromises() {
    if (!ended) {
      promises.end();
      ended = true;
    }
  }

  private void visit(JobWalk walk) {
    ClassState owner = walk.owner();
    if (closed(owner, walk.slot())) {
      walk.passOver();
      return;
    }
    jobs++;
    if (looked != null) {
      looked.accept(books.book().jobs().number(walk.slot()));
    }
    int before = attempts.starts().size();
    if (promises.wantsMore(owner.queue()) || !policy.passes()) {
      inOrder(eachJob ? new EachJobWalk(walk) : walk);
    } else {
      inGap(walk);
    }
    if (attempts.renewHopes() && gaps != null) {
      gaps.join(open());
    }
    if (attempts.starts().size() == before && !attempts.claims(walk.slot())) {
      shutBehind(owner, walk.slot());
    } else {
      startsInCycle(owner);
    }
  }

  /** Whether nothing of the class is looked at, whatever is free. */
  private boolean closed(ClassState owner, int slot) {
    if (owner.backingOff()) {
      return true;
    }
    Shortage why = attempts.shut(owner, slot, books.poolOf(owner.queue()));
    if (why == null && books.shares().excluded(owner)) {
      why = Shortage.untilChange(ReasonCode.NO_SHARES, owner.account().entity());
    }
    Calendar.CalendarRefusal refusal = why == null ? attempts.refusal(owner) : null;
    if (refusal != null && refusal.ofQueue()) {
      why = Shortage.untilChange(refusal.code(), refusal.subject()).until(refusal.untilMs());
    }
    Long first = why == null ? shut.get(owner.queue()) : null;
    if (first != null) {
      why = Shortage.untilChange(ReasonCode.STRICT_ORDER, Long.toString(first));
    }
    if (why == null) {
      return false;
    }
    promises.dropAll(owner);
    if (owner.dirty() && !owner.blockedIn(bench.cycle())) {
      owner.blocked(bench.cycle());
      attempts.leave(owner, why);
    }
    return true;
  }

  /** A job that gets a promise where it cannot start, or that nobody may pass. */
  private void inOrder(JobWalk walk) {
    promises.consider(walk);
    if (promises.keeps(walk.slot())) {
      startsInCycle(walk.owner());
    }
  }

  private void inGap(JobWalk walk) {
    ClassState owner = walk.owner();
    if (gaps != null) {
      tryInGap(walk);
      return;
    }
    if (ended || ownDepths) {
      promises.tooLate(walk.slot());
    } else {
      endPromises();
      attempts.wake();
    }
    if (owner.dirty() && owner.blockedIn(bench.cycle()) && promises.waitsForPromise(owner)) {
      // Its first job waits for a promise, so that no other of it starts, whatever is free.
      attempts.leaveAgain(owner);
    }
    tryInGap(walk);
  }

  private void tryInGap(JobWalk walk) {
    ClassState owner = walk.owner();
    // One that was behind another job of its queue may be the first now.
    boolean untried = owner.shortage() != null && owner.shortage().untried();
    boolean worthALook = owner.dirty() || untried;
    if (!worthALook || owner.blockedIn(bench.cycle()) || attempts.deferred(owner)) {
      skip(walk);
      return;
    }
    boolean mayPreempt = preemptions < site.bounds().preemptions() && attempts.mayClaim(owner);
    preemptions += mayPreempt ? 1 : 0;
    if (!attempts.startReached(owner, walk.slot(), mayPreempt)) {
      skip(walk);
    }
  }

  private void skip(JobWalk walk) {
    if (!eachJob) {
      walk.skipClass();
    }
  }

  private void startsInCycle(ClassState owner) {
    if (usage != null && site.sequence().byShares()) {
      ShareTree tree = site.shares().tree();
      tree.startsInCycle(books.shares().of(owner), usage.of(owner.shape()));
    }
  }

  /** A job could not start: where nobody of its queue passes it, the queue is shut. */
  private void shutBehind(ClassState owner, int slot) {
    boolean strict = policy.promiseDepth() > 0;
    if (site.inQueue() || strict && owner.queue().backfillDepth() == 0) {
      shut.put(owner.queue(), books.book().jobs().number(slot));
    }
  }
}
