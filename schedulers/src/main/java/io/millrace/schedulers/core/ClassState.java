package io.millrace.schedulers.core;

/** Jobs of one queue with identical requests. */
final class ClassState {

  final int id;

  /** Canonical text of the class. */
  final String key;

  final QueueState queue;
  final RequestShape shape;
  final JobHeap waiting = new JobHeap();

  /** Next class with the same fingerprint. */
  ClassState sameFingerprint;

  /** Jobs of this class in any state; the class is forgotten with the last. */
  int jobs;

  /** True while the next cycle has to look at it. */
  boolean dirty;

  /** True while the engine pauses after a rejection. */
  boolean backingOff;

  /** Set of watches that it stands in, null when none, and its place there. */
  WatchSet watchedIn;

  long watchAmount;

  /** Reason of the last cycle that left it waiting; null when none. */
  Shortage shortage;

  ClassState(int id, String key, QueueState queue, RequestShape shape) {
    this.id = id;
    this.key = key;
    this.queue = queue;
    this.shape = shape;
  }
}
