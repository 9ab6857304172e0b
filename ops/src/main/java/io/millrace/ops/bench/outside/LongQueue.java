package io.millrace.ops.bench.outside;

import io.millrace.ops.outside.peer.PeerCluster;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a system with a long queue: what it says of one job, again and again with another
 * number. No system of this machine takes so many jobs in the time of a measurement.
 */
final class LongQueue {

  /** Number of the first; no job of the system itself is near it. */
  private static final int FIRST = 1_000_000;

  private static final Pattern SLURM =
      Pattern.compile("(?s)(.*\"jobs\"\\s*:\\s*\\[\\s*)(\\{.*\\})(\\s*\\].*)");

  private static final Pattern GRID_ENGINE =
      Pattern.compile("(?s)(.*?)(<job_list.*?</job_list>)(.*)");

  private LongQueue() {}

  /**
   * Writes the answer.
   *
   * @param one what the system says while it has one job
   * @param number of that job
   */
  static void write(PeerCluster cluster, String one, long number, int jobs, Path to)
      throws IOException {
    Matcher parts = (cluster == PeerCluster.SLURM ? SLURM : GRID_ENGINE).matcher(one);
    if (!parts.matches()) {
      throw new IOException(cluster.system() + " does not show one job: " + one.strip());
    }
    String field = cluster == PeerCluster.SLURM ? "\"job_id\": %d" : "<JB_job_number>%d<";
    String own = String.format(Locale.ROOT, field, number);
    if (!parts.group(2).contains(own)) {
      throw new IOException(cluster.system() + " does not show job " + number);
    }
    try (BufferedWriter out = Files.newBufferedWriter(to)) {
      out.write(parts.group(1));
      for (int i = 0; i < jobs; i++) {
        out.write(i > 0 && cluster == PeerCluster.SLURM ? "," : "");
        out.write(parts.group(2).replace(own, String.format(Locale.ROOT, field, FIRST + i)));
      }
      out.write(parts.group(3));
    }
  }
}
