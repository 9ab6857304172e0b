package io.millrace.server.gateway.print;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.state.Job;

/** The plain table of qstat, one row per job. */
public final class JobTables {

  private static final int COLUMN = 16;
  private static final int WIDE_COLUMN = 15;

  private JobTables() {}

  /**
   * Head of the table.
   *
   * @param percent whether rows tell how much of a job is done
   */
  public static String head(boolean wide, boolean percent) {
    String time = percent ? " % done " : "Time Use";
    return wide
        ? "Job id                         Name            User             "
            + time
            + " S Queue\n"
            + "-----------------------------  --------------- ---------------  -------- -"
            + " ---------------\n"
        : "Job id            Name             User              "
            + time
            + " S Queue\n"
            + "----------------  ---------------- ----------------  -------- - -----\n";
  }

  /** A row with the time that the job has used. */
  public static String row(Job job, boolean wide) {
    Usage used = job.getUsed();
    return row(job, wide, used == null ? "0" : Times.duration(used.getCputS()));
  }

  /** A row with this text in the column of the time. */
  public static String row(Job job, boolean wide, String time) {
    int column = wide ? WIDE_COLUMN : COLUMN;
    return String.format(
        wide ? "%-30s %-15s %-15s  %8s %s %-15s\n" : "%-17s %-16s %-16s  %8s %s %-16s\n",
        cut(job.getId(), wide ? 30 : 17),
        cut(job.getSpec().getName(), column),
        cut(job.getSpec().getOwner(), column),
        time,
        JobAttributeText.state(job),
        cut(job.getSpec().getQueue(), column));
  }

  /** The text, or its beginning and a star where it does not fit. */
  static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "*";
  }
}
