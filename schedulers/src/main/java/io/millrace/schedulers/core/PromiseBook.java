package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.timeline.UsageProfile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The promises that are held, by job and by time; keeps what their nodes know of them in step. */
final class PromiseBook {

  private final Map<Long, Promise> byJob = new HashMap<>();

  /** Dated promises by start, and by end. */
  private final List<Promise> byStart = new ArrayList<>();

  private final List<Promise> byEnd = new ArrayList<>();

  int size() {
    return byJob.size();
  }

  Collection<Promise> all() {
    return byJob.values();
  }

  Promise of(long number) {
    return byJob.isEmpty() ? null : byJob.get(number);
  }

  int dated() {
    return byStart.size();
  }

  Promise byStart(int index) {
    return byStart.get(index);
  }

  Promise byEnd(int index) {
    return byEnd.get(index);
  }

  /** Start of the next promise; {@link UsageProfile#NEVER} when there is none. */
  long nextStartMs() {
    return byStart.isEmpty() ? UsageProfile.NEVER : byStart.get(0).fromMs();
  }

  /**
   * Adds a promise.
   *
   * @param left for each of its takes what will be left of the node at the start; unused for one
   *     without a time
   */
  void add(Promise promise, long[][] left) {
    byJob.put(promise.jobNumber(), promise);
    if (!promise.dated()) {
      return;
    }
    byStart.add(startPosition(promise), promise);
    byEnd.add(endPosition(promise), promise);
    List<Take> takes = promise.held.takes();
    for (int i = 0; i < takes.size(); i++) {
      Take take = takes.get(i);
      take.node().promises.occupy(promise.fromMs(), promise.toMs(), take.amounts(), 1);
      take.node().promises.add(promise, take.amounts(), left[i]);
    }
  }

  /** Removes a promise; for each of its takes what would have been left of the node. */
  long[][] remove(Promise promise) {
    byJob.remove(promise.jobNumber());
    if (!promise.dated()) {
      return new long[0][];
    }
    byStart.remove(startPosition(promise));
    byEnd.remove(endPosition(promise));
    List<Take> takes = promise.held.takes();
    long[][] left = new long[takes.size()][];
    for (int i = 0; i < takes.size(); i++) {
      Take take = takes.get(i);
      left[i] = take.node().promises.remove(promise);
      take.node().promises.occupy(promise.fromMs(), promise.toMs(), take.amounts(), -1);
    }
    return left;
  }

  /** Amounts on a node are free for longer than was known: earlier starts may be possible. */
  void gained(Take take, Sharing sharing) {
    boolean whole = sharing != Sharing.SHARED;
    for (Promise promise : byJob.values()) {
      if (promise.gain < promise.slack) {
        boolean needsWhole = promise.owner.shape.placement.sharing() != Sharing.SHARED;
        promise.gain += whole || needsWhole ? promise.slack : gain(promise, take.amounts());
      }
    }
  }

  /** Has every promise searched again for an earlier start. */
  void searchAll() {
    byJob.values().forEach(it -> it.slack = 0);
  }

  /** Has every promise looked at again, since nodes have changed. */
  void suspectAll() {
    byJob.values().forEach(it -> it.suspect = true);
  }

  /** True when a promise may have become impossible, or may come earlier. */
  boolean anyWorthALook() {
    for (Promise promise : byJob.values()) {
      if (promise.suspect || promise.worthASearch()) {
        return true;
      }
    }
    return false;
  }

  /** Most chunks of any kind that can fit in addition when so much becomes free on a node. */
  private static long gain(Promise promise, long[] amounts) {
    long most = 0;
    for (RequestShape.Kind kind : promise.owner.shape.kinds) {
      long chunks = 0;
      for (int i = 0; i < kind.resources().length; i++) {
        long freed = ResourceNames.at(amounts, kind.resources()[i]);
        long needed = kind.amounts()[i];
        chunks =
            Math.max(chunks, freed >= needed ? (freed + needed - 1) / needed : freed > 0 ? 1 : 0);
      }
      most = Math.max(most, kind.resources().length == 0 ? 1 : chunks);
    }
    return most;
  }

  private int startPosition(Promise promise) {
    int low = 0;
    int high = byStart.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (NodePromises.before(byStart.get(middle), promise)) {
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
