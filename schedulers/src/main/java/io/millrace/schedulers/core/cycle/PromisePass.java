package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.JobWalk;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.PromiseBook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The part of a cycle that considers jobs in the policy's order and makes promises.
 *
 * <p>Simple semantics, job by job: one that has a promise starts if it can do so without delaying
 * any other promise; otherwise its promise moves to the earliest time before the promised one at
 * which it can, or stays. One without starts if it can, or gets the earliest time at which it can;
 * promises of jobs that come later in the order do not hinder it: those that no longer hold are
 * made again when their jobs' turn comes. Promises beyond the depth are dropped.
 *
 * <p>So a promise moves later only for a job that comes earlier in the order, for a run that
 * outlasts its estimate, for a job that had to wait until others were preempted for it, or for
 * nodes that are lost.
 */
final class PromisePass {

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final PromiseBook promises;
  private final PromiseUpkeep upkeep;
  private final PromiseMove move;
  private final StartAttempts attempts;
  private final Policy policy;
  private final long nowMs;

  /**
   * True when jobs may stand in another order than in the last cycle although nobody has told so: a
   * job that found no time at all may have got before those that were in its way.
   */
  private final boolean reordered;

  private final List<Promise> made = new ArrayList<>();

  /** Number of considered jobs whose promise is kept. */
  private int kept;

  /** How many of them are in queues with a number of promises of their own, by queue. */
  private final Map<QueueState, Integer> keptInQueues = new HashMap<>();

  private int keptApart;

  private boolean barred;

  PromisePass(SchedulerBooks books, CycleSearches bench, StartAttempts attempts, long nowMs) {
    this.books = books;
    this.bench = bench;
    this.promises = books.promiseBook();
    this.upkeep = new PromiseUpkeep(books, bench, attempts, nowMs);
    this.move = new PromiseMove(books, bench, attempts, nowMs);
    this.attempts = attempts;
    this.policy = books.policy();
    this.nowMs = nowMs;
    SiteRules site = policy.site();
    this.reordered =
        site != null && site.sequence().changesWithStarts() || books.keys().changesWithTime();
  }

  /** Promises that were made or moved. */
  List<Promise> made() {
    return made;
  }

  /** True while the next job in the order has to be considered here. */
  boolean wantsMore() {
    return !barred && (kept < policy.promiseDepth() || !policy.passes());
  }

  /** True when a job of a queue still gets a promise if it cannot start. */
  boolean wantsMore(QueueState queue) {
    return policy.promiseDepth() > 0
        && (queue.backfillDepth() >= 0
            ? keptInQueues.getOrDefault(queue, 0) < queue.backfillDepth()
            : kept - keptApart < policy.depthOfOthers());
  }

  /** True when a job holds back all others, because nobody may pass it. */
  boolean barred() {
    return barred;
  }

  /** A job that is reached after the last promise loses the one that it may have. */
  void tooLate(int slot) {
    Promise promise = promises.of(books.book().jobs().number(slot));
    if (promise != null) {
      upkeep.drop(promise);
    }
  }

  /** The jobs of a class lose their promises. */
  void dropAll(ClassState owner) {
    upkeep.dropAll(owner);
  }

  /** True when a job that was considered has a promise. */
  boolean keeps(int slot) {
    Promise promise = promises.of(books.book().jobs().number(slot));
    return promise != null && promise.isKeptIn(bench.cycle());
  }

  /** Considers the job at which the walk over the ready queue stands. */
  void consider(JobWalk walk) {
    bench.work().add(1);
    ClassState owner = walk.owner();
    if (owner.backingOff()) {
      walk.skipClass();
      return;
    }
    if (attempts.deferred(owner)) {
      upkeep.dropAll(owner);
      walk.skipClass();
      return;
    }
    Pool pool = books.poolOf(owner.queue());
    Shortage closed = attempts.closedInOrder(owner, walk.slot(), pool);
    if (closed != null) {
      if (owner.dirty() && !owner.blockedIn(bench.cycle())) {
        owner.blocked(bench.cycle());
        attempts.leave(owner, closed);
      }
      // The nodes promised to this class are free for the jobs behind it.
      upkeep.dropAll(owner);
      walk.skipClass();
      return;
    }
    int slot = walk.slot();
    Promise promise = promises.of(books.book().jobs().number(slot));
    if (promise != null && !mayKeep(owner)) {
      upkeep.drop(promise);
      promise = null;
    }
    if (promise != null && promise.isSuspect() && !upkeep.stillHolds(promise)) {
      // A job that came earlier in this cycle took nodes that the promise needs.
      promise = null;
    }
    if (promise != null && insteadOfPromise(promise, slot, owner, pool)) {
      // The job starts when the runs that were preempted for it have ended.
      return;
    }
    if (promise == null) {
      first(walk, slot, owner, pool, false);
    } else if (promise.fromMs() <= nowMs) {
      due(promise, walk, slot, owner, pool);
    } else if (!move.due(promise, pool) && (promise.dated() || !reordered)) {
      keep(promise, pool);
    } else if (promise.dated()) {
      Promise now = move.earlier(promise, slot, pool);
      if (now != null && now != promise) {
        made.add(now);
      }
      if (now != null) {
        keep(now, pool);
      }
    } else {
      promises.remove(promise);
      first(walk, slot, owner, pool, false);
    }
  }

  /**
   * Checks the promises that were taken over from the last cycle and drops those that no longer
   * hold.
   */
  void begin() {
    books.eligibility().beginOrder();
    upkeep.begin();
  }

  /** Jobs that had a promise before, have none now and do not start. */
  Set<Long> dropped() {
    return upkeep.dropped();
  }

  /** True when the first job of a class has a promise that was kept. */
  boolean waitsForPromise(ClassState owner) {
    int first = owner.waiting().size() == 0 ? JobSlots.NONE : owner.waiting().first();
    return first != JobSlots.NONE && promises.of(books.book().jobs().number(first)) != null;
  }

  /** Drops the promises of jobs that are not among the first any more. */
  void end() {
    if (promises.size() > kept) {
      for (Promise promise : new ArrayList<>(promises.all())) {
        if (!promise.isKeptIn(bench.cycle())) {
          upkeep.drop(promise);
        }
      }
    }
    books.promiseFacts().settled(anyWorthALook());
  }

  private boolean anyWorthALook() {
    for (Promise promise : promises.all()) {
      Pool pool = books.poolOf(promise.owner().queue());
      if (promise.isSuspect() || pool != null && PromiseMove.mayComeEarlier(promise, pool)) {
        return true;
      }
    }
    return false;
  }

  /** Preempts running jobs for a job that has a promise, which is dropped when that works. */
  private boolean insteadOfPromise(Promise promise, int slot, ClassState owner, Pool pool) {
    if (promise.fromMs() <= nowMs || !owner.dirty() || !attempts.mayClaim(owner)) {
      return false;
    }
    upkeep.setAside();
    if (!attempts.claim(slot, owner, pool)) {
      upkeep.asBefore();
      return false;
    }
    upkeep.forget(promise);
    upkeep.putBack();
    return true;
  }

  /** Starts a job whose promised time has come. */
  private void due(Promise promise, JobWalk walk, int slot, ClassState owner, Pool pool) {
    promises.remove(promise);
    boolean onTime = nowMs - promise.fromMs() <= AllocationBook.OVERRUN_MS;
    if (onTime && endsBeforeBookings(promise) && bench.earliest().holds(promise, pool, nowMs)) {
      // The cycle runs a moment after the promised time. The job keeps its planned end, so that
      // what is planned behind it stays planned.
      attempts.start(slot, withChunks(promise.held()), promise.toMs());
      books.promiseFacts().relaxed(promise);
    } else {
      upkeep.lost(promise);
      first(walk, slot, owner, pool, true);
    }
  }

  /** Whether the run, which ends by as much later as it begins, then lasts into no booking. */
  private boolean endsBeforeBookings(Promise promise) {
    long lateMs = nowMs - promise.fromMs();
    long endMs = promise.toMs();
    return endMs == UsageProfile.FOREVER
        || lateMs <= 0
        || promise.held().takes().stream()
            .allMatch(it -> it.node().bookings().freeIn(endMs, endMs + lateMs));
  }

  /** Starts a job that has no promise, or makes a promise for it. */
  private void first(JobWalk walk, int slot, ClassState owner, Pool pool, boolean fresh) {
    attempts.wake();
    boolean untried =
        owner.dirty()
            || owner.shortage() == null
            || owner.shortage().untried()
            // The limit that was noted no longer holds, or the job would not have been considered.
            || owner.shortage().limited();
    JobAllocation held = null;
    if (promises.size() > kept && policy.endsOneByOne()) {
      upkeep.countAllEnds();
    }
    if (fresh) {
      held = attempts.placeAnew(owner, pool);
    } else if (untried && !owner.blockedIn(bench.cycle())) {
      held = attempts.place(owner, pool);
    }
    if (held == null && promises.size() > kept) {
      upkeep.setAside();
      held = attempts.placeAnew(owner, pool);
    }
    if (held != null) {
      attempts.start(slot, held, UsageProfile.end(nowMs, owner.shape().walltimeMs()));
      upkeep.putBack();
      return;
    }
    if (!attempts.never(owner, pool) && attempts.claim(slot, owner, pool)) {
      upkeep.putBack();
      return;
    }
    boolean first = untried && !owner.blockedIn(bench.cycle());
    Shortage shortage = first ? attempts.shortage(owner, pool) : owner.shortage();
    String reservation = upkeep.movedFor(books.book().jobs().number(slot));
    if (reservation != null) {
      first = true;
      shortage = bench.diagnosis().moved(owner.shape(), reservation);
    }
    owner.blocked(bench.cycle());
    Promise promise = null;
    if (attempts.never(owner, pool)) {
      walk.skipClass();
    } else if (mayKeep(owner)) {
      promise = move.make(slot, owner, pool);
      made.add(promise);
      keep(promise, pool);
    } else {
      barred = true;
      attempts.barrier(books.book().jobs().number(slot));
    }
    if (first) {
      attempts.leave(owner, until(shortage, promise));
    }
    upkeep.putBack();
  }

  private boolean mayKeep(ClassState owner) {
    return policy.site() == null ? kept < policy.promiseDepth() : wantsMore(owner.queue());
  }

  /** A shortage of resources lasts until the promised start. */
  private static Shortage until(Shortage shortage, Promise promise) {
    boolean known = promise != null && promise.dated() && shortage.untilMs() == Shortage.UNKNOWN;
    return known ? shortage.until(promise.fromMs()) : shortage;
  }

  /** Keeps the promise as it is; no job of its class can start before it. */
  private void keep(Promise promise, Pool pool) {
    promise.keptIn(bench.cycle());
    kept++;
    ClassState owner = promise.owner();
    if (owner.queue().backfillDepth() >= 0) {
      keptApart++;
      keptInQueues.merge(owner.queue(), 1, Integer::sum);
    }
    if (promise.dated()) {
      books.eligibility().keep(owner);
    }
    if (owner.dirty() && !owner.blockedIn(bench.cycle())) {
      attempts.leave(owner, until(attempts.shortage(owner, pool), promise));
    }
    owner.blocked(bench.cycle());
  }

  /** Without the nodes on which the job has no chunk. */
  private static JobAllocation withChunks(JobAllocation held) {
    List<NodeAllocation> takes = held.takes().stream().filter(it -> it.chunks() > 0).toList();
    return new JobAllocation(takes, held.asked());
  }
}
