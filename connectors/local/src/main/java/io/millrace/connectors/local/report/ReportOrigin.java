package io.millrace.connectors.local.report;

/**
 * What a report of a run needs beside the run; kept in the spool as the run's origin.
 *
 * @param shard waits for the reports
 * @param offset of the order in the topic dispatch
 * @param ncpus that the run holds on all its nodes
 */
public record ReportOrigin(int shard, long offset, int ncpus) {

  public String text() {
    return shard + " " + offset + " " + ncpus;
  }

  /**
   * @throws IllegalArgumentException when the text is no origin
   */
  public static ReportOrigin of(String text) {
    String[] words = text.split(" ");
    if (words.length != 3) {
      throw new IllegalArgumentException("not an origin: " + text);
    }
    return new ReportOrigin(
        Integer.parseInt(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]));
  }
}
