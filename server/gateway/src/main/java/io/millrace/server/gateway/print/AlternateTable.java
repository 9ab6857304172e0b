package io.millrace.server.gateway.print;

import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The alternate table of qstat (-a and its kin): rows of what jobs ask for, with lines below. */
public final class AlternateTable {

  /**
   * What the rows show.
   *
   * @param wide wide columns, and more of a comment
   * @param starts when waiting jobs are expected to start, in place of the time that they have run
   * @param oneLine what would stand on lines below follows on the row
   */
  public record AlternateForm(boolean wide, boolean starts, boolean oneLine, SizeUnit sizes) {}

  private static final String ROW = "%-15s %-8s %-8s %-10s %6s %3s %3s %6s %5s %s %5s";
  private static final String WIDE_ROW = "%-30s %-15s %-15s %-15s %8s %4s %5s %6s %5s %s %5s";

  private static final String TITLES =
      """
      Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time
      --------------- -------- -------- ---------- ------ --- --- ------ ----- - -----
      """;

  private static final String WIDE_TITLES =
      """
      Job ID                         Username        Queue           Jobname         SessID   NDS  TSK   Memory Time  S Time
      ------------------------------ --------------- --------------- --------------- -------- ---- ----- ------ ----- - -----
      """;

  private static final String NONE = " -- ";
  private static final int LINE = 77;
  private static final int COMMENT = 74;
  private static final int WIDE_COMMENT = 114;
  private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");

  private final AlternateForm form;
  private final Times times;
  private final long nowMs;

  /**
   * A table of jobs as they are at a time.
   *
   * @param nowMs to tell how long a running job has run
   */
  public AlternateTable(AlternateForm form, Times times, long nowMs) {
    this.form = form;
    this.times = times;
    this.nowMs = nowMs;
  }

  public String head(String server) {
    String indent = " ".repeat(form.wide() ? 99 : 60);
    return "\n"
        + server
        + ": \n"
        + (form.starts() ? indent + " ".repeat(15) + "Est\n" : "")
        + indent
        + "Req'd  Req'd   "
        + (form.starts() ? "Start\n" : "Elap\n")
        + (form.wide() ? WIDE_TITLES : TITLES);
  }

  /**
   * All that is shown of a job, to the end of its last line.
   *
   * @param start when it is expected to start
   * @param hosts whether it is shown where it runs
   * @param comment its comment; null when none is to be shown
   */
  public String entry(Job job, OptionalLong start, boolean hosts, String comment) {
    StringBuilder out = new StringBuilder(row(job, start));
    out.append(form.oneLine() ? " " : "\n");
    if (hosts) {
      hosts(out, job.getAllocation() == null ? NONE : job.getAllocation().getExecHost());
    }
    if (comment != null) {
      out.append("   ").append(comment.isEmpty() ? NONE : cutComment(comment)).append('\n');
    }
    return out.toString();
  }

  private String row(Job job, OptionalLong start) {
    boolean wide = form.wide();
    boolean running = job.getStatus() == JobStatus.RUNNING;
    String time = JobAttributeText.resource(job, time(job)).orElse("");
    return String.format(
        wide ? WIDE_ROW : ROW,
        JobTables.cut(job.getId(), wide ? 30 : 15),
        JobTables.cut(job.getSpec().getOwner(), wide ? 15 : 8),
        JobTables.cut(job.getSpec().getQueue(), wide ? 15 : 8),
        JobTables.cut(job.getSpec().getName(), wide ? 15 : 10),
        running && job.getSessionId() > 0
            ? JobTables.cut(Long.toString(job.getSessionId()), wide ? 8 : 6)
            : NONE,
        count(job, "nodect", wide ? 4 : 3),
        count(job, "ncpus", wide ? 5 : 3),
        JobAttributeText.resource(job, "mem").map(form.sizes()::show).orElse(NONE),
        time.isEmpty() ? NONE : time.replaceFirst(":\\d\\d$", ""),
        JobAttributeText.state(job),
        form.starts() ? starts(job, start) : elapsed(job));
  }

  /** A job that asked for processor time is measured by it. */
  private static String time(Job job) {
    return JobAttributeText.resource(job, "cput").isPresent() ? "cput" : "walltime";
  }

  private static String count(Job job, String resource, int width) {
    String text = JobAttributeText.resource(job, resource).filter(n -> !n.equals("0")).orElse("");
    return text.isEmpty()
        ? NONE.substring(0, Math.min(width, NONE.length()))
        : JobTables.cut(text, width);
  }

  private String starts(Job job, OptionalLong start) {
    boolean waits = job.getStatus() == JobStatus.QUEUED || JobAttributeText.suspended(job);
    return waits && start.isPresent() ? times.expected(start.getAsLong(), nowMs) : "--";
  }

  private String elapsed(Job job) {
    if (time(job).equals("cput")) {
      return job.getUsed() == null ? NONE : Times.hoursMinutes(job.getUsed().getCputS());
    }
    OptionalLong ran = JobProgress.walltimeS(job, nowMs);
    return ran.isPresent() ? Times.hoursMinutes(ran.getAsLong()) : NONE;
  }

  /** Hosts without their domains, on one line or on lines that are broken behind a plus. */
  private void hosts(StringBuilder out, String execHost) {
    StringBuilder line = new StringBuilder();
    for (String part : execHost.split("(?<=\\+)")) {
      String host = withoutDomain(part);
      boolean last = !host.endsWith("+");
      int length = host.length() - (last ? 0 : 1);
      if (!form.oneLine() && line.length() > 0 && line.length() + length >= LINE) {
        out.append("   ").append(line).append('\n');
        line.setLength(0);
      }
      line.append(host);
    }
    out.append(form.oneLine() ? "" : "   ").append(line).append('\n');
  }

  private static String withoutDomain(String part) {
    int slash = part.indexOf('/');
    String host = slash < 0 ? part : part.substring(0, slash);
    int dot = ADDRESS.matcher(host).matches() ? -1 : host.indexOf('.');
    return dot < 0 ? part : host.substring(0, dot) + (slash < 0 ? "" : part.substring(slash));
  }

  private String cutComment(String comment) {
    int width = form.wide() ? WIDE_COMMENT : COMMENT;
    return comment.length() > width ? comment.substring(0, width - 4) + "..." : comment;
  }
}
