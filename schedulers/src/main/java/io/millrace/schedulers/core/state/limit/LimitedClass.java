package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.state.job.ClassState;
import java.util.List;

/**
 * What run limits mean for one class: the limits that hold for it, and the one that it waits for.
 */
final class LimitedClass {

  private final ClassState owner;
  private List<LimitBound> bounds;
  private List<LimitBound> softBounds;
  private LimitBound waitsFor;
  private int meterIndex;

  LimitedClass(ClassState owner) {
    this.owner = owner;
  }

  ClassState owner() {
    return owner;
  }

  /** The limits that hold for its jobs; null when they have yet to be found. */
  List<LimitBound> bounds() {
    return bounds;
  }

  /** The soft limits that hold for its jobs; {@link #bounds()} has the hard ones. */
  List<LimitBound> softBounds() {
    return softBounds;
  }

  void boundBy(List<LimitBound> found) {
    bounds = found;
  }

  void softlyBoundBy(List<LimitBound> found) {
    softBounds = found;
  }

  /** Forgets the limits of the class, because limits have changed. */
  void forgetBounds() {
    bounds = null;
    softBounds = null;
  }

  /** The limit for which it waits; null when for none. */
  LimitBound waitsFor() {
    return waitsFor;
  }

  void waitFor(LimitBound bound) {
    waitsFor = bound;
    bound.meter().add(this);
  }

  /** The class no longer waits for a limit. */
  void waitNoMore() {
    if (waitsFor != null) {
      waitsFor.meter().remove(this);
      waitsFor = null;
    }
  }

  /** Position in the waiting list of the limit that the class waits for. */
  int meterIndex() {
    return meterIndex;
  }

  void meteredAt(int index) {
    meterIndex = index;
  }
}
