package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.EarlierStartSearch;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.PromiseBook;

/** Moves a promise to the earliest time before the promised one at which its job can start. */
final class PromiseMove {

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final PromiseBook promises;
  private final ResourceReleases releases;
  private final StartAttempts attempts;
  private final Policy policy;

  /** When jobs may run; null for always. */
  private final Calendar calendar;

  /**
   * True when the calendar, if there is any, says the same at all times to come; otherwise what
   * earlier searches found is not kept.
   */
  private final boolean steady;

  /** How roughly starts are worked out; 0 for exactly. */
  private final long fuzzMs;

  private final long nowMs;

  PromiseMove(SchedulerBooks books, CycleSearches bench, StartAttempts attempts, long nowMs) {
    this.books = books;
    this.bench = bench;
    this.promises = books.promiseBook();
    this.releases = books.holdings().releases();
    this.attempts = attempts;
    this.policy = books.policy();
    this.nowMs = nowMs;
    this.fuzzMs = books.settings().fuzzMs();
    SiteRules site = policy.site();
    this.calendar = site == null ? null : site.calendar();
    this.steady = calendar == null || calendar.nextChangeMs(nowMs) == Long.MAX_VALUE;
  }

  /** True when another promise than this one may be possible. */
  boolean due(Promise promise, Pool pool) {
    return mayComeEarlier(promise, pool) || outOfDate(promise) || fickle(promise.owner());
  }

  /** Makes a promise for a job that has none. */
  Promise make(int slot, ClassState owner, Pool pool) {
    JobAllocation held = search(owner, pool, UsageProfile.NEVER);
    long number = books.book().jobs().number(slot);
    long fromMs = held == null ? UsageProfile.NEVER : bench.earliest().foundMs();
    Promise promise = new Promise(number, owner, held, fromMs, books.names());
    if (held != null && !policy.endsOneByOne() && foreseeable()) {
      promise.foresee(bench.earliest().foresight(held));
    }
    searched(promise, pool);
    promises.add(promise, held == null ? null : bench.earliest().left(held));
    return promise;
  }

  /**
   * Looks for an earlier start.
   *
   * @return the promise that holds now; null when the job starts
   */
  Promise earlier(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner();
    if (policy.endsOneByOne()) {
      return earlierOneByOne(promise, slot, pool);
    }
    if (!fickle(owner) && !EarlierStartSearch.worthALook(promise, pool, nowMs)) {
      return promise;
    }
    long[][] left = promises.remove(promise);
    boolean known = EarlierStartSearch.remembers(promise, pool);
    long fromMs = known ? bench.earlier().possibleFrom(promise, pool, nowMs) : nowMs;
    if (fromMs <= nowMs && startsNow(promise, slot, pool)) {
      return null;
    }
    JobAllocation better = null;
    if (!known) {
      better = search(owner, pool, promise.fromMs() - fuzzMs);
    } else if (fromMs < promise.fromMs()) {
      better = bench.earlier().search();
    }
    if (better != null) {
      long foundMs = known ? bench.earlier().foundMs() : bench.earliest().foundMs();
      Promise moved = new Promise(promise.jobNumber(), owner, better, foundMs, books.names());
      moved.foresee(
          !foreseeable()
              ? null
              : known ? bench.earlier().foresight(better) : bench.earliest().foresight(better));
      return moved(promise, moved, pool);
    }
    if (!known) {
      promise.foresee(foreseeable() ? bench.earliest().foresight(promise) : null);
    } else {
      boolean looked = fromMs < promise.fromMs();
      promise.foresee(looked ? bench.earlier().foresight(null) : bench.earlier().stays());
    }
    searched(promise, pool);
    promises.add(promise, left);
    return promise;
  }

  private boolean startsNow(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner();
    JobAllocation held = attempts.placeAnew(owner, pool);
    if (held != null) {
      long endMs = UsageProfile.end(nowMs, owner.shape().walltimeMs());
      attempts.start(slot, held, endMs);
      freed(promise, held, nowMs, endMs);
    }
    return held != null;
  }

  /**
   * Marks as free what the old promise held on its nodes and the new promise, or the start, does
   * not.
   */
  private void freed(Promise before, JobAllocation held, long fromMs, long toMs) {
    books.preemption().touch();
    if (policy.endsOneByOne()) {
      // Other ends of runs count for the new promise, so it may leave more room even on the same
      // nodes.
      books.promiseFacts().relaxed(before);
    } else {
      books
          .holdings()
          .moved(before.plan(), new AllocationBook.PlannedAllocation(held, fromMs, toMs));
    }
  }

  /**
   * Replaces a promise that was taken out of the book by an earlier one; the window stands at the
   * new start.
   */
  private Promise moved(Promise before, Promise now, Pool pool) {
    promises.add(now, bench.earliest().left(now.held()));
    freed(before, now.held(), now.fromMs(), now.toMs());
    searched(now, pool);
    return now;
  }

  /**
   * Looks for an earlier start under a policy with {@link Policy#endsOneByOne}: of several runs
   * that end in the same instant, only those that the promise needs count as ended.
   */
  private Promise earlierOneByOne(Promise promise, int slot, Pool pool) {
    ClassState owner = promise.owner();
    long[][] left = promises.remove(promise);
    if (startsNow(promise, slot, pool)) {
      return null;
    }
    // With the ends counted one by one, the promised instant itself is searched too: fewer ends may
    // be enough, which leaves more room for others.
    JobAllocation better = search(owner, pool, promise.fromMs() + 1);
    if (better != null && bench.earliest().foundMs() < promise.fromMs()) {
      long foundMs = bench.earliest().foundMs();
      long number = promise.jobNumber();
      Promise now = new Promise(number, owner, better, foundMs, books.names());
      return moved(promise, now, pool);
    }
    if (better == null || !better.sameTakes(promise.held())) {
      // The ends that the old promise needs are known for its own nodes only, so here all ends of
      // the instant count.
      bench.window().at(promise.fromMs(), promise.toMs(), null);
    }
    long[][] leftNow = bench.earliest().left(promise.held());
    if (moreLeft(leftNow, left)) {
      books.promiseFacts().relaxed(promise);
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

  private JobAllocation search(ClassState owner, Pool pool, long beforeMs) {
    bench.earliest().within(calendar, owner.queue().name());
    bench.earliest().roughly(fuzzMs);
    long lastMs = Math.min(beforeMs, books.reservationFacts().endMs(owner.queue().name()));
    return bench.earliest().search(owner.shape(), pool, nowMs, lastMs, policy.endsOneByOne());
  }

  private void searched(Promise promise, Pool pool) {
    boolean several = policy.endsOneByOne() && releases.endingAt(promise.fromMs()) > 1;
    promise.searched(pool.gains().end(), releases.changes(), several);
  }

  /**
   * True when what a search finds out holds for later ones: all times are gone through, and no
   * calendar changes.
   */
  private boolean foreseeable() {
    return steady && fuzzMs == 0;
  }

  /** True when something has become free since it was searched. */
  static boolean mayComeEarlier(Promise promise, Pool pool) {
    return promise.knownUpTo() != pool.gains().end();
  }

  /**
   * True for a job with several kinds of chunks. First fit is not monotonous for it: with less free
   * it may find room where it found none before, so it is searched again after any change.
   */
  private static boolean fickle(ClassState owner) {
    return owner.shape().kinds().length > 1;
  }

  /**
   * True when the set of ends that the promise counts on may have changed. This matters only where
   * several runs end in the instant of the promise.
   */
  private boolean outOfDate(Promise promise) {
    return policy.endsOneByOne()
        && promise.dated()
        && promise.searchedAt() != releases.changes()
        && (promise.shared() || releases.endingAt(promise.fromMs()) > 1);
  }
}
