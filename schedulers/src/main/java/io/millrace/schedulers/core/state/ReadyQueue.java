package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassSet;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.PoolWatches;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.preemption.PreemptionBook;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** The classes that the next cycle has to look at, and what the other classes wait for. */
public final class ReadyQueue {

  private final ClusterBook cluster;
  private final Eligibility eligibility;
  private final PreemptionBook preemption;
  private final ReasonBook reasons;
  private final LatestTime time;
  private final ClassSet dirty = new ClassSet();

  /** Classes that wait for nodes, by pool. */
  private final Map<Pool, PoolWatches> watches = new HashMap<>();

  /** Classes that are left out of cycles for a while, by their keys. */
  private final Map<String, ClassState> pausing = new HashMap<>();

  /** Blocked classes of jobs with several kinds of chunks. */
  private final Set<ClassState> severalKinds = new LinkedHashSet<>();

  /** True when a class was left without being tried. */
  private boolean untried;

  /** True when only a change can bring the next cycle to other jobs than the last one. */
  private boolean resting;

  /**
   * When jobs may stand in another order by then; {@link Long#MAX_VALUE} if only facts move them.
   */
  private long restsUntilMs = Long.MAX_VALUE;

  ReadyQueue(
      ClusterBook cluster,
      Eligibility eligibility,
      PreemptionBook preemption,
      ReasonBook reasons,
      LatestTime time) {
    this.cluster = cluster;
    this.eligibility = eligibility;
    this.preemption = preemption;
    this.reasons = reasons;
    this.time = time;
  }

  public ClassSet dirty() {
    return dirty;
  }

  /** A pool is no more. */
  void forget(Pool pool) {
    watches.remove(pool);
  }

  /** True when a cycle would have any class to look at. */
  public boolean isDue() {
    return !resting && !dirty.isEmpty() || nodesTouched() || preemption.due();
  }

  /**
   * A cycle has looked at as many jobs as it may, and none of them starts: the next one would look
   * at the same.
   *
   * @param untilMs when others may stand first although no fact of a job has told so; {@link
   *     Long#MAX_VALUE} for never
   */
  public void rest(long untilMs) {
    resting = true;
    restsUntilMs = untilMs;
  }

  /**
   * True when a cycle has left a class without trying it since this was asked last, so that more
   * than what has changed may start.
   */
  public boolean takeUntried() {
    boolean any = untried;
    untried = false;
    return any;
  }

  /** When a cycle is due in spite of {@link #rest}; {@link Long#MAX_VALUE} for never. */
  public long restsUntilMs() {
    return restsUntilMs;
  }

  /** A waiting job has come, gone or moved. */
  public void stir() {
    resting = false;
    restsUntilMs = Long.MAX_VALUE;
  }

  /** True when more is free on some node than when classes were woken last. */
  public boolean nodesTouched() {
    for (Pool pool : cluster.pools()) {
      if (pool.hasTouched()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Wakes the classes of jobs with several kinds of chunks: first fit may find room for all of them
   * where one kind finds less, so that any change may be enough.
   */
  public void wakeSeveralKinds() {
    if (!severalKinds.isEmpty()) {
      List.copyOf(severalKinds).forEach(this::wake);
    }
  }

  /** Has the classes tried again for which preemption might now help. */
  public void wakeHopeful() {
    preemption.takeHopeful().forEach(this::wake);
  }

  /** Wakes the classes for which what has become free since the last time may be enough. */
  public void wake(BiPredicate<ClassState, List<NodeState>> enough) {
    for (Pool pool : cluster.pools()) {
      if (pool.hasTouched()) {
        List<NodeState> freer = pool.takeTouched();
        PoolWatches its = watches.get(pool);
        if (its != null) {
          its.wake(freer, enough, this::wake);
        }
      }
    }
  }

  /** Wakes a class for which enough may have become free. */
  void wake(ClassState owner) {
    owner.forgetRoom();
    if (owner.backingOff() || owner.waiting().size() == 0) {
      return;
    }
    clean(owner);
    if (cluster.serves(owner.queue())) {
      dirty.add(owner);
    } else {
      owner.woken();
      reasons.clear(owner);
    }
  }

  /** Has a class tried again from scratch: what was found out about it may no longer be true. */
  void retry(ClassState owner) {
    owner.forgetRoom();
    owner.forgetEver();
    if (!owner.backingOff()) {
      owner.woken();
      wake(owner);
    }
  }

  /** A class without waiting jobs has got one. */
  void waiting(ClassState owner) {
    stir();
    if (owner.backingOff()) {
      reasons.note(owner, owner.shortage(), time.latestMs());
    } else if (owner.shortage() == null && !owner.dirty()) {
      retry(owner);
    }
  }

  /** The last waiting job of the class has gone. */
  void drained(ClassState owner) {
    clean(owner);
    if (!owner.backingOff()) {
      owner.woken();
    }
    owner.forgetRoom();
    reasons.clear(owner);
  }

  /** Notes why a class waits that no cycle looks at now. */
  void note(ClassState owner, Shortage shortage, long nowMs) {
    reasons.note(owner, shortage, nowMs);
  }

  /** A cycle has found that no job of the class can start. */
  public void left(ClassState owner, Shortage shortage, long nowMs) {
    untried |= shortage.untried();
    reasons.note(owner, shortage, nowMs);
    clean(owner);
    owner.leftWaiting(shortage);
    Pool pool = cluster.poolOf(owner.queue());
    if (pool != null) {
      watches.computeIfAbsent(pool, PoolWatches::new).add(owner, shortage.watch());
    }
    if (shortage.limited()) {
      eligibility.await(owner);
    }
    preemption.left(owner, shortage);
    if (owner.shape().kinds().length > 1
        && shortage.watch().level() != Shortage.ShortageWatch.CHANGE) {
      severalKinds.add(owner);
    }
  }

  /**
   * Leaves a class out of cycles until {@link #endBackOff}.
   *
   * @param telling whether that is told as the reason why its jobs wait
   * @return canonical text of the class
   */
  String backOff(ClassState owner, String code, boolean telling, long nowMs) {
    clean(owner);
    owner.backOff(Shortage.untilChange(ReasonCode.BACKING_OFF, code));
    String key = reasons.keyOf(owner);
    pausing.put(key, owner);
    long noticedMs = time.notBefore(nowMs);
    if (owner.waiting().size() > 0 && telling) {
      reasons.note(owner, owner.shortage(), noticedMs);
    }
    return key;
  }

  public void endBackOff(String classKey) {
    ClassState owner = pausing.remove(classKey);
    if (owner != null) {
      owner.endBackOff();
      retry(owner);
    }
  }

  private void clean(ClassState owner) {
    stir();
    if (owner.dirty()) {
      dirty.remove(owner);
    }
    if (owner.watchedIn() != null) {
      owner.watchedIn().remove(owner);
    }
    eligibility.leave(owner);
    preemption.leave(owner);
    if (owner.shape().kinds().length > 1) {
      severalKinds.remove(owner);
    }
  }
}
