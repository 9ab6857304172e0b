package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;

/** Moves a promise to the earliest time before the promised one at which its job can start. */
final class PromiseMove {

  private final SchedulerState state;
  private final Workbench bench;
  private final PromiseBook promises;
  private final Releases releases;
  private final Attempts attempts;
  private final Policy policy;
  private final long nowMs;

  PromiseMove(SchedulerState state, Attempts attempts, long nowMs) {
    this.state = state;
    this.bench = state.bench();
    this.promises = state.promiseBook();
    this.releases = state.holdings().releases();
    this.attempts = attempts;
    this.policy = state.policy();
    this.nowMs = nowMs;
  }

  /** True when another promise than this one may be possible. */
  boolean due(Promise promise, Pool pool) {
    return mayComeEarlier(promise, pool) || outOfDate(promise) || fickle(promise.owner);
  }

  /** Makes a promise for a job that has none. */
  Promise make(int slot, ClassState owner, Pool pool) {
    Held held = search(owner, pool, UsageProfile.NEVER);
    long number = state.book().jobs().number(slot);
    long fromMs = held == null ? UsageProfile.NEVER : bench.outlook.foundMs();
    Promise promise = new Promise(number, owner, held, fromMs, state.names());
    if (held != null && !policy.endsOneByOne()) {
      promise.foresight = bench.outlook.foresight(held);
    }
    searched(promise, pool);
    promises.add(promise, held == null ? null : bench.outlook.left(held));
    return promise;
  }

  /**
   * Looks for an earlier start.
   *
   * @return the promise that holds now; null when the job starts
   */
  Promise earlier(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner;
    if (policy.endsOneByOne()) {
      return earlierOneByOne(promise, slot, pool);
    }
    if (!fickle(owner) && !EarlierStart.worthALook(promise, pool, nowMs)) {
      return promise;
    }
    long[][] left = promises.remove(promise);
    boolean known = EarlierStart.remembers(promise, pool);
    long fromMs = known ? bench.earlier.possibleFrom(promise, pool, nowMs) : nowMs;
    if (fromMs <= nowMs && startsNow(promise, slot, pool)) {
      return null;
    }
    Held better = null;
    if (!known) {
      better = search(owner, pool, promise.fromMs());
    } else if (fromMs < promise.fromMs()) {
      better = bench.earlier.search();
    }
    if (better != null) {
      long foundMs = known ? bench.earlier.foundMs() : bench.outlook.foundMs();
      Promise moved = new Promise(promise.jobNumber(), owner, better, foundMs, state.names());
      moved.foresight = known ? bench.earlier.foresight(better) : bench.outlook.foresight(better);
      return moved(promise, moved, pool);
    }
    if (!known) {
      promise.foresight = bench.outlook.foresight(promise);
    } else {
      boolean looked = fromMs < promise.fromMs();
      promise.foresight = looked ? bench.earlier.foresight(null) : bench.earlier.stays();
    }
    searched(promise, pool);
    promises.add(promise, left);
    return promise;
  }

  private boolean startsNow(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner;
    Held held = attempts.placeAnew(owner, pool);
    if (held != null) {
      long endMs = UsageProfile.end(nowMs, owner.shape.walltimeMs);
      attempts.start(slot, held, endMs);
      freed(promise, held, nowMs, endMs);
    }
    return held != null;
  }

  /** What a promise held is free where what has taken its place does not hold it. */
  private void freed(Promise before, Held held, long fromMs, long toMs) {
    state.preemption().touch();
    if (policy.endsOneByOne()) {
      // Other ends count now than did: more may be left although the same is held.
      state.holdings().relaxed(before);
    } else {
      state.holdings().moved(before, held, fromMs, toMs);
    }
  }

  /** Another promise takes the place of one that was removed; the window is at its beginning. */
  private Promise moved(Promise before, Promise now, Pool pool) {
    promises.add(now, bench.outlook.left(now.held));
    freed(before, now.held, now.fromMs(), now.toMs());
    searched(now, pool);
    return now;
  }

  /** The same where of several ends in an instant only those count that the promise needs. */
  private Promise earlierOneByOne(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner;
    long[][] left = promises.remove(promise);
    if (startsNow(promise, slot, pool)) {
      return null;
    }
    // With the ends one by one the time itself is searched too, for what is left then.
    Held better = search(owner, pool, promise.fromMs() + 1);
    if (better != null && bench.outlook.foundMs() < promise.fromMs()) {
      long foundMs = bench.outlook.foundMs();
      long number = promise.jobNumber();
      Promise now = new Promise(number, owner, better, foundMs, state.names());
      return moved(promise, now, pool);
    }
    if (better == null || !better.sameTakes(promise.held)) {
      // Which ends it needs is known of other nodes only: all of the instant count.
      bench.window.at(promise.fromMs(), promise.toMs(), null);
    }
    long[][] leftNow = bench.outlook.left(promise.held);
    if (moreLeft(leftNow, left)) {
      state.holdings().relaxed(promise);
    }
    searched(promise, pool);
    promises.add(promise, leftNow);
    return promise;
  }

  /** True when there is more of anything than before. */
  static boolean moreLeft(long[][] now, long[][] before) {
    for (int i = 0; i < now.length; i++) {
      for (int resource = 0; resource < now[i].length; resource++) {
        if (now[i][resource] > ResourceNames.at(before[i], resource)) {
          return true;
        }
      }
    }
    return false;
  }

  private Held search(ClassState owner, Pool pool, long beforeMs) {
    return bench.outlook.search(owner.shape, pool, nowMs, beforeMs, policy.endsOneByOne());
  }

  private void searched(Promise promise, Pool pool) {
    promise.knownUpTo = pool.gains().end();
    promise.searchedAt = releases.changes();
    promise.shared = policy.endsOneByOne() && releases.endingAt(promise.fromMs()) > 1;
  }

  /** True when something has become free since it was searched. */
  static boolean mayComeEarlier(Promise promise, Pool pool) {
    return promise.knownUpTo != pool.gains().end();
  }

  /**
   * True for a job of several kinds of chunks: first fit may find room for all where one kind finds
   * less. So it is searched whatever has changed.
   */
  private static boolean fickle(ClassState owner) {
    return owner.shape.kinds.length > 1;
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
}
