package io.millrace.schedulers.core;

import io.millrace.schemas.common.ClusterObject;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Attributes of the scheduler object that an engine obeys.
 *
 * @param scheduling false stops all starts
 * @param partitions names of the partitions whose queues and nodes are this scheduler's
 * @param iterationS seconds between cycles that try everything again
 * @param accumulationS seconds by which a submission is allowed to delay its cycle
 */
public record Settings(
    boolean scheduling, Set<String> partitions, long iterationS, long accumulationS) {

  private static final long ITERATION_S = 600;

  /** Settings of an object that was not seen: nothing is scheduled. */
  static Settings absent() {
    return new Settings(false, Set.of(), ITERATION_S, 0);
  }

  static Settings of(ClusterObject scheduler) {
    boolean isDefault = scheduler.getName().equals(SchedulerState.DEFAULT_SCHEDULER);
    String scheduling =
        ObjectAttributes.text(scheduler, "scheduling", isDefault ? "True" : "False");
    Set<String> partitions = new TreeSet<>();
    if (isDefault) {
      partitions.add(SchedulerState.DEFAULT_PARTITION);
    }
    Arrays.stream(ObjectAttributes.text(scheduler, "partition", "").split(","))
        .map(String::trim)
        .filter(it -> !it.isEmpty())
        .forEach(partitions::add);
    return new Settings(
        scheduling.equalsIgnoreCase("true"),
        partitions,
        Math.max(1, ObjectAttributes.number(scheduler, "scheduler_iteration", ITERATION_S)),
        ObjectAttributes.number(scheduler, "job_accumulation_time", 0));
  }
}
