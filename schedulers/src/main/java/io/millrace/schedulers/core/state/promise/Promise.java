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

/** The future start that cycles hold for a waiting job (resource reservation, backfill hold). */
public final class Promise implements PlannedStart {

  private static final long UNKNOWN = -1;

  private final long number;
  private final long fromMs;
  private final long toMs;
  private final JobAllocation held;
  private final ClassState owner;
  private final ResourceNames names;

  // Results of the last search.
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

  /** Allocation that the job will get; null when, as far as is known, it never starts. */
  public JobAllocation held() {
    return held;
  }

  public ClassState owner() {
    return owner;
  }

  /**
   * Records that a search has ended.
   *
   * @param upTo position in the pool's log of gains up to which no gain brings the promise forward
   * @param releases version of {@link ResourceReleases} at the search
   * @param several true when several runs end at the instant of its start
   */
  public void searched(long upTo, long releases, boolean several) {
    knownUpTo = upTo;
    searchedAt = releases;
    shared = several;
  }

  /** Records that no gain in the pool's log up to this position brings the promise forward. */
  public void unchangedUpTo(long position) {
    knownUpTo = position;
  }

  public long knownUpTo() {
    return knownUpTo;
  }

  /** Results of the last search; null when the next one has to look at all nodes. */
  public SearchMemory foresight() {
    return foresight;
  }

  public void foresee(SearchMemory known) {
    foresight = known;
  }

  /** Version of {@link ResourceReleases} at the last search. */
  public long searchedAt() {
    return searchedAt;
  }

  /** True when at the last search several runs ended at the instant of its start. */
  public boolean shared() {
    return shared;
  }

  /** The promise was put back into the book without counting the ends at its start again. */
  public void restored() {
    leftBefore = null;
    searchedAt = -1;
    shared = true;
  }

  /** The promise is out of the book for a moment; keeps what it left on its nodes, or null. */
  public void takenOut(long[][] left) {
    leftBefore = left;
  }

  public long[][] leftBefore() {
    return leftBefore;
  }

  /** A cycle, given by its number, has found that the promise still holds. */
  public void keptIn(int cycle) {
    keptInCycle = cycle;
  }

  public boolean isKeptIn(int cycle) {
    return keptInCycle == cycle;
  }

  /** True when one of its nodes has changed, so that the promise may no longer hold. */
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

  /** The planned nodes and times of a dated promise. */
  public AllocationBook.PlannedAllocation plan() {
    return new AllocationBook.PlannedAllocation(held, fromMs, toMs);
  }

  /** Discards the results of the last search, so that the next one looks at all nodes. */
  void forgetFuture() {
    knownUpTo = UNKNOWN;
    foresight = null;
  }

  @Override
  public long jobNumber() {
    return number;
  }

  /** Promised start; {@link UsageProfile#NEVER} when, as far as is known, the job never starts. */
  @Override
  public long fromMs() {
    return fromMs;
  }

  /** Latest end of the job; {@link UsageProfile#FOREVER} without an estimate. */
  @Override
  public long toMs() {
    return toMs;
  }

  /** True when the promise has a start time. */
  public boolean dated() {
    return held != null;
  }

  /** Promised shares of nodes; empty for a promise without a time. */
  public List<NodeShare> shares() {
    return held == null ? List.of() : held.shares(names);
  }
}
