package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

  private static final Comparator<Promise> BY_START =
      Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber);

  private final SchedulerState state;
  private final Workbench bench;
  private final PromiseBook promises;
  private final Releases releases;
  private final Attempts attempts;
  private final Policy policy;
  private final long nowMs;
  private final List<Promise> made = new ArrayList<>();

  /** Jobs that have lost their promise so far. */
  private final Set<Long> dropped = new LinkedHashSet<>();

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

  /** Jobs that had a promise before, have none now and do not start. */
  Set<Long> dropped() {
    if (!dropped.isEmpty()) {
      attempts.starts().forEach(it -> dropped.remove(it.jobNumber()));
      promises.all().forEach(it -> dropped.remove(it.jobNumber()));
    }
    return dropped;
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
    if (promise != null && kept >= policy.promiseDepth()) {
      drop(promise);
      promise = null;
    }
    if (promise != null && promise.suspect) {
      // A job that came earlier in this cycle took what it needs.
      promises.remove(promise);
      promise.suspect = false;
      if (!restored(promise)) {
        lost(promise);
        promise = null;
      }
    }
    if (promise == null) {
      first(walk, slot, owner, pool, false);
    } else if (promise.fromMs() <= nowMs) {
      due(promise, walk, slot, owner, pool);
    } else if (!promise.worthASearch() && !outOfDate(promise)) {
      keep(promise, pool);
    } else if (promise.dated()) {
      again(promise, slot, owner, pool);
    } else {
      promises.remove(promise);
      first(walk, slot, owner, pool, false);
    }
  }

  /**
   * Looks again at promises that may not hold any more, and at those that were taken over from
   * another state: those that do not hold are dropped, so that they are in nobody's way.
   */
  void begin() {
    List<Promise> doubtful = new ArrayList<>(state.takeAdopted());
    doubtful.removeIf(it -> promises.of(it.jobNumber()) != null);
    List<Promise> ours = new ArrayList<>();
    for (Promise promise : promises.all()) {
      if (promise.suspect || promise.fromMs() <= nowMs || misplaced(promise)) {
        ours.add(promise);
      }
    }
    ours.forEach(promises::remove);
    doubtful.addAll(ours);
    doubtful.sort(BY_START);
    restoreAll(doubtful);
  }

  /** True when the queue of the job is served no more, or from other nodes. */
  private boolean misplaced(Promise promise) {
    ClassState owner = promise.owner;
    return closed(owner)
        || promise.dated() && promise.held.takes().get(0).node().pool != state.poolOf(owner.queue);
  }

  private boolean closed(ClassState owner) {
    return owner.backingOff || attempts.closed(owner, state.poolOf(owner.queue)) != null;
  }

  /** Puts promises into the book in their order, those that hold beside the ones before. */
  private void restoreAll(List<Promise> inOrder) {
    List<Promise> lost = new ArrayList<>();
    for (Promise promise : inOrder) {
      promise.suspect = false;
      if (!restored(promise)) {
        lost.add(promise);
      }
    }
    // Only now, so that those that were put back hear of it too.
    lost.forEach(this::lost);
  }

  /** Puts a promise into the book if it holds. */
  private boolean restored(Promise promise) {
    if (closed(promise.owner)) {
      return false;
    }
    if (!promise.dated()) {
      promises.add(promise, null);
      return true;
    }
    Pool pool = state.poolOf(promise.owner.queue);
    if (!bench.outlook.holds(promise, pool, nowMs)) {
      return false;
    }
    promises.add(promise, bench.outlook.left(promise.held));
    promise.searchedAt = -1;
    promise.shared = true;
    return true;
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

  /** The promised time has come. */
  private void due(Promise promise, OrderWalk walk, int slot, ClassState owner, Pool pool) {
    promises.remove(promise);
    boolean onTime = nowMs - promise.fromMs() <= HoldingBook.OVERRUN_MS;
    if (onTime && bench.outlook.holds(promise, pool, nowMs)) {
      // A moment late, as every cycle is: what is planned for the time after it stays planned.
      attempts.start(slot, withChunks(promise.held), promise.toMs());
      state.holdings().relaxed(promise.held);
    } else {
      lost(promise);
      first(walk, slot, owner, pool, true);
    }
  }

  /** A job that has no promise, or had one until a moment ago. */
  private void first(OrderWalk walk, int slot, ClassState owner, Pool pool, boolean fresh) {
    boolean untried = owner.dirty || owner.shortage == null || owner.shortage.untried();
    Held held = null;
    if (promises.size() > kept && policy.endsOneByOne()) {
      countAllEnds();
    }
    if (fresh) {
      held = attempts.placeAnew(owner, pool);
    } else if (untried && owner.blockedInCycle != bench.cycle) {
      held = attempts.place(owner, pool);
    }
    if (held == null && promises.size() > kept) {
      setAside();
      held = attempts.placeAnew(owner, pool);
    }
    if (held != null) {
      attempts.start(slot, held, UsageProfile.end(nowMs, owner.shape.walltimeMs));
      putBack();
      return;
    }
    boolean first = untried && owner.blockedInCycle != bench.cycle;
    Shortage shortage = first ? attempts.shortage(owner, pool) : owner.shortage;
    owner.blockedInCycle = bench.cycle;
    Promise promise = null;
    if (attempts.never(owner, pool)) {
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

  /** What later promises leave to this job is not for it to share with those behind them. */
  private void countAllEnds() {
    List<Promise> later = new ArrayList<>();
    for (Promise promise : promises.all()) {
      if (promise.keptInCycle != bench.cycle && promise.shared && promise.dated()) {
        later.add(promise);
      }
    }
    later.forEach(promises::remove);
    later.sort(BY_START);
    restoreAll(later);
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
    searched(promise);
    promises.add(promise, held == null ? null : bench.outlook.left(held));
    made.add(promise);
    keep(promise, pool);
    return promise;
  }

  private Held search(ClassState owner, Pool pool, long beforeMs) {
    return bench.outlook.search(owner.shape, pool, nowMs, beforeMs, policy.endsOneByOne());
  }

  private void searched(Promise promise) {
    promise.searchedAt = releases.changes();
    promise.shared = policy.endsOneByOne() && releases.endingAt(promise.fromMs()) > 1;
  }

  /**
   * True when other ends than before may be those that the promise needs. That others may be left
   * more or less room then matters only where several runs end in the instant of the promise.
   */
  private boolean outOfDate(Promise promise) {
    return policy.endsOneByOne()
        && promise.dated()
        && promise.searchedAt != releases.changes()
        && (promise.shared || releases.endingAt(promise.fromMs()) > 1);
  }

  /** A job that has a promise and may come earlier. */
  private void again(Promise promise, int slot, ClassState owner, Pool pool) {
    long[][] left = promises.remove(promise);
    Held held = attempts.placeAnew(owner, pool);
    if (held != null) {
      attempts.start(slot, held, UsageProfile.end(nowMs, owner.shape.walltimeMs));
      state.holdings().relaxed(promise.held);
      return;
    }
    // With the ends one by one the time itself is searched too, for what is left then.
    boolean itself = policy.endsOneByOne();
    Held better = search(owner, pool, itself ? promise.fromMs() + 1 : promise.fromMs());
    promise.slack = bench.outlook.slack();
    promise.gain = 0;
    if (better == null || bench.outlook.foundMs() == promise.fromMs()) {
      boolean same = better != null && better.sameTakes(promise.held);
      long[][] leftNow = same ? bench.outlook.left(better) : left;
      if (moreLeft(leftNow, left)) {
        state.holdings().relaxed(promise.held);
      }
      searched(promise);
      promises.add(promise, leftNow);
      keep(promise, pool);
      return;
    }
    state.holdings().relaxed(promise.held);
    long number = promise.jobNumber();
    Promise moved = new Promise(number, owner, better, bench.outlook.foundMs(), state.names());
    moved.slack = bench.outlook.slack();
    searched(moved);
    promises.add(moved, bench.outlook.left(better));
    made.add(moved);
    keep(moved, pool);
  }

  private static boolean moreLeft(long[][] now, long[][] before) {
    for (int i = 0; i < now.length; i++) {
      for (int resource = 0; resource < now[i].length; resource++) {
        if (now[i][resource] > ResourceNames.at(before[i], resource)) {
          return true;
        }
      }
    }
    return false;
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
    lost(promise);
  }

  private void lost(Promise promise) {
    dropped.add(promise.jobNumber());
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
    restoreAll(aside);
    aside.clear();
  }

  /** Without the nodes on which the job has no chunk. */
  private static Held withChunks(Held held) {
    List<Take> takes = held.takes().stream().filter(it -> it.chunks() > 0).toList();
    return new Held(takes, held.sharing());
  }
}
