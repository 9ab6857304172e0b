package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schemas.pbs.origin.Outage;
import java.time.ZoneId;
import java.util.Optional;

/** Whether a job's time meets a dedicated time. */
final class DedicatedRule {

  private final ZoneId zone;

  DedicatedRule(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * Why a job may not start at a time; empty when it may.
   *
   * @param next the dedicated time in or before which the time lies
   */
  Optional<String> refusal(CycleJob job, long time, Optional<Outage> next) {
    if (next.isEmpty()) {
      return Optional.empty();
    }
    Outage outage = next.get();
    long ends = time + job.walltimeS();
    if (time < outage.begin()) {
      return ends >= outage.begin()
          ? text("Can't complete before next dedicated time", outage.name(), outage.begin())
          : Optional.empty();
    }
    if (!job.isDedicated()) {
      return text("Waiting for end of dedicated time", outage.name(), outage.end());
    }
    return ends >= outage.end()
        ? text("Can't complete within this dedicated time", outage.name(), outage.end())
        : Optional.empty();
  }

  private Optional<String> text(String what, String host, long time) {
    return Optional.of(what + " (" + host + " " + Outage.written(time, zone) + ")");
  }
}
