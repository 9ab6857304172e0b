package io.millrace.connectors.local;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a run's output goes.
 *
 * @param output Output_Path, {@code path} or {@code host:path}; a directory of this host gets
 *     {@code <jobid>.OU}
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

  /** Of a run with nothing but its output. */
  public RunFiles(String output, String error, String join, int umask) {
    this(output, error, join, umask, "", Staging.NONE);
  }

  public RunFiles {
    if (!join.equals("n") && !join.equals("oe") && !join.equals("eo")) {
      throw new IllegalArgumentException("join is n, oe or eo, not " + join);
    }
  }

  /** What a supervisor is to know of both destinations. */
  List<String> records(SharedPaths shared) throws IOException {
    Destination out = shared.seenFrom(Destination.of(output), staging.node());
    Destination err = shared.seenFrom(Destination.of(error), staging.node());
    boolean told = shared.told();
    String written = direct;
    if (told && !out.host().isEmpty()) {
      written = written.replace("o", "");
    }
    if (told && !err.host().isEmpty()) {
      written = written.replace("e", "");
    }
    List<String> records = new ArrayList<>();
    records.add("output=" + out.path());
    records.add("error=" + err.path());
    records.add("direct=" + written);
    if (!out.host().isEmpty() || !err.host().isEmpty()) {
      records.add("output_host=" + out.host());
      records.add("error_host=" + err.host());
      records.add("homes_shared=" + (told ? 0 : 1));
    }
    return records;
  }
}
