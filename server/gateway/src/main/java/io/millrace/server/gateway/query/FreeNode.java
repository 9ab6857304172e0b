package io.millrace.server.gateway.query;

import java.util.Arrays;
import java.util.List;

/**
 * A node that is up and of which nothing is booked in the window that was asked about.
 *
 * @param host on which it is
 * @param jobs numbers of those that run on it
 */
public record FreeNode(String name, String host, List<Long> jobs) {

  /**
   * As a shard says it in a line: name, host and job numbers between commas, with tabs between.
   *
   * @throws IllegalArgumentException when it has not that form
   */
  static FreeNode of(String line) {
    int host = line.indexOf('\t') + 1;
    int jobs = line.indexOf('\t', host) + 1;
    if (host == 0 || jobs == 0 || line.indexOf('\t', jobs) >= 0) {
      throw new IllegalArgumentException("no node in a line: " + line);
    }
    return new FreeNode(
        line.substring(0, host - 1),
        line.substring(host, jobs - 1),
        jobs == line.length()
            ? List.of()
            : Arrays.stream(line.substring(jobs).split(",")).map(Long::valueOf).toList());
  }
}
