package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.OptionValues;

/**
 * An environment for parallel jobs.
 *
 * @param slots how many all its jobs may hold together
 * @param urgencySlots min, max, avg or a number
 */
public record ParallelEnvironment(
    String name, int slots, AllocationRule rule, String urgencySlots, ObjectAccess access) {

  public static ParallelEnvironment of(OptionValues settings) {
    return new ParallelEnvironment(
        settings.get("pe_name"),
        Integer.parseInt(settings.get("slots")),
        AllocationRule.of(settings.get("allocation_rule")),
        settings.get("urgency_slots"),
        ObjectAccess.users(settings.get("user_lists"), settings.get("xuser_lists")));
  }

  /** A copy with another number of slots. */
  public ParallelEnvironment withSlots(int others) {
    return new ParallelEnvironment(name, others, rule, urgencySlots, access);
  }
}
