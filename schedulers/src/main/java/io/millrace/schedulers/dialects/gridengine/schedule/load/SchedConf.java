package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerParams;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The settings of sched_conf as the run uses them. */
public final class SchedConf {

  private static final String JOB_LIST = "job_list";

  private final OptionValues settings;
  private final int promises;
  private final long usualDuration;
  private final long offset;
  private final String runtime;
  private final Map<String, String> loadAdjustments;
  private final boolean explainsAll;
  private final List<JobRange> explained;
  private final OptionValues params;

  private record JobRange(long first, long last) {

    static JobRange of(String text) {
      String[] ends = text.split("-");
      return new JobRange(Long.parseLong(ends[0]), Long.parseLong(ends[ends.length - 1]));
    }

    boolean contains(long job) {
      return first <= job && job <= last;
    }
  }

  public SchedConf(OptionValues settings) {
    this.settings = settings;
    this.params = SchedulerParams.of(settings.get("params"));
    this.promises = Integer.parseInt(settings.get("max_reservation"));
    this.usualDuration = settings.seconds("default_duration");
    this.offset = params.seconds("DURATION_OFFSET");
    this.runtime = params.get("RUNTIME").toUpperCase(Locale.ROOT);
    this.loadAdjustments = OfferedAttributes.pairs(settings.get("job_load_adjustments"));
    String informed = settings.get("schedd_job_info").toLowerCase(Locale.ROOT);
    this.explainsAll = informed.equals("true");
    this.explained =
        informed.startsWith(JOB_LIST)
            ? Stream.of(informed.substring(JOB_LIST.length()).strip().split("[,\\s]+"))
                .map(JobRange::of)
                .toList()
            : List.of();
  }

  public int promises() {
    return promises;
  }

  public int jobsPerUser() {
    return Integer.parseInt(settings.get("maxujobs"));
  }

  public long interval() {
    return settings.seconds("schedule_interval");
  }

  public boolean monitors() {
    return params.truth("MONITOR");
  }

  public boolean profiles() {
    return params.truth("PROFILE");
  }

  boolean sortsByLoad() {
    return settings.get("queue_sort_method").equalsIgnoreCase("load");
  }

  String loadFormula() {
    return settings.get("load_formula");
  }

  public Map<String, String> loadAdjustments() {
    return loadAdjustments;
  }

  long adjustmentDecay() {
    return settings.seconds("load_adjustment_decay_time");
  }

  /** Whether reasons are to be collected for a job (schedd_job_info). */
  public boolean explains(long job) {
    return explainsAll || explained.stream().anyMatch(it -> it.contains(job));
  }

  /** Assumed run time of a job in seconds, plus the offset until its resources count as free. */
  public long duration(Needs needs) {
    return withOffset(limit(needs, usualDuration));
  }

  /**
   * Assumed run time of a running task, as {@link #duration}. Since its queues are known, their
   * limits apply to a job that requested none; a job that requested one keeps its own.
   */
  public long duration(Needs needs, Iterable<Grant> grants) {
    long least = Numbers.UNLIMITED_S;
    for (Grant grant : grants) {
      least = Math.min(least, grant.queue().runtimeLimit());
    }
    long limit = limit(needs, least);
    return withOffset(limit >= Numbers.UNLIMITED_S ? usualDuration : limit);
  }

  /**
   * Runtime limit that the job requests with -l h_rt or s_rt; {@code otherwise} when it requests
   * none.
   */
  private long limit(Needs needs, long otherwise) {
    double hard = -1;
    double soft = -1;
    for (AttributeRequest request : needs.hard()) {
      if (request.complex().name().equals("h_rt")) {
        hard = request.amount();
      } else if (request.complex().name().equals("s_rt")) {
        soft = request.amount();
      }
    }
    if (hard < 0 && soft < 0) {
      return otherwise;
    }
    if (hard < 0 || soft < 0) {
      return (long) Math.max(hard, soft);
    }
    return (long)
        switch (runtime) {
          case "H_RT" -> hard;
          case "MIN" -> Math.min(hard, soft);
          default -> Math.max(hard, soft);
        };
  }

  private long withOffset(long duration) {
    return Math.min(
        Numbers.UNLIMITED_S, duration >= Numbers.UNLIMITED_S ? duration : duration + offset);
  }
}
