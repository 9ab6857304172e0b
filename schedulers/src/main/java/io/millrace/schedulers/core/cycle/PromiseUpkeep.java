package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.PromiseBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Takes promises out of the book and puts those back that hold beside the others; tells which jobs
 * have lost theirs.
 */
final class PromiseUpkeep {

  private static final Comparator<Promise> BY_START =
      Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber);

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final PromiseBook promises;
  private final StartAttempts attempts;
  private final Policy policy;
  private final long nowMs;

  /** Jobs that have lost their promise so far. */
  private final Set<Long> dropped = new LinkedHashSet<>();

  /** Reservations for which promises no longer hold, by job. */
  private final Map<Long, String> movedFor = new HashMap<>();

  /**
   * Promises of later jobs, taken out of the book while an earlier job without a promise is
   * considered.
   */
  private final List<Promise> aside = new ArrayList<>();

  /**
   * The promises of {@link #aside} in the order in which they were taken out, with what each left
   * on its nodes.
   */
  private final List<Promise> removed = new ArrayList<>();

  private final List<long[][]> removedLeft = new ArrayList<>();

  PromiseUpkeep(SchedulerBooks books, CycleSearches bench, StartAttempts attempts, long nowMs) {
    this.books = books;
    this.bench = bench;
    this.promises = books.promiseBook();
    this.attempts = attempts;
    this.policy = books.policy();
    this.nowMs = nowMs;
  }

  /** Jobs that had a promise before, have none now and do not start. */
  Set<Long> dropped() {
    if (!dropped.isEmpty()) {
      attempts.starts().forEach(it -> dropped.remove(it.jobNumber()));
      promises.all().forEach(it -> dropped.remove(it.jobNumber()));
    }
    return dropped;
  }

  /**
   * Looks again at promises that may not hold any more, and at those that were taken over from
   * another state: those that do not hold are dropped, so that they are in nobody's way.
   */
  void begin() {
    List<Promise> doubtful = new ArrayList<>(books.promiseFacts().takeAdopted());
    doubtful.removeIf(it -> promises.of(it.jobNumber()) != null);
    List<Promise> ours = new ArrayList<>();
    for (Promise promise : promises.all()) {
      if (promise.isSuspect() || promise.fromMs() <= nowMs || misplaced(promise)) {
        ours.add(promise);
      }
    }
    ours.forEach(this::takeOut);
    doubtful.addAll(ours);
    doubtful.sort(BY_START);
    restoreAll(doubtful);
  }

  /**
   * True when the scheduler no longer serves the queue of the promised job, or serves it from
   * another pool of nodes.
   */
  private boolean misplaced(Promise promise) {
    ClassState owner = promise.owner();
    return shut(promise)
        || !books.eligibility().allows(promise.owner(), promise.dated())
        || promise.dated()
            && promise.held().takes().get(0).node().pool() != books.poolOf(owner.queue());
  }

  private boolean shut(Promise promise) {
    ClassState owner = promise.owner();
    int slot = books.book().jobs().find(promise.jobNumber());
    return owner.backingOff() || attempts.shut(owner, slot, books.poolOf(owner.queue())) != null;
  }

  /** Puts promises into the book in their order, those that hold beside the ones before. */
  private void restoreAll(List<Promise> inOrder) {
    List<Promise> lost = new ArrayList<>();
    for (Promise promise : inOrder) {
      promise.trusted();
      if (!restored(promise)) {
        lost.add(promise);
      }
    }
    // Told only now, so that the promises that were put back are checked against the freed nodes
    // too.
    lost.forEach(this::lost);
  }

  /** Removes a promise that is to be {@link #restored}. */
  private long[][] takeOut(Promise promise) {
    long[][] left = promises.remove(promise);
    promise.takenOut(policy.endsOneByOne() && promise.dated() ? left : null);
    return left;
  }

  /** Puts a promise into the book if it holds. */
  private boolean restored(Promise promise) {
    if (shut(promise) || !books.eligibility().wouldAllow(promise.owner(), promise.dated())) {
      return false;
    }
    if (!promise.dated()) {
      promises.add(promise, null);
      return true;
    }
    Pool pool = books.poolOf(promise.owner().queue());
    if (!bench.earliest().holds(promise, pool, nowMs)) {
      noteReservation(promise, pool);
      return false;
    }
    long[][] left = bench.earliest().left(promise.held());
    promises.add(promise, left);
    if (promise.leftBefore() != null && PromiseMove.moreLeft(left, promise.leftBefore())) {
      // More of the ends in the instant of its start count than before.
      books.promiseFacts().relaxed(promise);
    }
    promise.restored();
    return true;
  }

  /** Notes for which reservation a promise does not hold any more, if it is for one. */
  private void noteReservation(Promise promise, Pool pool) {
    if (books.nodes().bookings().firstMs() < promise.toMs()
        && bench.earliest().wouldHoldUnbooked(promise, pool, nowMs)) {
      bench.window().at(Math.max(nowMs, promise.fromMs()), promise.toMs(), null);
      Booked booked = bench.diagnosis().inTheWay(promise.held(), promise.fromMs(), promise.toMs());
      if (booked != null) {
        movedFor.put(promise.jobNumber(), booked.name());
      }
    }
  }

  /** The reservation for which a job lost its promise in this cycle; null when none did. */
  String movedFor(long number) {
    return movedFor.get(number);
  }

  /** True when a promise, which is taken out of the book for a moment, still holds. */
  boolean stillHolds(Promise promise) {
    takeOut(promise);
    promise.trusted();
    if (restored(promise)) {
      return true;
    }
    lost(promise);
    return false;
  }

  /**
   * Puts the promises of later jobs back with all ends of runs in their instant counted, so that
   * room which they leave to this job is not given away to jobs behind it.
   */
  void countAllEnds() {
    List<Promise> later = new ArrayList<>();
    for (Promise promise : promises.all()) {
      if (!promise.isKeptIn(bench.cycle()) && promise.shared() && promise.dated()) {
        later.add(promise);
      }
    }
    later.forEach(this::takeOut);
    later.sort(BY_START);
    restoreAll(later);
  }

  /** Takes the promises of jobs that come later out of the way of one that has none. */
  void setAside() {
    for (Promise promise : promises.all()) {
      if (!promise.isKeptIn(bench.cycle()) && promise.dated()) {
        aside.add(promise);
      }
    }
    for (Promise promise : aside) {
      removedLeft.add(takeOut(promise));
      removed.add(promise);
    }
    aside.sort(BY_START);
  }

  /** Puts all promises back unchanged; for when the job that was considered took nothing. */
  void asBefore() {
    for (int i = removed.size() - 1; i >= 0; i--) {
      Promise promise = removed.get(i);
      promise.takenOut(null);
      promises.add(promise, removedLeft.get(i));
    }
    forgetAside();
  }

  private void forgetAside() {
    aside.clear();
    removed.clear();
    removedLeft.clear();
  }

  /**
   * Forgets a promise whose job has started or lost it; it may be among those that were taken out
   * of the book.
   */
  void forget(Promise promise) {
    if (!aside.remove(promise)) {
      promises.remove(promise);
    }
    books.promiseFacts().relaxed(promise);
  }

  /**
   * Puts back the promises that still hold; the others are made again when their jobs' turn comes.
   */
  void putBack() {
    restoreAll(aside);
    forgetAside();
  }

  /** Drops the promises of a class whose jobs that are still to come may not start. */
  void dropAll(ClassState owner) {
    if (owner.promises() > 0) {
      List<Promise> its = new ArrayList<>();
      for (Promise promise : promises.all()) {
        if (promise.owner() == owner && !promise.isKeptIn(bench.cycle())) {
          its.add(promise);
        }
      }
      its.forEach(this::drop);
    }
  }

  void drop(Promise promise) {
    promises.remove(promise);
    lost(promise);
  }

  void lost(Promise promise) {
    dropped.add(promise.jobNumber());
    books.preemption().touch();
    books.promiseFacts().lost(promise);
  }
}
