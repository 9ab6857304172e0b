package io.millrace.schedulers.core;

import io.millrace.reservations.resources.RequestClass;

/** Jobs of one queue with identical requests. */
final class ClassState {

  static final int NO_KNOWLEDGE = -1;

  final int id;
  final QueueState queue;
  final RequestShape shape;

  /** By which it is found. */
  final long fingerprint;

  final JobHeap waiting = new JobHeap();

  /** Next class with the same fingerprint. */
  ClassState sameFingerprint;

  /** Jobs of this class in any state; the class is forgotten with the last. */
  int jobs;

  /** Place of its first waiting job, and where the class stands among the others. */
  long headPlace;

  long headRank;
  int orderIndex = JobTable.NONE;

  /** Place among the classes of its queue. */
  int queueIndex;

  /** True while the next cycle has to look at it. */
  boolean dirty;

  /** True while the engine pauses after a rejection. */
  boolean backingOff;

  /** Number of the last cycle that found that no job of it can start. */
  long blockedInCycle;

  /**
   * Position in the pool's log of touched nodes up to which it is known where the class has room,
   * and for how many chunks that was; {@link #NO_KNOWLEDGE} when nothing is known.
   */
  long knownUpTo = NO_KNOWLEDGE;

  int knownRoom;

  /** Whether a job of it would fit if nothing ran. */
  Ever ever = Ever.UNKNOWN;

  enum Ever {
    UNKNOWN,
    FITS,
    NEVER
  }

  /** Set of watches that it stands in, null when none, and its place there. */
  WatchSet watchedIn;

  long watchAmount;

  /** Reason of the last cycle that left it waiting; null when none. */
  Shortage shortage;

  /** What the world was told of it; null when nothing. */
  ReasonBook.Note note;

  ClassState(int id, QueueState queue, RequestShape shape, long fingerprint) {
    this.id = id;
    this.queue = queue;
    this.shape = shape;
    this.fingerprint = fingerprint;
  }

  /** Canonical text of the class; made when it is needed, which for most classes is never. */
  String key(ResourceNames names) {
    return RequestClass.key(queue.name, shape.record(names));
  }
}
