package io.millrace.schedulers.engine;

import io.millrace.schemas.common.CommandId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Proposals without an answer, oldest first; all have the same time to live. */
final class InFlight {

  /** Stands for the job number of a RecordCycle. */
  static final long RECORD = -1;

  /** Number of the job that was proposed to start. */
  record Open(long jobNumber, long dueNanos) {}

  private final long lifeNanos;
  private final Map<CommandId, Open> open = new LinkedHashMap<>();
  private int records;

  InFlight(long lifeNanos) {
    this.lifeNanos = lifeNanos;
  }

  int records() {
    return records;
  }

  void add(CommandId id, long jobNumber, long nowNanos) {
    open.put(id, new Open(jobNumber, nowNanos + lifeNanos));
    if (jobNumber == RECORD) {
      records++;
    }
  }

  boolean isRecord(CommandId id) {
    Open it = open.get(id);
    return it != null && it.jobNumber == RECORD;
  }

  /** Removes and returns what the id stands for; null when it is not in flight. */
  Open remove(CommandId id) {
    Open removed = open.remove(id);
    if (removed != null && removed.jobNumber == RECORD) {
      records--;
    }
    return removed;
  }

  /** Removes and returns the jobs whose proposals have expired; expired records are forgotten. */
  List<Long> expire(long nowNanos) {
    List<Long> expired = new ArrayList<>();
    Iterator<Open> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      Open it = oldest.next();
      if (it.dueNanos - nowNanos > 0) {
        break;
      }
      oldest.remove();
      if (it.jobNumber == RECORD) {
        records--;
      } else {
        expired.add(it.jobNumber);
      }
    }
    return expired;
  }

  /** Nanoseconds until the oldest expires; {@code otherwise} when nothing is in flight. */
  long nanosToExpiry(long nowNanos, long otherwise) {
    Iterator<Open> oldest = open.values().iterator();
    return oldest.hasNext() ? oldest.next().dueNanos - nowNanos : otherwise;
  }
}
