package io.millrace.schedulers.core.state.promise;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.PlannedStart;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.List;

/** The future start that cycles hold for a waiting job. */
public final class Promise implements PlannedStart {

  private static final long UNKNOWN = -1;

  private final long number;
  private final long fromMs;
  private final long toMs;
  private final JobAllocation held;
  private final ClassState owner;
  private final ResourceNames names;

  // What the last search has found out.
  private long knownUpTo = UNKNOWN;
  private SearchMemory foresight;
  private long searchedAt;
  private boolean shared;

  private long[][] leftBefore;
  private int keptInCycle;
  private boolean suspect;

  public Promise(
      long number, ClassState owner, JobAllocation held, long fromMs, ResourceNames names) {
    this.names = names;
    this.number = number;
    this.owner = owner;
    this.held = held;
    this.fromMs = fromMs;
    this.toMs = UsageProfile.end(fromMs, owner.shape().walltimeMs());
  }

  /** What it will get; null when by what is known it never starts. */
  public JobAllocation held() {
    return held;
  }

  public ClassState owner() {
    return owner;
  }

  /**
   * A search has ended.
   *
   * @param upTo position in the pool's log of gains up to which it is known that none brings it
   *     forward
   * @param releases state of {@link ResourceReleases} for which it was searched
   * @param several true when several runs are to end at its start
   */
  public void searched(long upTo, long releases, boolean several) {
    knownUpTo = upTo;
    searchedAt = releases;
    shared = several;
  }

  /** Nothing in the pool's log of gains up to a position brings it forward. */
  public void unchangedUpTo(long position) {
    knownUpTo = position;
  }

  public long knownUpTo() {
    return knownUpTo;
  }

  /** What is known from the last search; null when the next one has to look at everything. */
  public SearchMemory foresight() {
    return foresight;
  }

  public void foresee(SearchMemory known) {
    foresight = known;
  }

  /** State of {@link ResourceReleases} for which it was searched last. */
  public long searchedAt() {
    return searchedAt;
  }

  /** True when then several runs were to end at its start. */
  public boolean shared() {
    return shared;
  }

  /** It is in the book again, for which ends at its start was not looked at. */
  public void restored() {
    leftBefore = null;
    searchedAt = -1;
    shared = true;
  }

  /** It is out of the book for a moment; what it left of its nodes, or null. */
  public void takenOut(long[][] left) {
    leftBefore = left;
  }

  public long[][] leftBefore() {
    return leftBefore;
  }

  /** A cycle, given by its number, has found it still to hold. */
  public void keptIn(int cycle) {
    keptInCycle = cycle;
  }

  public boolean isKeptIn(int cycle) {
    return keptInCycle == cycle;
  }

  /** True when nodes of it have changed, so that it may hold no longer. */
  public boolean isSuspect() {
    return suspect;
  }

  @Override
  public void suspect() {
    suspect = true;
  }

  public void trusted() {
    suspect = false;
  }

  @Override
  public Sharing sharingOn(int node) {
    return held.sharingOn(node);
  }

  /** What is planned for its job, which has a time. */
  public AllocationBook.Plan plan() {
    return new AllocationBook.Plan(held, fromMs, toMs);
  }

  /** Has an earlier start looked for among everything. */
  void forgetFuture() {
    knownUpTo = UNKNOWN;
    foresight = null;
  }

  @Override
  public long jobNumber() {
    return number;
  }

  /** Time of the start; {@link UsageProfile#NEVER} when by what is known the job never starts. */
  @Override
  public long fromMs() {
    return fromMs;
  }

  /** When the job will have ended at the latest; {@link UsageProfile#FOREVER} when nobody knows. */
  @Override
  public long toMs() {
    return toMs;
  }

  /** True when there is a time. */
  public boolean dated() {
    return held != null;
  }

  /** What the job will get of which nodes; empty without a time. */
  public List<NodeShare> shares() {
    return held == null ? List.of() : held.shares(names);
  }
}
