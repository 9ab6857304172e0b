package io.millrace.schedulers.core;

import io.millrace.reservations.resources.RequestClass;
import java.util.List;

/** Jobs of one queue with identical requests. */
final class ClassState {

  static final int NO_KNOWLEDGE = -1;

  final int id;
  final QueueState queue;

  /** Whose its jobs are, where limits tell owners apart. */
  final Account account;

  final RequestShape shape;

  /** By which it is found. */
  final int fingerprint;

  final JobHeap waiting = new JobHeap();

  /** Next class whose fingerprint falls into the same bucket. */
  ClassState nextInBucket;

  /** Jobs of this class in any state; the class is forgotten with the last. */
  int jobs;

  /** Level of its jobs in the order of preemption; 0 is the highest. */
  int level;

  /** Place of its first waiting job, and where the class stands among the others. */
  long headPlace;

  long headRank;
  int orderIndex = JobTable.NONE;

  /** Place among the classes of its queue. */
  int queueIndex;

  /** Place among those that the next cycle has to look at. */
  int dirtyIndex = JobTable.NONE;

  /** True while the engine pauses after a rejection. */
  boolean backingOff;

  /** Number of the last cycle that found that no job of it can start. */
  int blockedInCycle;

  /** The last hope of cycles at which nobody was found who could be stopped for it. */
  int helplessAt;

  /** Chunks for which there is room at most; {@link #NO_KNOWLEDGE} when nothing is known. */
  int knownRoom = NO_KNOWLEDGE;

  /** Whether a job of it would fit if nothing ran. */
  Ever ever = Ever.UNKNOWN;

  enum Ever {
    UNKNOWN,
    FITS,
    NEVER
  }

  /** Number of its jobs that have a promise. */
  int promises;

  /** What it is watched by, null when by nothing, and its place there. */
  WatchSet.Group watchedIn;

  int watchIndex;

  /** The limits that hold for its jobs; null when they have yet to be found. */
  List<Eligibility.Bound> bounds;

  /** Those of them that may be passed, which are not among the others. */
  List<Eligibility.Bound> softBounds;

  /** The limit for which it waits, null when for none, and its place at what is counted. */
  Eligibility.Bound waitsFor;

  int meterIndex;

  /** Reason of the last cycle that left it waiting; null when none. */
  Shortage shortage;

  /** What the {@link ReasonBook} has noted: the reason, since when it is of its kind, and when. */
  Shortage noted;

  long notedSinceMs;
  long notedMs;

  /** True when the world was told of any reason, and when it is to be told of this one. */
  boolean told;

  boolean untold;

  /** When it will end by what the world was told; {@link Shortage#UNKNOWN} when that is nothing. */
  long toldUntilMs = Shortage.UNKNOWN;

  /** True while it stands among those of which the world is told, or was. */
  boolean queued;

  ClassState(int id, QueueState queue, Account account, RequestShape shape, int fingerprint) {
    this.account = account;
    this.id = id;
    this.queue = queue;
    this.shape = shape;
    this.fingerprint = fingerprint;
  }

  /** True when it is a class of jobs of an owner in a queue. */
  boolean of(QueueState otherQueue, Account otherAccount) {
    return queue == otherQueue && account.equals(otherAccount);
  }

  boolean dirty() {
    return dirtyIndex != JobTable.NONE;
  }

  /** Canonical text of the class; made when it is needed, which for most classes is never. */
  String key(ResourceNames names) {
    return RequestClass.key(queue.name, shape.record(names)) + account.key();
  }
}
