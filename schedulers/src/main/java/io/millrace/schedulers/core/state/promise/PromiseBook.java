package io.millrace.schedulers.core.state.promise;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.PlannedStart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The promises that are held, by job and by time. Keeps the promises on the nodes consistent with
 * it.
 */
public final class PromiseBook {

  private final Eligibility eligibility;
  private final Map<Long, Promise> byJob = new HashMap<>();

  /** Dated promises by start, and by end. */
  private final List<Promise> byStart = new ArrayList<>();

  private final List<Promise> byEnd = new ArrayList<>();

  private long changes;

  /**
   * @param eligibility limits, which count promised jobs
   */
  public PromiseBook(Eligibility eligibility) {
    this.eligibility = eligibility;
  }

  /** Grows whenever a promise is added or removed. */
  public long changes() {
    return changes;
  }

  public int size() {
    return byJob.size();
  }

  public Collection<Promise> all() {
    return byJob.values();
  }

  public Promise of(long number) {
    return byJob.isEmpty() ? null : byJob.get(number);
  }

  public int dated() {
    return byStart.size();
  }

  public Promise byStart(int index) {
    return byStart.get(index);
  }

  public Promise byEnd(int index) {
    return byEnd.get(index);
  }

  /** Number of promises that begin at a time or before. */
  public int startsUntil(long timeMs) {
    int low = 0;
    int high = byStart.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byStart.get(middle).fromMs() <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Number of promises that end at a time or before. */
  public int endsUntil(long timeMs) {
    int low = 0;
    int high = byEnd.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byEnd.get(middle).toMs() <= timeMs) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Start of the next promise; {@link UsageProfile#NEVER} when there is none. */
  public long nextStartMs() {
    return byStart.isEmpty() ? UsageProfile.NEVER : byStart.get(0).fromMs();
  }

  /**
   * Adds a promise.
   *
   * @param left what is left of the node of each take at the start; unused without a time
   */
  public void add(Promise promise, long[][] left) {
    changes++;
    byJob.put(promise.jobNumber(), promise);
    promise.owner().promised();
    if (!promise.dated()) {
      return;
    }
    eligibility.promise(promise.owner(), 1);
    byStart.add(startPosition(promise), promise);
    byEnd.add(endPosition(promise), promise);
    List<NodeAllocation> takes = promise.held().takes();
    for (int i = 0; i < takes.size(); i++) {
      NodeAllocation take = takes.get(i);
      take.node().promises().occupy(promise.fromMs(), promise.toMs(), take.amounts(), 1);
      take.node().promises().add(promise, promise.held().sharing(take), take.amounts(), left[i]);
    }
  }

  /** Removes a promise and returns what it left on the node of each take. */
  public long[][] remove(Promise promise) {
    changes++;
    byJob.remove(promise.jobNumber());
    promise.owner().promiseGone();
    if (!promise.dated()) {
      return new long[0][];
    }
    eligibility.promise(promise.owner(), -1);
    byStart.remove(startPosition(promise));
    byEnd.remove(endPosition(promise));
    List<NodeAllocation> takes = promise.held().takes();
    long[][] left = new long[takes.size()][];
    for (int i = 0; i < takes.size(); i++) {
      NodeAllocation take = takes.get(i);
      left[i] = take.node().promises().remove(promise);
      take.node().promises().occupy(promise.fromMs(), promise.toMs(), take.amounts(), -1);
    }
    return left;
  }

  /** Counts all promises for the limits again, after their sums were reset. */
  void recount() {
    byStart.forEach(it -> eligibility.promise(it.owner(), 1));
  }

  /** Has every promise searched again for an earlier start. */
  void searchAll() {
    byJob.values().forEach(Promise::forgetFuture);
  }

  /** Marks every promise to be checked again, because nodes have changed. */
  void suspectAll() {
    byJob.values().forEach(Promise::suspect);
  }

  private int startPosition(Promise promise) {
    int low = 0;
    int high = byStart.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (PlannedStart.before(byStart.get(middle), promise)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int endPosition(Promise promise) {
    int low = 0;
    int high = byEnd.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      Promise other = byEnd.get(middle);
      boolean before =
          other.toMs() != promise.toMs()
              ? other.toMs() < promise.toMs()
              : other.jobNumber() < promise.jobNumber();
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
