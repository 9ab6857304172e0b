package io.millrace.server.gateway.print;

import io.millrace.reservations.resources.Resumption;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;

/** The tables of qstat, one row per job. */
public final class JobTables {

  /** Head of the plain table. */
  public static final String HEAD =
      """
      Job id            Name             User              Time Use S Queue
      ----------------  ---------------- ----------------  -------- - -----
      """;

  private static final String ALTERNATE =
      """
                                                                  Req'd  Req'd   Elap
      Job ID          Username Queue    Jobname    SessID NDS TSK Memory Time  S Time
      --------------- -------- -------- ---------- ------ --- --- ------ ----- - -----
      """;

  private static final String ALTERNATE_WIDE =
      " ".repeat(99)
          + """
          Req'd  Req'd   Elap
          Job ID                         Username        Queue           Jobname         SessID   NDS  TSK   Memory Time  S Time
          ------------------------------ --------------- --------------- --------------- -------- ---- ----- ------ ----- - -----
          """;

  private static final String NONE = " --";
  private static final int COMMENT_MAX = 73;

  private JobTables() {}

  /** A row of the plain table. */
  public static String row(Job job) {
    Usage used = job.getUsed();
    return String.format(
        "%-16s  %-16s %-16s  %8s %s %-16s\n",
        job.getId(),
        cut(job.getSpec().getName(), 16),
        cut(job.getSpec().getOwner(), 16),
        used == null ? "0" : Times.duration(used.getCputS()),
        JobText.state(job),
        cut(job.getSpec().getQueue(), 16));
  }

  /** Head of the alternate table (qstat -a and its kin). */
  public static String alternateHead(String server, boolean wide) {
    return "\n" + server + ": \n" + (wide ? ALTERNATE_WIDE : ALTERNATE);
  }

  /**
   * A row of the alternate table without a line end.
   *
   * @param nowMs to tell how long a running job has run
   */
  public static String alternateRow(Job job, long nowMs, boolean wide) {
    String format =
        wide
            ? "%-30s %-15s %-15s %-15s %8s %4s %5s %6s %5s %s %5s"
            : "%-15s %-8s %-8s %-10s %6s %3s %3s %6s %5s %s %5s";
    boolean running = job.getStatus() == JobStatus.RUNNING;
    return String.format(
        format,
        cut(job.getId(), wide ? 30 : 15),
        cut(job.getSpec().getOwner(), wide ? 15 : 8),
        cut(job.getSpec().getQueue(), wide ? 15 : 8),
        cut(job.getSpec().getName(), wide ? 15 : 10),
        running && job.getSessionId() > 0 ? Long.toString(job.getSessionId()) : "-- ",
        JobText.resource(job, "nodect").orElse("--"),
        JobText.resource(job, "ncpus").orElse("--"),
        JobText.resource(job, "mem").orElse("-- "),
        JobText.resource(job, "walltime").map(t -> t.substring(0, t.length() - 3)).orElse("-- "),
        JobText.state(job),
        elapsed(job, nowMs));
  }

  /** Where the job runs, on the row itself or on a line below. */
  public static String hosts(Job job, boolean oneLine) {
    String hosts = job.getAllocation() == null ? NONE + " " : job.getAllocation().getExecHost();
    return oneLine ? " " + hosts : "\n   " + hosts;
  }

  /** The comment, on the row itself or on a line below, cut to what fits a terminal. */
  public static String comment(String comment, boolean oneLine) {
    String cut =
        comment.length() > COMMENT_MAX ? comment.substring(0, COMMENT_MAX - 3) + "..." : comment;
    return (oneLine ? " " : "\n") + "   " + (comment.isEmpty() ? NONE + " " : cut);
  }

  private static String elapsed(Job job, long nowMs) {
    if (job.getUsed() != null) {
      return Times.hoursMinutes(job.getUsed().getWalltimeS());
    }
    boolean started = job.getSessionId() > 0 && job.getStartedMs() >= 0;
    return job.getStatus() == JobStatus.RUNNING && started
        ? Times.hoursMinutes(Resumption.ranMs(job, nowMs) / 1000)
        : "-- ";
  }

  /** The text, or its beginning and a star where it does not fit. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "*";
  }
}
