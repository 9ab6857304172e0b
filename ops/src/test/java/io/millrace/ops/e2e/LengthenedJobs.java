package io.millrace.ops.e2e;

import java.util.regex.Pattern;

/**
 * Recorded jobs that last a thousand times as long. A recorded session lists its jobs as running
 * while they sleep for a minute or two; how soon a replay comes to that line depends on the
 * machine. No recorded line shows the end of such a job, so here all of them sleep until they are
 * deleted.
 */
final class LengthenedJobs {

  private static final String FACTOR = "000";

  /** The sleeps of jobs that run; the recorded jobs that sleep for five seconds never start. */
  private static final Pattern SLEEP =
      Pattern.compile("(?<=qsub .{0,80}\\b(?:sleep|s\\.sh) )(\\d{2,}|1|2)(?=\"?$)");

  private static final Pattern LIMIT =
      Pattern.compile("(\\b[hs]_rt=(?:0:)?\\d+)(?=:0\\b|(?![:\\d]))");

  private static final Pattern SHOWN =
      Pattern.compile(
          "(?<=\\b[hs]_rt=|name=\"[hs]_rt\" resource_contribution=\"0.000000\">|job_args: {1,30}"
              + "|<ST_name>)(\\d+)"
              + FACTOR
              + "(?!\\d)");

  private LengthenedJobs() {}

  /** The line with longer sleeps and limits. */
  static String typed(String line) {
    return LIMIT.matcher(SLEEP.matcher(line).replaceAll("$1" + FACTOR)).replaceAll("$1" + FACTOR);
  }

  /** A local text with the times of the recording. */
  static String recorded(String text) {
    return SHOWN.matcher(text).replaceAll("$1");
  }
}
