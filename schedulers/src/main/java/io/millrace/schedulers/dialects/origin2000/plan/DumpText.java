package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_END;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.PRIME_TIME_START;

import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The file of sorted jobs, in the form that programs of a site may read. */
final class DumpText {

  /** Which scheduler's form it is. */
  private static final String VERSION = "Generic Origin 2000 PBS Scheduler (version 2.2.4c)";

  private static final int[] WIDTHS = {16, 1, 8, 3, 8, 8, 9, 18};
  private static final String BLANKS = " ".repeat(18);

  private final CycleContext cycle;
  private final StringBuilder text = new StringBuilder();

  private DumpText(CycleContext cycle) {
    this.cycle = cycle;
  }

  static String of(CycleContext cycle, CycleQueues queues) {
    DumpText dump = new DumpText(cycle);
    dump.head();
    dump.section("submit", queues.submit());
    queues.external().forEach(it -> dump.section("external", it));
    queues.dedicated().forEach(it -> dump.section("dedicated", it));
    return dump.text.toString();
  }

  private void head() {
    String prime =
        cycle.primeEnforced()
            ? "from " + clock(PRIME_TIME_START) + " to " + clock(PRIME_TIME_END) + "."
            : "not enforced.";
    text.append(cycle.date()).append("\n\n").append(VERSION).append("\n\n");
    text.append("Scheduler running on '").append(cycle.rules().place().host()).append("'\n");
    text.append("Prime-time is ").append(prime).append("\n\n");
    text.append("JOBS LISTED IN ORDER FROM HIGHEST TO LOWEST PRIORITY\n\n");
  }

  private String clock(OriginOption option) {
    return OriginType.clock(cycle.config().number(option));
  }

  private void section(String kind, CycleQueue queue) {
    List<CycleJob> jobs = queue.jobs();
    if (jobs.isEmpty()) {
      return;
    }
    text.append("Jobs on ").append(kind).append(" queue '").append(queue.name()).append("':\n");
    row("Job ID", "S", "Owner", "Nds", "Walltime", "Q'd for", "Eligible", "Flags");
    row(Arrays.stream(WIDTHS).mapToObj("-"::repeat).toArray());
    jobs.forEach(this::job);
    text.append("    Total: ").append(jobs.size()).append(jobs.size() == 1 ? " job" : " jobs");
    text.append("\n\n");
    if (jobs.stream().anyMatch(DumpText::wasHeld)) {
      text.append("Jobs marked with a ``*'' have an etime different from their ctime.\n\n");
    }
  }

  private void job(CycleJob job) {
    row(
        job.id().substring(0, Math.min(WIDTHS[0], job.id().length())),
        job.state(),
        job.owner(),
        job.nodes(),
        OriginType.clock(job.walltimeS()),
        OriginType.clock(job.queuedS()),
        OriginType.clock(job.eligibleS()) + (wasHeld(job) ? "*" : ""),
        flags(job));
  }

  private static boolean wasHeld(CycleJob job) {
    return job.queuedS() != job.eligibleS();
  }

  private static String flags(CycleJob job) {
    List<String> flags = new ArrayList<>();
    if (job.given().interactive()) {
      flags.add("Int");
    }
    if (job.isSpecial()) {
      flags.add("High");
    } else if (job.isOutstanding()) {
      flags.add("Wait");
    }
    if (job.isDedicated()) {
      flags.add("Ded");
    }
    if (job.given().hpm()) {
      flags.add("HPM");
    }
    return String.join(" ", flags);
  }

  private void row(Object... cells) {
    text.append("  ");
    for (int i = 0; i < cells.length; i++) {
      int end = text.length() + WIDTHS[i];
      text.append(cells[i]);
      if (text.length() < end) {
        text.append(BLANKS, 0, end - text.length());
      }
      text.append(i < cells.length - 1 ? ' ' : '\n');
    }
  }
}
