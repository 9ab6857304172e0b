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

  private static final int FIELDS = 3;

  /**
   * As a shard says it in a line: name, host and job numbers between commas, with tabs between.
   *
   * @throws IllegalArgumentException when it has not that form
   */
  static FreeNode of(String line) {
    String[] fields = line.split("\t", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("no node in a line: " + line);
    }
    List<Long> jobs =
        fields[2].isEmpty()
            ? List.of()
            : Arrays.stream(fields[2].split(",")).map(Long::valueOf).toList();
    return new FreeNode(fields[0], fields[1], jobs);
  }
}
