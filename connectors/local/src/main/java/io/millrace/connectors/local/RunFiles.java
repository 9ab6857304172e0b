package io.millrace.connectors.local;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a run's output goes.
 *
 * @param output Output_Path, {@code path} or {@code host:path}; a directory gets {@code <jobid>.OU}
 * @param error Error_Path, likewise; a directory gets {@code <jobid>.ER}
 * @param join {@code n}, {@code oe} (all into the output file) or {@code eo} (all into the error
 *     file)
 * @param umask for the job and its files; PBS's default is 077
 * @param direct which of both the program writes where they belong, as letters o and e; the others
 *     are copied there after the run
 * @param staging what else comes and goes
 */
public record RunFiles(
    String output, String error, String join, int umask, String direct, Staging staging) {
  public static final int DEFAULT_UMASK = 0077;

  private static final Pattern WITH_HOST = Pattern.compile("[^/:]+:(.+)", Pattern.DOTALL);

  /** Of a run with nothing but its output. */
  public RunFiles(String output, String error, String join, int umask) {
    this(output, error, join, umask, "", Staging.NONE);
  }

  public RunFiles {
    if (!join.equals("n") && !join.equals("oe") && !join.equals("eo")) {
      throw new IllegalArgumentException("join is n, oe or eo, not " + join);
    }
    output = pathOf(output);
    error = pathOf(error);
  }

  /** The files are copied on the executing host, so that of host:path only the path counts. */
  private static String pathOf(String hostAndPath) {
    Matcher matcher = WITH_HOST.matcher(hostAndPath);
    return matcher.matches() ? matcher.group(1) : hostAndPath;
  }
}
