package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/** The classes that the next cycle has to look at, and what the others wait for. */
final class Agenda {

  private final NodeTable nodes;
  private final ClusterBook cluster;
  private final Eligibility eligibility;
  private final ReasonBook reasons;
  private final ResourceNames names;
  private final LatestTime time;
  private final ClassSet dirty = new ClassSet();
  private final PreemptionBook preemption;

  /** Classes that are left out of cycles for a while, by their keys. */
  private final Map<String, ClassState> pausing = new HashMap<>();

  /** Blocked classes of jobs with several kinds of chunks. */
  private final Set<ClassState> severalKinds = new LinkedHashSet<>();

  Agenda(
      NodeTable nodes,
      ClusterBook cluster,
      Eligibility eligibility,
      ReasonBook reasons,
      ResourceNames names,
      LatestTime time) {
    this.nodes = nodes;
    this.cluster = cluster;
    this.eligibility = eligibility;
    this.reasons = reasons;
    this.names = names;
    this.time = time;
    this.preemption = new PreemptionBook(eligibility);
  }

  PreemptionBook preemption() {
    return preemption;
  }

  ClassSet dirty() {
    return dirty;
  }

  /** True when there may be anything to look at. */
  boolean isDue() {
    return !dirty.isEmpty() || nodesTouched() || preemption.due();
  }

  /** True when more is free on some node than when classes were woken last. */
  boolean nodesTouched() {
    for (Pool pool : nodes.pools()) {
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
  void wakeSeveralKinds() {
    if (!severalKinds.isEmpty()) {
      List.copyOf(severalKinds).forEach(this::wake);
    }
  }

  /** Tries those again for which others might be stopped. */
  void wakeHopeful() {
    preemption.takeHopeful().forEach(this::wake);
  }

  /** Wakes the classes for which what has become free since the last time may be enough. */
  void wake(BiPredicate<ClassState, List<NodeState>> enough) {
    for (Pool pool : nodes.pools()) {
      if (pool.hasTouched()) {
        pool.wake(enough, this::wake);
      }
    }
  }

  /** More is free that may be enough for the class. */
  void wake(ClassState owner) {
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    if (owner.backingOff || owner.waiting.size() == 0) {
      return;
    }
    clean(owner);
    if (cluster.serves(owner.queue)) {
      dirty.add(owner);
    } else {
      owner.shortage = null;
      reasons.clear(owner);
    }
  }

  /** All that is known of the class may hold no more. */
  void retry(ClassState owner) {
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    owner.ever = ClassState.Ever.UNKNOWN;
    if (!owner.backingOff) {
      owner.shortage = null;
      wake(owner);
    }
  }

  /** The class has got a waiting job. */
  void waiting(ClassState owner) {
    if (owner.backingOff) {
      reasons.note(owner, owner.shortage, time.latestMs());
    } else if (owner.shortage == null && !owner.dirty()) {
      retry(owner);
    }
  }

  /** The last waiting job of the class has gone. */
  void drained(ClassState owner) {
    clean(owner);
    if (!owner.backingOff) {
      owner.shortage = null;
    }
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    reasons.clear(owner);
  }

  /** Why the class waits, of which no job is looked at. */
  void note(ClassState owner, Shortage shortage, long nowMs) {
    reasons.note(owner, shortage, nowMs);
  }

  /** A cycle has found that no job of the class can start. */
  void left(ClassState owner, Shortage shortage, long nowMs) {
    reasons.note(owner, shortage, nowMs);
    clean(owner);
    owner.shortage = shortage;
    Pool pool = cluster.poolOf(owner.queue);
    if (pool != null) {
      pool.watch(owner, shortage.watch());
    }
    if (shortage.limited()) {
      eligibility.await(owner);
    }
    preemption.left(owner, shortage);
    if (owner.shape.kinds.length > 1 && shortage.watch().level() != Shortage.Level.CHANGE) {
      severalKinds.add(owner);
    }
  }

  /**
   * Leaves a class out of cycles until {@link #endBackOff}.
   *
   * @return canonical text of the class
   */
  String backOff(ClassState owner, String code, long nowMs) {
    clean(owner);
    owner.backingOff = true;
    owner.shortage = Shortage.untilChange(ReasonCode.BACKING_OFF, code);
    String key = owner.key(names);
    pausing.put(key, owner);
    long noticedMs = time.notBefore(nowMs);
    if (owner.waiting.size() > 0) {
      reasons.note(owner, owner.shortage, noticedMs);
    }
    return key;
  }

  void endBackOff(String classKey) {
    ClassState owner = pausing.remove(classKey);
    if (owner != null) {
      owner.backingOff = false;
      retry(owner);
    }
  }

  private void clean(ClassState owner) {
    if (owner.dirty()) {
      dirty.remove(owner);
    }
    if (owner.watchedIn != null) {
      owner.watchedIn.remove(owner);
    }
    eligibility.leave(owner);
    preemption.leave(owner);
    if (owner.shape.kinds.length > 1) {
      severalKinds.remove(owner);
    }
  }
}
