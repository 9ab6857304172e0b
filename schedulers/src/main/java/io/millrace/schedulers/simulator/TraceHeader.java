package io.millrace.schedulers.simulator;

import java.util.Locale;

/**
 * The header's lines that a replay looks at: {@code ; MaxProcs: 338}, {@code ; MaxNodes: 338 (batch
 * partition; 512 total)}, {@code ; UnixStartTime: 835823160}. Text may follow the number; of a key
 * that comes twice the first counts.
 */
final class TraceHeader {

  private static final String PROCESSORS = "maxprocs";
  private static final String NODES = "maxnodes";
  private static final String START = "unixstarttime";
  private static final long UNKNOWN = -1;

  private final Findings findings;
  private long maxProcs = UNKNOWN;
  private long maxNodes = UNKNOWN;
  private long start = UNKNOWN;

  TraceHeader(Findings findings) {
    this.findings = findings;
  }

  /** Processors of the machine: MaxProcs, else MaxNodes, else 0. */
  int processors() {
    long known = maxProcs > 0 ? maxProcs : maxNodes;
    return known > 0 && known <= Integer.MAX_VALUE ? (int) known : 0;
  }

  long startEpochS() {
    return Math.max(0, start);
  }

  /** A line that begins with a semicolon. */
  void take(int number, String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      return;
    }
    String key = line.substring(1, colon).strip().toLowerCase(Locale.ROOT);
    long value = leadingNumber(line.substring(colon + 1).strip());
    if (value <= 0) {
      return;
    }
    switch (key) {
      case PROCESSORS -> maxProcs = first(maxProcs, value, number);
      case NODES -> maxNodes = first(maxNodes, value, number);
      case START -> start = first(start, value, number);
      default -> {
        // Says nothing that a replay needs.
      }
    }
  }

  private long first(long known, long value, int number) {
    if (known > 0 && known != value) {
      findings.add(Finding.HEADER_DIFFERS, number);
    }
    return known > 0 ? known : value;
  }

  private static long leadingNumber(String text) {
    int end = 0;
    while (end < text.length() && end <= LineFields.DIGITS_MAX && isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 || end > LineFields.DIGITS_MAX ? UNKNOWN : Long.parseLong(text, 0, end, 10);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
