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
    return row(
        new String[] {
          job.getId(),
          job.getSpec().getName(),
          job.getSpec().getOwner(),
          time,
          JobAttributeText.state(job),
          job.getSpec().getQueue()
        },
        wide);
  }

  /**
   * A row.
   *
   * @param texts id, name, owner, time, state and queue
   */
  public static String row(String[] texts, boolean wide) {
    int column = wide ? WIDE_COLUMN : COLUMN;
    return String.format(
        wide ? "%-30s %-15s %-15s  %8s %s %-15s\n" : "%-17s %-16s %-16s  %8s %s %-16s\n",
        cut(texts[0], wide ? 30 : 17),
        cut(texts[1], column),
        cut(texts[2], column),
        texts[3],
        texts[4],
        cut(texts[5], column));
  }

  /** The text, or its beginning and a star where it does not fit. */
  static String cut(String text, int width) {
    String shown = ShownText.line(text);
    return shown.length() <= width ? shown : shown.substring(0, width - 1) + "*";
  }
}
