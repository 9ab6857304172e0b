package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.Offers;
import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import io.millrace.schedulers.dialects.gridengine.options.SchedulerParams;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.ResourceRequest;
import java.util.Locale;
import java.util.Map;

/** The settings of sched_conf as the run uses them. */
final class Policy {

  private final Settings settings;
  private final Settings params;

  Policy(Settings settings) {
    this.settings = settings;
    this.params = SchedulerParams.of(settings.get("params"));
  }

  int promises() {
    return Integer.parseInt(settings.get("max_reservation"));
  }

  int jobsPerUser() {
    return Integer.parseInt(settings.get("maxujobs"));
  }

  long interval() {
    return settings.seconds("schedule_interval");
  }

  boolean monitors() {
    return params.truth("MONITOR");
  }

  boolean profiles() {
    return params.truth("PROFILE");
  }

  boolean sortsByLoad() {
    return settings.get("queue_sort_method").equalsIgnoreCase("load");
  }

  String loadFormula() {
    return settings.get("load_formula");
  }

  Map<String, String> loadAdjustments() {
    return Offers.pairs(settings.get("job_load_adjustments"));
  }

  long adjustmentDecay() {
    return settings.seconds("load_adjustment_decay_time");
  }

  double weight(String of) {
    return settings.number("weight_" + of);
  }

  /** Whether reasons are collected for a job. */
  boolean explains(long job) {
    String value = settings.get("schedd_job_info").toLowerCase(Locale.ROOT);
    if (value.startsWith("job_list")) {
      return java.util.List.of(value.substring(8).strip().split("[,\\s]+"))
          .contains(String.valueOf(job));
    }
    return value.equals("true");
  }

  /** Assumed runtime with the offset until the resources are free again, in seconds. */
  long duration(Needs needs) {
    return withOffset(limit(needs, settings.seconds("default_duration")));
  }

  /** As {@link #duration}, for a task that runs where a queue may limit it further. */
  long duration(Needs needs, Iterable<Grant> grants) {
    long least = limit(needs, Numbers.UNLIMITED_S);
    for (Grant grant : grants) {
      least = Math.min(least, grant.queue().runtimeLimit());
    }
    return withOffset(least >= Numbers.UNLIMITED_S ? settings.seconds("default_duration") : least);
  }

  private long limit(Needs needs, long otherwise) {
    double hard = needs.hard("h_rt").map(ResourceRequest::amount).orElse(-1.0);
    double soft = needs.hard("s_rt").map(ResourceRequest::amount).orElse(-1.0);
    if (hard < 0 && soft < 0) {
      return otherwise;
    }
    if (hard < 0 || soft < 0) {
      return (long) Math.max(hard, soft);
    }
    return (long)
        switch (params.get("RUNTIME").toUpperCase(Locale.ROOT)) {
          case "H_RT" -> hard;
          case "MIN" -> Math.min(hard, soft);
          default -> Math.max(hard, soft);
        };
  }

  private long withOffset(long duration) {
    return Math.min(
        Numbers.UNLIMITED_S,
        duration >= Numbers.UNLIMITED_S ? duration : duration + params.seconds("DURATION_OFFSET"));
  }
}
