package io.millrace.ops.cycles;

import io.millrace.schemas.output.CycleDone;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The lines of a table of cycles. */
final class CycleTable {

  private static final String FORM = "%-23s %-15s %8s %-22s %7s %7s %7s %7s %7s %9s %9s %9s";

  private final DateTimeFormatter time;

  CycleTable(ZoneId zone) {
    this.time = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(zone);
  }

  static String head() {
    return String.format(
            FORM,
            "time",
            "scheduler",
            "cycle",
            "trigger",
            "jobs",
            "classes",
            "started",
            "stopped",
            "promise",
            "units",
            "wall ms",
            "cpu ms")
        .stripTrailing();
  }

  /** A cycle; of a shadow with an apostrophe behind its scheduler's name, + if it was cut short. */
  String row(CycleDone cycle) {
    return String.format(
        FORM,
        time.format(Instant.ofEpochMilli(cycle.getAtMs())),
        cycle.getScheduler() + (cycle.getEpoch() == 0 ? "'" : ""),
        cycle.getCycle(),
        cycle.getTrigger(),
        cycle.getJobs(),
        cycle.getClasses(),
        cycle.getStarted(),
        cycle.getPreempted(),
        cycle.getPromised(),
        cycle.getWorkUnits() + (cycle.getLimitHit() ? "+" : ""),
        ms(cycle.getWallUs()),
        ms(cycle.getCpuUs()));
  }

  private static String ms(long us) {
    return String.format(Locale.ROOT, "%.3f", us / 1000.0);
  }
}
