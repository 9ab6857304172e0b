package io.millrace.schedulers.core.state.promise;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * What facts mean for promises: which are lost, which were taken over from another state, and
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

  /** True when something has happened that can change promises or their number. */
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

  /** Something has happened that can change any promise that there is. */
  public void touch() {
    touched |= promises.size() > 0;
  }

  /** A job waits that did not, to which the next promise may be due. */
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

  /** One for a job that does not wait here is passed over. */
  public void adopt(long number, long fromMs, List<NodeShare> shares) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE || !book.jobs().waiting(slot)) {
      return;
    }
    Sharing sharing = book.classOf(slot).shape().placement().sharing();
    JobAllocation held = holdings.held(shares, sharing);
    // On nodes of which one is lost it has no time any more, until its turn comes.
    boolean known = !shares.isEmpty() && held.takes().size() == shares.size();
    adopt(number, known ? fromMs : UsageProfile.NEVER, known ? held : null);
  }

  private void adopt(long number, long fromMs, JobAllocation held) {
    ClassState owner = book.classOf(book.jobs().find(number));
    Promise promise = new Promise(number, owner, held, fromMs, names);
    // Its left amounts are not known; the next cycle finds them before it relies on them.
    promise.suspect();
    adopted.add(promise);
    touched = true;
  }

  public boolean hasAdopted() {
    return !adopted.isEmpty();
  }

  /** Promises that were taken over since the last cycle; they are in no book yet. */
  public List<Promise> takeAdopted() {
    List<Promise> taken = List.copyOf(adopted);
    adopted.clear();
    return taken;
  }

  /** Jobs get into other classes: each keeps its promise. */
  public void over(Runnable regrouping) {
    List<Promise> kept = all();
    List.copyOf(promises.all()).forEach(promises::remove);
    adopted.clear();
    regrouping.run();
    kept.forEach(it -> adopt(it.jobNumber(), it.fromMs(), it.held()));
  }

  /** Has every promise searched again for an earlier start. */
  public void searchAll() {
    promises.searchAll();
    touch();
  }

  /** Has every promise looked at again, since nodes or how ends count have changed. */
  public void suspectAll() {
    promises.suspectAll();
  }

  /** Limits have begun to count anew. */
  public void recount() {
    promises.recount();
  }

  /** A job that waited does so no longer, or as another one. */
  public void forget(long number) {
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
  public void lost(Promise promise) {
    relaxed(promise);
    if (promise.dated()) {
      eligibility.unpromised(promise.owner());
    }
  }

  /** What a promise held is free for others. */
  public void relaxed(Promise promise) {
    if (promise.dated()) {
      holdings.relaxed(promise.held(), promise.fromMs(), promise.toMs());
    }
  }
}
