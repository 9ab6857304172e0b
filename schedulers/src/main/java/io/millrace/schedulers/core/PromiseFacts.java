package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schemas.common.NodeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * What facts mean for promises: which are lost, which were taken over from another state, and
 * whether a cycle has to look at any.
 */
final class PromiseFacts {

  private final PromiseBook promises;
  private final JobBook book;
  private final HoldingBook holdings;
  private final Eligibility eligibility;
  private final ResourceNames names;
  private final Supplier<Policy> policy;
  private final List<Promise> adopted = new ArrayList<>();

  /** True when something has happened that can change promises or their number. */
  private boolean touched;

  PromiseFacts(
      PromiseBook promises,
      JobBook book,
      HoldingBook holdings,
      Eligibility eligibility,
      ResourceNames names,
      Supplier<Policy> policy) {
    this.promises = promises;
    this.book = book;
    this.holdings = holdings;
    this.eligibility = eligibility;
    this.names = names;
    this.policy = policy;
  }

  boolean touched() {
    return touched;
  }

  /** Something has happened that can change any promise that there is. */
  void touch() {
    touched |= promises.size() > 0;
  }

  /** A job waits that did not, to which the next promise may be due. */
  void waiting() {
    touched |= policy.get().promiseDepth() > 0 || !policy.get().passes();
  }

  /** A cycle has looked at all promises. */
  void settled(boolean anyWorthALook) {
    touched = anyWorthALook;
  }

  /** All promises that are held, by start and job. */
  List<Promise> all() {
    List<Promise> all = new ArrayList<>(promises.all());
    all.addAll(adopted);
    all.sort(Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber));
    return all;
  }

  /** One for a job that does not wait here is passed over. */
  void adopt(long number, long fromMs, List<NodeShare> shares) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE || !book.jobs().waiting(slot)) {
      return;
    }
    Sharing sharing = book.classOf(slot).shape.placement.sharing();
    Held held = holdings.held(shares, sharing);
    // On nodes of which one is lost it has no time any more, until its turn comes.
    boolean known = !shares.isEmpty() && held.takes().size() == shares.size();
    adopt(number, known ? fromMs : UsageProfile.NEVER, known ? held : null);
  }

  private void adopt(long number, long fromMs, Held held) {
    ClassState owner = book.classOf(book.jobs().find(number));
    Promise promise = new Promise(number, owner, held, fromMs, names);
    // Its left amounts are not known; the next cycle finds them before it relies on them.
    promise.suspect = true;
    adopted.add(promise);
    touched = true;
  }

  boolean hasAdopted() {
    return !adopted.isEmpty();
  }

  /** Promises that were taken over since the last cycle; they are in no book yet. */
  List<Promise> takeAdopted() {
    List<Promise> taken = List.copyOf(adopted);
    adopted.clear();
    return taken;
  }

  /** Jobs get into other classes: each keeps its promise. */
  void over(Runnable regrouping) {
    List<Promise> kept = all();
    List.copyOf(promises.all()).forEach(promises::remove);
    adopted.clear();
    regrouping.run();
    kept.forEach(it -> adopt(it.jobNumber(), it.fromMs(), it.held));
  }

  /** Has every promise searched again for an earlier start. */
  void searchAll() {
    promises.searchAll();
    touch();
  }

  /** Has every promise looked at again, since nodes or how ends count have changed. */
  void suspectAll() {
    promises.suspectAll();
  }

  /** Limits have begun to count anew. */
  void recount() {
    promises.recount();
  }

  /** A job that waited does so no longer, or as another one. */
  void forget(long number) {
    touched |= !policy.get().passes();
    adopted.removeIf(it -> it.jobNumber() == number);
    Promise promise = promises.of(number);
    if (promise != null) {
      touched = true;
      promises.remove(promise);
      lost(promise);
    }
  }

  /** A promise, no longer in the book, is lost: what it held is free for others. */
  void lost(Promise promise) {
    holdings.relaxed(promise);
    if (promise.dated()) {
      eligibility.unpromised(promise.owner);
    }
  }
}
