package io.millrace.connectors.local.run;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;

/**
 * How much processor time a run may use, in seconds; 0 for no limit.
 *
 * @param cputS all its processes together: the supervisor ends the run
 * @param pcputS each process: the kernel ends that process
 */
public record CpuLimits(long cputS, long pcputS) {
  public static final CpuLimits NONE = new CpuLimits(0, 0);

  /** For a supervisor 0 means no limit, so the shortest limit is 1. */
  private static final long LEAST_S = 1;

  /** The limits that a job asked for. */
  public static CpuLimits of(JobSpec spec) {
    return new CpuLimits(seconds(spec, "cput"), seconds(spec, "pcput"));
  }

  /** The limits of a task: the total of the run is not visible to the task's supervisor. */
  public CpuLimits ofTask() {
    return new CpuLimits(0, pcputS);
  }

  private static long seconds(JobSpec spec, String resource) {
    for (Attribute attribute : spec.getResourceList()) {
      if (attribute.getName().equals(resource)) {
        return Math.max(LEAST_S, seconds(attribute.getValue()));
      }
    }
    return 0;
  }

  /** Seconds of a duration in the form {@code hours:minutes:seconds}. */
  private static long seconds(String duration) {
    long seconds = 0;
    for (String part : duration.split(":")) {
      seconds = seconds * 60 + Long.parseLong(part);
    }
    return seconds;
  }
}
