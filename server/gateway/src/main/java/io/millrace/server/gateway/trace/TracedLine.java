package io.millrace.server.gateway.trace;

import java.util.Comparator;
import java.util.Optional;

/**
 * A line about a job.
 *
 * @param time as the file has it
 * @param file A, S or L
 * @param number of the line in its file
 * @param event the bits of log_events that it belongs to; 0 for accounting
 * @param name the id in it
 */
record TracedLine(String time, char file, int number, int event, String name, String text) {

  /** Order of lines: by time, and within a second file by file. */
  static final Comparator<TracedLine> ORDER =
      Comparator.comparing(TracedLine::sortable)
          .thenComparing(it -> "SLMA".indexOf(it.file))
          .thenComparingInt(it -> it.number);

  private static final int LOG_FIELDS = 6;
  private static final int ACCOUNT_FIELDS = 4;
  private static final int HEXADECIMAL = 16;
  private static final int SECONDS_END = "11/20/2026 15:35:54".length();

  /** A line of a file; empty when it has another form. */
  static Optional<TracedLine> of(char file, int number, String line) {
    boolean account = file == 'A';
    String[] fields = line.split(";", account ? ACCOUNT_FIELDS : LOG_FIELDS);
    if (fields.length < (account ? ACCOUNT_FIELDS : LOG_FIELDS)) {
      return Optional.empty();
    }
    if (account) {
      return Optional.of(new TracedLine(fields[0], file, number, 0, fields[2], fields[3]));
    }
    boolean coded = fields[1].matches("[0-9a-fA-F]{4}");
    int event = coded ? Integer.parseInt(fields[1], HEXADECIMAL) : 0;
    return Optional.of(new TracedLine(fields[0], file, number, event, fields[4], fields[5]));
  }

  /** {@code month/day/year time} with the year first, without fractions of the second. */
  private String sortable() {
    return time.length() < 10
        ? time
        : time.substring(6, 10)
            + time.substring(0, 5)
            + time.substring(10, Math.min(SECONDS_END, time.length()));
  }
}
