package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.state.job.ClassState;
import java.util.List;

/** A class as limits see it: which of them hold for its jobs, and for which it waits. */
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

  /** Those of them that may be passed, which are not among the others. */
  List<LimitBound> softBounds() {
    return softBounds;
  }

  void boundBy(List<LimitBound> found) {
    bounds = found;
  }

  void softlyBoundBy(List<LimitBound> found) {
    softBounds = found;
  }

  /** Limits have changed. */
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

  /** It waits for no limit. */
  void waitNoMore() {
    if (waitsFor != null) {
      waitsFor.meter().remove(this);
      waitsFor = null;
    }
  }

  /** Place at what is counted for the limit for which it waits. */
  int meterIndex() {
    return meterIndex;
  }

  void meteredAt(int index) {
    meterIndex = index;
  }
}
