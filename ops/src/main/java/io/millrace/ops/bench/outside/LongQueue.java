package io.millrace.ops.bench.outside;

import io.millrace.ops.outside.peer.PeerCluster;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a system with a long queue: what it says of one job, again and again with another
 * number. No system of this machine takes so many jobs in the time of a measurement.
 */
final class LongQueue {

  /** Number of the first; no job of the system itself is near it. */
  private static final int FIRST = 1_000_000;

  private static final Pattern SLURM = Pattern.compile("\"jobs\"\\s*:\\s*\\[\\s*");

  private static final Pattern GRID_ENGINE =
      Pattern.compile("(?s)(.*?)(<job_list.*?</job_list>)(.*)");

  private LongQueue() {}

  /**
   * An answer with one job in it.
   *
   * @param before all that stands before the job
   * @param after all behind it
   */
  private record OneJob(String before, String job, String after) {}

  /**
   * Writes the answer.
   *
   * @param said what the system says while it has the job, perhaps beside jobs that are over
   * @param number of that job
   */
  static void write(PeerCluster cluster, String said, long number, int jobs, Path to)
      throws IOException {
    boolean slurm = cluster == PeerCluster.SLURM;
    String field = slurm ? "\"job_id\": %d" : "<JB_job_number>%d<";
    String own = String.format(Locale.ROOT, field, number);
    OneJob one =
        (slurm ? slurm(said, own) : gridEngine(said, own))
            .orElseThrow(() -> new IOException(cluster.system() + " does not show job " + number));
    try (BufferedWriter out = Files.newBufferedWriter(to)) {
      out.write(one.before);
      for (int i = 0; i < jobs; i++) {
        out.write(i > 0 && slurm ? "," : "");
        out.write(one.job.replace(own, String.format(Locale.ROOT, field, FIRST + i)));
      }
      out.write(one.after);
    }
  }

  private static Optional<OneJob> gridEngine(String said, String own) {
    Matcher parts = GRID_ENGINE.matcher(said);
    return parts.matches() && parts.group(2).contains(own)
        ? Optional.of(new OneJob(parts.group(1), parts.group(2), parts.group(3)))
        : Optional.empty();
  }

  /** squeue shows those that are over, too, for as long as the controller remembers them. */
  private static Optional<OneJob> slurm(String said, String own) {
    Matcher list = SLURM.matcher(said);
    if (!list.find()) {
      return Optional.empty();
    }
    Pattern field = Pattern.compile(Pattern.quote(own) + "(?![0-9])");
    String found = "";
    int at = list.end();
    while (at < said.length() && said.charAt(at) != ']') {
      if (said.charAt(at) == '{') {
        int end = endOfObject(said, at);
        String job = said.substring(at, end);
        found = field.matcher(job).find() ? job : found;
        at = end;
      } else {
        at++;
      }
    }
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int blanks = at;
    while (Character.isWhitespace(said.charAt(blanks - 1))) {
      blanks--;
    }
    return Optional.of(new OneJob(said.substring(0, list.end()), found, said.substring(blanks)));
  }

  /** Behind the object that begins at a place; braces in texts are none of it. */
  private static int endOfObject(String said, int begin) {
    int depth = 0;
    boolean text = false;
    for (int at = begin; at < said.length(); at++) {
      char sign = said.charAt(at);
      if (text) {
        text = sign != '"';
        at += sign == '\\' ? 1 : 0;
      } else if (sign == '"') {
        text = true;
      } else if (sign == '{') {
        depth++;
      } else if (sign == '}' && --depth == 0) {
        return at + 1;
      }
    }
    return said.length();
  }
}
