package io.millrace.server.core.engine;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.PartitionTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a scheduler object's comment says of its engine, in PBS's words. */
final class EngineComments {

  static final String NEEDS_ATTENTION = "NEEDS_ATTENTION";
  static final String READY_TO_USE = "READY_TO_USE";

  /** So many failures within {@link #FAILURES_MS} want an administrator's attention. */
  static final int FAILURES_MAX = 3;

  static final long FAILURES_MS = 3_600_000;

  private static final String UNREACHABLE = "Unable to reach scheduler associated with partition ";

  private EngineComments() {}

  /** The failures that count at this time, together with one now; at most FAILURES_MAX. */
  static List<Long> failedAgain(List<Long> before, long nowMs) {
    List<Long> failures = recent(before, nowMs);
    failures.add(nowMs);
    return List.copyOf(
        failures.subList(Math.max(0, failures.size() - FAILURES_MAX), failures.size()));
  }

  /** The failures that count at this time. */
  static List<Long> recent(List<Long> before, long nowMs) {
    List<Long> recent = new ArrayList<>(before);
    recent.removeIf(atMs -> nowMs - atMs > FAILURES_MS);
    return recent;
  }

  /** What is to be said while the engine is in this condition; empty for nothing. */
  static String of(EngineCondition condition, List<Long> failures, List<String> partitions) {
    if (failures.size() >= FAILURES_MAX) {
      return NEEDS_ATTENTION;
    }
    return condition == EngineCondition.WORKS || partitions.isEmpty()
        ? ""
        : UNREACHABLE + String.join(",", partitions);
  }

  /** Names of the partitions that a scheduler object serves. */
  static List<String> partitions(ClusterObject scheduler) {
    if (scheduler.getName().equals("default")) {
      return List.of(PartitionTable.DEFAULT_PARTITION);
    }
    return Arrays.stream(Context.attribute(scheduler, "partition", "").split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }
}
