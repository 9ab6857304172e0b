package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.pbs.resources.RequestClass;

/** Jobs of one queue with identical requests. */
public final class ClassState {

  private static final int NO_KNOWLEDGE = -1;

  private final int id;
  private final QueueState queue;
  private final JobOwner account;
  private final int fingerprint;
  private final JobHeap waiting = new JobHeap();

  private RequestShape shape;
  private ClassState nextInBucket;
  private int jobs;
  private int level;

  // Positions in the heaps and sets that hold the class, so that it can be found there without a
  // search.
  private int orderIndex = JobSlots.NONE;
  private int queueIndex;
  private int dirtyIndex = JobSlots.NONE;
  private WatchSet.Group watchedIn;
  private int watchIndex;

  private boolean backingOff;

  // Two flags of a byte each, where a reference makes each class eight bytes larger.
  private boolean everAsked;
  private boolean never;

  private int blockedInCycle;
  private int helplessAt;
  private int knownRoom = NO_KNOWLEDGE;
  private int promises;
  private Shortage shortage;
  private ReasonNote note;

  ClassState(int id, QueueState queue, JobOwner account, RequestShape shape, int fingerprint) {
    this.account = account;
    this.id = id;
    this.queue = queue;
    this.shape = shape.under(queue.sets());
    this.fingerprint = fingerprint;
  }

  /** Number of the class; reused when the class has no jobs any more. */
  public int id() {
    return id;
  }

  public QueueState queue() {
    return queue;
  }

  /** Owner of its jobs, as far as limits tell owners apart. */
  public JobOwner account() {
    return account;
  }

  public RequestShape shape() {
    return shape;
  }

  /** The rule about placement sets of its queue has changed. */
  void regrouped() {
    shape = shape.under(queue.sets());
  }

  /** Hash of queue, account and request, by which {@link ClassTable} finds the class. */
  int fingerprint() {
    return fingerprint;
  }

  public JobHeap waiting() {
    return waiting;
  }

  /** True when the class holds this owner's jobs of this queue. */
  boolean of(QueueState otherQueue, JobOwner otherAccount) {
    return queue == otherQueue && account.equals(otherAccount);
  }

  /** Canonical text of the class, made on demand. */
  public String key(ResourceNames names) {
    return RequestClass.key(queue.name(), shape.record(names)) + account.key();
  }

  // Jobs of the class.

  /** True when the class has jobs in any state; it is removed with its last job. */
  boolean hasJobs() {
    return jobs > 0;
  }

  void joined() {
    jobs++;
  }

  void left() {
    jobs--;
  }

  /** Preemption level of its jobs; 0 is the highest. */
  public int level() {
    return level;
  }

  void relevel(int other) {
    level = other;
  }

  /** Number of its jobs that have a promise. */
  public int promises() {
    return promises;
  }

  public void promised() {
    promises++;
  }

  public void promiseGone() {
    promises--;
  }

  // Positions in other structures.

  /** Next class whose fingerprint falls into the same bucket. */
  ClassState nextInBucket() {
    return nextInBucket;
  }

  void chainedBefore(ClassState next) {
    nextInBucket = next;
  }

  /** Place in the heap of classes with waiting jobs; {@link JobSlots#NONE} when it is not there. */
  public int orderIndex() {
    return orderIndex;
  }

  void orderedAt(int index) {
    orderIndex = index;
  }

  /** Position among the classes of its queue. */
  int queueIndex() {
    return queueIndex;
  }

  void queuedAt(int index) {
    queueIndex = index;
  }

  /** True when the next cycle has to look at it. */
  public boolean dirty() {
    return dirtyIndex != JobSlots.NONE;
  }

  int dirtyIndex() {
    return dirtyIndex;
  }

  void dirtyAt(int index) {
    dirtyIndex = index;
  }

  /** The watch group in which the class waits; null when it waits in none. */
  public WatchSet.Group watchedIn() {
    return watchedIn;
  }

  int watchIndex() {
    return watchIndex;
  }

  void watched(WatchSet.Group group, int index) {
    watchedIn = group;
    watchIndex = index;
  }

  // Results of cycles.

  /** True while the engine pauses after a rejection. */
  public boolean backingOff() {
    return backingOff;
  }

  public void backOff(Shortage why) {
    backingOff = true;
    shortage = why;
  }

  public void endBackOff() {
    backingOff = false;
  }

  /** A cycle, given by its number, found that no job of the class can start. */
  public void blocked(int cycle) {
    blockedInCycle = cycle;
  }

  public boolean blockedIn(int cycle) {
    return blockedInCycle == cycle;
  }

  /** Records that no run can be preempted for the class in the state of this version number. */
  public void helpless(int hope) {
    helplessAt = hope;
  }

  public boolean helplessAt(int hope) {
    return helplessAt == hope;
  }

  /** True when an upper bound of the chunks with room is known. */
  public boolean roomKnown() {
    return knownRoom != NO_KNOWLEDGE;
  }

  public int knownRoom() {
    return knownRoom;
  }

  public void roomFound(int chunks) {
    knownRoom = chunks;
  }

  public void moreRoom(int chunks) {
    knownRoom += chunks;
  }

  public void forgetRoom() {
    knownRoom = NO_KNOWLEDGE;
  }

  /** True when it is known whether a job of it would fit if nothing ran. */
  public boolean everKnown() {
    return everAsked;
  }

  public boolean neverFits() {
    return never;
  }

  public void fitsWhenNothingRuns(boolean fits) {
    everAsked = true;
    never = !fits;
  }

  public void forgetEver() {
    everAsked = false;
    never = false;
  }

  /** Reason of the last cycle that left it waiting; null when none. */
  public Shortage shortage() {
    return shortage;
  }

  public void leftWaiting(Shortage why) {
    shortage = why;
  }

  /** Clears what was known to keep the class from starting. */
  public void woken() {
    shortage = null;
  }

  /** The class's entry in the {@link ReasonBook}; null when it has none. */
  public ReasonNote note() {
    return note;
  }

  void noted(ReasonNote first) {
    note = first;
  }
}
