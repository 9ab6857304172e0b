package io.millrace.schedulers.engine;

import io.millrace.schemas.common.CommandId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Unanswered proposals, oldest first; all have the same time to live. */
final class InFlight {

  /** Used in place of a job number for a RecordCycle. */
  private static final long NO_JOB = -1;

  /** What a proposal asks for. */
  enum Kind {
    START,
    STOP,
    GIVE_UP,
    /** Of a reservation, which stands in the place of the job. */
    RESERVATION,
    RECORD
  }

  /** Number of the job that was proposed to start, to be stopped or given up, or a reservation. */
  record Open(Kind kind, long jobNumber, long dueNanos) {}

  private final long lifeNanos;
  private final Map<CommandId, Open> open = new LinkedHashMap<>();
  private int records;

  InFlight(long lifeNanos) {
    this.lifeNanos = lifeNanos;
  }

  int records() {
    return records;
  }

  void add(CommandId id, Kind kind, long jobNumber, long nowNanos) {
    open.put(id, new Open(kind, jobNumber, nowNanos + lifeNanos));
    if (kind == Kind.RECORD) {
      records++;
    }
  }

  void addRecord(CommandId id, long nowNanos) {
    add(id, Kind.RECORD, NO_JOB, nowNanos);
  }

  boolean isStart(CommandId id) {
    Open it = open.get(id);
    return it != null && it.kind == Kind.START;
  }

  /** Removes and returns the entry of a command id; null when it is not in flight. */
  Open remove(CommandId id) {
    Open removed = open.remove(id);
    if (removed != null && removed.kind == Kind.RECORD) {
      records--;
    }
    return removed;
  }

  /** Removes and returns the proposals that have expired; expired records are forgotten. */
  List<Open> expire(long nowNanos) {
    List<Open> expired = new ArrayList<>();
    Iterator<Open> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      Open it = oldest.next();
      if (it.dueNanos - nowNanos > 0) {
        break;
      }
      oldest.remove();
      if (it.kind == Kind.RECORD) {
        records--;
      } else {
        expired.add(it);
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
