package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.pbs.origin.StartUsage;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/**
 * The jobs of a shard that have not ended, by number. Each takes hundreds of bytes, so that they
 * are kept only by an engine that has begun under this dialect.
 */
final class OriginTasks {

  private final Map<Long, OriginTask> tasks = new TreeMap<>();
  private boolean kept;

  /** Whether jobs that come are kept. */
  boolean kept() {
    return kept;
  }

  void keep() {
    kept = true;
  }

  /** Forgets all, and keeps none from now on. */
  void leave() {
    kept = false;
    tasks.clear();
  }

  Collection<OriginTask> all() {
    return tasks.values();
  }

  /** A run has begun, at this time in milliseconds since 1970. */
  void began(long number, long beganMs) {
    OriginTask task = task(number);
    if (task != null) {
      task.startedS = beganMs / 1000;
    }
  }

  /** The job of a number; null for one that is not known. */
  OriginTask task(long number) {
    return tasks.get(number);
  }

  void put(OriginTask task) {
    tasks.put(task.number, task);
  }

  /** Returns whether the job was known. */
  boolean remove(long number) {
    return tasks.remove(number) != null;
  }

  /** What the starts that are proposed and not yet answered will have cost, one by one. */
  void eachProposed(ObjLongConsumer<OriginTask> told) {
    for (OriginTask task : tasks.values()) {
      if (task.proposed != null) {
        told.accept(task, StartUsage.charge(task.walltimeS));
      }
    }
  }
}
