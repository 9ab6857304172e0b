package io.millrace.schedulers.core.state.promise;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodePool;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What facts mean for promises: which are lost, which are taken over from an earlier state, and
 * whether a cycle has to look at any.
 */
public final class PromiseChanges {

  private final PromiseBook promises;
  private final JobBook book;
  private final AllocationBook holdings;
  private final Eligibility eligibility;
  private final ResourceNames names;
  private final Supplier<Policy> policy;
  private final List<Promise> adopted = new ArrayList<>();

  /**
   * True when something has happened since the last cycle that can change a promise or the number
   * of promises.
   */
  private boolean touched;

  public PromiseChanges(
      PromiseBook promises,
      JobBook book,
      AllocationBook holdings,
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

  public boolean touched() {
    return touched;
  }

  /** Records that any promise may change. */
  public void touch() {
    touched |= promises.size() > 0;
  }

  /** A job has begun to wait; it may be due for the next promise. */
  public void waiting() {
    touched |= policy.get().promiseDepth() > 0 || !policy.get().passes();
  }

  /** A cycle has looked at all promises. */
  public void settled(boolean anyWorthALook) {
    touched = anyWorthALook;
  }

  /** All promises that are held, by start and job. */
  public List<Promise> all() {
    List<Promise> all = new ArrayList<>(promises.all());
    all.addAll(adopted);
    all.sort(Comparator.comparingLong(Promise::fromMs).thenComparingLong(Promise::jobNumber));
    return all;
  }

  /** Takes over a promise from an earlier state; ignored for a job that does not wait here. */
  public void adopt(long number, long fromMs, List<NodeShare> shares) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE || !book.jobs().waiting(slot)) {
      return;
    }
    Sharing sharing = book.classOf(slot).shape().placement().sharing();
    String queue = book.classOf(slot).queue().name();
    JobAllocation held = holdings.held(queue, shares, sharing);
    // When one of its nodes is lost the promise has no time until the job's turn comes.
    boolean known = !shares.isEmpty() && held.takes().size() == shares.size();
    adopt(number, known ? fromMs : UsageProfile.NEVER, known ? held : null);
  }

  private void adopt(long number, long fromMs, JobAllocation held) {
    ClassState owner = book.classOf(book.jobs().find(number));
    Promise promise = new Promise(number, owner, held, fromMs, names);
    // What it leaves on its nodes is not known yet; the next cycle computes it before relying on
    // it.
    promise.suspect();
    adopted.add(promise);
    touched = true;
  }

  public boolean hasAdopted() {
    return !adopted.isEmpty();
  }

  /**
   * Returns and clears the promises taken over since the last cycle; they are not in the book yet.
   */
  public List<Promise> takeAdopted() {
    List<Promise> taken = List.copyOf(adopted);
    adopted.clear();
    return taken;
  }

  /** Keeps every promise while jobs are moved into other classes. */
  public void over(Runnable regrouping) {
    List<Promise> kept = all();
    List.copyOf(promises.all()).forEach(promises::remove);
    adopted.clear();
    regrouping.run();
    kept.forEach(it -> adopt(it.jobNumber(), it.fromMs(), it.held()));
  }

  /**
   * Something was booked: promises for the same time are checked again. Their jobs cannot start
   * earlier for it, so what was found out about that still holds.
   */
  public void booked(Booked booked) {
    if (promises.size() == 0) {
      return;
    }
    Set<NodePool> where = new HashSet<>();
    booked.held().takes().forEach(it -> where.add(it.node().pool()));
    for (Promise promise : promises.all()) {
      if (promise.dated() && booked.fromMs() < promise.toMs() && anyIn(where, promise)) {
        touched = true;
        if (booked.toMs() > promise.fromMs()) {
          promise.suspect();
        }
      }
    }
  }

  /** Nodes that only keep their host free for the job may be of another pool than its own. */
  private static boolean anyIn(Set<NodePool> where, Promise promise) {
    JobAllocation held = promise.held();
    for (int i = 0; i < held.size(); i++) {
      if (where.contains(held.node(i).pool())) {
        return true;
      }
    }
    return false;
  }

  /** Has every promise searched again for an earlier start. */
  public void searchAll() {
    promises.searchAll();
    touch();
  }

  /**
   * Marks every promise to be checked again, because nodes, or the way ends are counted, have
   * changed.
   */
  public void suspectAll() {
    promises.suspectAll();
  }

  /** Counts all promises for the limits again. */
  public void recount() {
    promises.recount();
  }

  /** Drops the promise of a job that no longer waits, or waits in another class. */
  public void forget(long number) {
    touched |= holdsBack(policy.get());
    adopted.removeIf(it -> it.jobNumber() == number);
    Promise promise = promises.of(number);
    if (promise != null) {
      touched = true;
      promises.remove(promise);
      lost(promise);
    }
  }

  /** True when a job that does not start may keep others from being tried, promise or none. */
  private static boolean holdsBack(Policy policy) {
    SiteRules site = policy.site();
    return !policy.passes() || site != null && (site.inQueue() || policy.promiseDepth() > 0);
  }

  /** Drops all promises to jobs of a queue. */
  public void forget(QueueState queue) {
    all().stream().filter(it -> it.owner().queue() == queue).forEach(it -> forget(it.jobNumber()));
  }

  /** A promise that was removed from the book is lost: what it held is free for others. */
  public void lost(Promise promise) {
    relaxed(promise);
    if (promise.dated()) {
      eligibility.unpromised(promise.owner());
    }
  }

  /** Tells waiting classes and promises that what a promise held is free. */
  public void relaxed(Promise promise) {
    if (promise.dated()) {
      holdings.relaxed(promise.held(), promise.fromMs(), promise.toMs());
    }
  }
}
