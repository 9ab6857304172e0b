package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The part of a cycle that considers jobs in the policy's order and makes promises.
 *
 * <p>Simple semantics, job by job: one that has a promise starts if it can do so without delaying
 * any other promise; otherwise its promise moves to the earliest time before the promised one at
 * which it can, or stays. One without starts if it can, or gets the earliest time at which it can;
 * promises of jobs that come later in the order do not hinder it: those that no longer hold are
 * made anew when their jobs' turn comes. Promises beyond the depth are dropped.
 *
 * <p>So a promise moves later only for a job that comes earlier in the order, for a run that
 * outlasts its estimate, or for nodes that are lost.
 */
final class PromisePass {

  private final SchedulerState state;
  private final Workbench bench;
  private final PromiseBook promises;
  private final Releases releases;
  private final Attempts attempts;
  private final Policy policy;
  private final long nowMs;
  private final List<Promise> made = new ArrayList<>();

  /** Promises of jobs that were considered, and those of later ones that a job has to ignore. */
  private int kept;

  private final List<Promise> aside = new ArrayList<>();
  private boolean barred;

  PromisePass(SchedulerState state, Attempts attempts, long nowMs) {
    this.state = state;
    this.bench = state.bench();
    this.promises = state.promiseBook();
    this.releases = state.holdings().releases();
    this.attempts = attempts;
    this.policy = state.policy();
    this.nowMs = nowMs;
  }

  /** Promises that were made or moved. */
  List<Promise> made() {
    return made;
  }

  /** True while the next job in the order has to be considered here. */
  boolean wantsMore() {
    return !barred && (kept < policy.promiseDepth() || !policy.passes());
  }

  /** Considers the job at which the walk stands. */
  void consider(OrderWalk walk) {
    bench.work.add(1);
    ClassState owner = walk.owner();
    if (owner.backingOff) {
      walk.skipClass();
      return;
    }
    Pool pool = state.poolOf(owner.queue);
    Shortage closed = attempts.closed(owner, pool);
    if (closed != null) {
      if (owner.dirty && owner.blockedInCycle != bench.cycle) {
        owner.blockedInCycle = bench.cycle;
        attempts.leave(owner, closed);
      }
      walk.skipClass();
      return;
    }
    int slot = walk.slot();
    Promise promise = promises.of(state.book().jobs().number(slot));
    if (promise == null) {
      first(walk, slot, owner, pool);
    } else if (promise.dated()) {
      again(promise, slot, owner, pool);
    } else if (promise.suspect || promise.worthASearch()) {
      promises.remove(promise);
      first(walk, slot, owner, pool);
    } else {
      keep(promise, pool);
    }
  }

  /** Drops the promises of jobs that are not among the first any more. */
  void end() {
    if (promises.size() > kept) {
      for (Promise promise : new ArrayList<>(promises.all())) {
        if (promise.keptInCycle != bench.cycle) {
          drop(promise);
        }
      }
    }
    state.promisesSettled();
  }

  /** A job that has no promise. */
  private void first(OrderWalk walk, int slot, ClassState owner, Pool pool) {
    boolean untried = owner.dirty || owner.shortage == null || owner.shortage.untried();
    boolean worth = untried && owner.blockedInCycle != bench.cycle;
    Held held = worth ? attempts.place(owner, pool) : null;
    if (held == null && promises.size() > kept) {
      setAside();
      held = attempts.placeAnew(owner, pool);
    }
    if (held != null) {
      attempts.start(slot, owner, held);
      putBack();
      return;
    }
    boolean first = untried && owner.blockedInCycle != bench.cycle;
    Shortage shortage = first ? attempts.shortage(owner, pool) : owner.shortage;
    owner.blockedInCycle = bench.cycle;
    Promise promise = null;
    if (shortage.never()) {
      walk.skipClass();
    } else if (kept < policy.promiseDepth()) {
      promise = promise(slot, owner, pool);
    } else {
      barred = true;
      attempts.barrier(state.book().jobs().number(slot));
    }
    if (first) {
      attempts.leave(owner, until(shortage, promise));
    }
    putBack();
  }

  /** A shortage of resources lasts until the promised start. */
  private static Shortage until(Shortage shortage, Promise promise) {
    boolean known = promise != null && promise.dated() && shortage.untilMs() == Shortage.UNKNOWN;
    return known ? shortage.until(promise.fromMs()) : shortage;
  }

  private Promise promise(int slot, ClassState owner, Pool pool) {
    Held held = search(owner, pool, UsageProfile.NEVER);
    long number = state.book().jobs().number(slot);
    long fromMs = held == null ? UsageProfile.NEVER : bench.outlook.foundMs();
    Promise promise = new Promise(number, owner, held, fromMs, state.names());
    promise.slack = bench.outlook.slack();
    promise.searchedAt = releases.changes();
    promises.add(promise, held == null ? null : bench.outlook.left(held));
    made.add(promise);
    keep(promise, pool);
    return promise;
  }

  private Held search(ClassState owner, Pool pool, long beforeMs) {
    return bench.outlook.search(owner.shape, pool, nowMs, beforeMs, policy.endsOneByOne());
  }

  /** True when with other ends of runs others may be left room at the same time. */
  private boolean outOfDate(Promise promise) {
    return policy.endsOneByOne() && promise.searchedAt != releases.changes();
  }

  /** A job that has a promise with a time. */
  private void again(Promise promise, int slot, ClassState owner, Pool pool) {
    boolean due = promise.fromMs() <= nowMs;
    boolean outOfDate = outOfDate(promise);
    if (!due && !promise.suspect && !promise.worthASearch() && !outOfDate) {
      keep(promise, pool);
      return;
    }
    long[][] left = promises.remove(promise);
    Held held = attempts.placeAnew(owner, pool);
    if (held == null && due && bench.outlook.holds(promise, pool, nowMs)) {
      held = withChunks(promise.held);
    }
    if (held != null) {
      attempts.start(slot, owner, held);
      state.holdings().relaxed(promise.held);
      return;
    }
    boolean stays = !due;
    if (stays && promise.suspect) {
      stays = bench.outlook.holds(promise, pool, nowMs);
      left = stays ? bench.outlook.left(promise.held) : left;
    }
    long beforeMs = stays && !outOfDate ? promise.fromMs() : UsageProfile.NEVER;
    Held better = search(owner, pool, beforeMs);
    if (better == null && stays) {
      promise.slack = bench.outlook.slack();
      promise.gain = 0;
      promise.suspect = false;
      promises.add(promise, left);
      keep(promise, pool);
      return;
    }
    state.holdings().relaxed(promise.held);
    long fromMs = better == null ? UsageProfile.NEVER : bench.outlook.foundMs();
    Promise moved = new Promise(promise.jobNumber(), owner, better, fromMs, state.names());
    moved.slack = bench.outlook.slack();
    moved.searchedAt = releases.changes();
    promises.add(moved, better == null ? null : bench.outlook.left(better));
    made.add(moved);
    keep(moved, pool);
  }

  /** The promise holds; nobody of its class can start before it. */
  private void keep(Promise promise, Pool pool) {
    promise.keptInCycle = bench.cycle;
    kept++;
    ClassState owner = promise.owner;
    if (owner.dirty && owner.blockedInCycle != bench.cycle) {
      attempts.leave(owner, until(attempts.shortage(owner, pool), promise));
    }
    owner.blockedInCycle = bench.cycle;
  }

  private void drop(Promise promise) {
    promises.remove(promise);
    if (promise.dated()) {
      state.holdings().relaxed(promise.held);
    }
  }

  /** Takes the promises of jobs that come later out of the way of one that has none. */
  private void setAside() {
    for (Promise promise : promises.all()) {
      if (promise.keptInCycle != bench.cycle && promise.dated()) {
        aside.add(promise);
      }
    }
    aside.forEach(promises::remove);
    aside.sort(Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber));
  }

  /** Puts back those that still hold; the others are made anew when their turn comes. */
  private void putBack() {
    for (Promise promise : aside) {
      Pool of = state.poolOf(promise.owner.queue);
      if (of != null && bench.outlook.holds(promise, of, nowMs)) {
        promises.add(promise, bench.outlook.left(promise.held));
      } else {
        state.holdings().relaxed(promise.held);
      }
    }
    aside.clear();
  }

  /** Without the nodes on which the job has no chunk. */
  private static Held withChunks(Held held) {
    List<Take> takes = held.takes().stream().filter(it -> it.chunks() > 0).toList();
    return new Held(takes, held.sharing());
  }
}
