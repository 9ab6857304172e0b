package io.millrace.server.gridengine.stat;

import io.millrace.server.gateway.print.ShownText;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What stands in a line of qstat before the queue: more of it with -ext, -urg and -pri. */
final class StatColumns {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

  /** Width of a line of the plain table without the columns that can be left out. */
  private static final int RULE = 113;

  private static final String SUBTASKS = "task-ID state cpu        mem     io      stat failed ";

  private final StatOptions options;
  private final ZoneId zone;
  private final boolean extended;
  private final boolean urgency;
  private final boolean priority;
  private final boolean dated;

  StatColumns(StatOptions options, ZoneId zone) {
    this.options = options;
    this.zone = zone;
    this.extended = options.shows(Show.EXTENDED);
    this.urgency = options.shows(Show.URGENCY);
    this.priority = options.shows(Show.PRIORITY);
    this.dated = !extended || urgency;
  }

  /** The line of names and the rule below it. */
  String head() {
    boolean slots = options.shows(Show.SLOTS);
    String line =
        "job-ID  prior   "
            + (urgency || priority ? "nurg    " : "")
            + (priority ? "npprior " : "")
            + (priority || extended ? "ntckts  " : "")
            + (urgency ? "urg      rrcontr  wtcontr  dlcontr  " : "")
            + (priority ? " ppri " : "")
            + "name       user         "
            + (extended ? "project          department " : "")
            + (dated ? "state submit/start at     " : "state ")
            + (urgency ? " deadline           " : "")
            + (extended ? "cpu        mem     io      tckts ovrts otckt ftckt stckt share " : "")
            + "queue                          "
            + (slots ? "master" : "slots")
            + " ja-task-ID "
            + (options.shows(Show.SUBTASKS) ? SUBTASKS : "")
            + "\n";
    return line + "-".repeat(rule(slots)) + "\n";
  }

  /** As long as a Grid Engine's, which is not always as long as its line of names. */
  private int rule(boolean slots) {
    return RULE
        + (slots ? 1 : 0)
        + (options.shows(Show.SUBTASKS) ? SUBTASKS.length() : 0)
        + (urgency ? 64 : 0)
        + (extended ? 79 : 0)
        + (priority ? 35 : 0);
  }

  /** The columns of a row, up to the one of the queue. */
  String of(StatRow row) {
    PriorityParts figures = row.figures();
    PriorityParts.Urgency parts = figures.urgency();
    StringBuilder text = new StringBuilder(form("%7d %7.5f ", row.number(), figures.total()));
    if (urgency || priority) {
      text.append(form("%7.5f ", figures.shares().urgency()));
    }
    if (priority) {
      text.append(form("%7.5f ", figures.shares().posix()));
    }
    if (priority || extended) {
      text.append(form("%7.5f ", figures.tickets()));
    }
    if (urgency) {
      text.append(
          form(
              "%8.0f %8.0f %8.0f %8.0f ",
              parts.sum(), parts.requests(), parts.waiting(), parts.deadline()));
    }
    if (priority) {
      text.append(form("%5d ", row.job().getSpec().getPriority()));
    }
    String name = ShownText.line(row.job().getSpec().getName());
    String owner = row.job().getSpec().getOwner();
    text.append(form("%-10.10s %-12.12s ", name, owner));
    if (extended) {
      String project = row.job().getSpec().getProject();
      text.append(
          form(
              "%-16.16s %-10.10s ", project.startsWith("_") ? "NA" : project, "defaultdepartment"));
    }
    text.append(form("%-5.5s ", row.state()));
    if (dated) {
      text.append(time(row.sinceMs())).append(' ');
    }
    return text.append(urgency ? " ".repeat(20) : "").append(extended ? usage(row) : "").toString();
  }

  /** No usage is reported while a job runs, and nobody holds tickets of a policy. */
  private static String usage(StatRow row) {
    String usage = row.running() ? "NA" : "";
    return form(
        "%-10s %-7s %-7s %5d %5d %5d %5d %5d %-5.2f ", usage, usage, usage, 0, 0, 0, 0, 0, 0.0);
  }

  private static String form(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private String time(long ms) {
    return TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }
}
