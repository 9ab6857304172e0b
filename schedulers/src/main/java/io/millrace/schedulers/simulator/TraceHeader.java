package io.millrace.schedulers.simulator;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private static final long WRONG = -2;

  /** Words may follow the number, but nothing that could be part of it. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "\\+?(\\d{1," + LineFields.DIGITS_MAX + "})(\\.0*)?((?:[^\\w.,:]|[.,:](?!\\w)).*)?");

  private static final Pattern UNKNOWN_VALUE = Pattern.compile("(-1(\\s.*)?)?");

  private final TraceFindings findings;
  private long maxProcs = UNKNOWN;
  private long maxNodes = UNKNOWN;
  private long start = UNKNOWN;

  TraceHeader(TraceFindings findings) {
    this.findings = findings;
  }

  /** Processors of the machine: MaxProcs, else MaxNodes, else 0. */
  int processors() {
    return (int) Math.max(0, maxProcs > 0 ? maxProcs : maxNodes);
  }

  long startEpochS() {
    return Math.max(0, start);
  }

  /**
   * A line that begins with a semicolon.
   *
   * @param late whether jobs stand before it
   */
  void take(int number, String line, boolean late) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      return;
    }
    String key = line.substring(1, colon).strip().toLowerCase(Locale.ROOT);
    String value = line.substring(colon + 1).strip();
    switch (key) {
      case PROCESSORS -> maxProcs = heed(number, late, maxProcs, size(value));
      case NODES -> maxNodes = heed(number, late, maxNodes, size(value));
      case START -> start = heed(number, late, start, leadingNumber(value));
      default -> {
        // Not needed for a replay.
      }
    }
  }

  private long heed(int number, boolean late, long known, long value) {
    if (value == WRONG) {
      findings.add(TraceFinding.HEADER_VALUE, number);
    } else if (value != UNKNOWN && known > 0 && known != value) {
      findings.add(TraceFinding.HEADER_DIFFERS, number);
    } else if (value != UNKNOWN && known == UNKNOWN) {
      if (late) {
        findings.add(TraceFinding.HEADER_LATE, number);
      }
      return value;
    }
    return known;
  }

  private static long size(String text) {
    long size = leadingNumber(text);
    return size == 0 || size > Workload.PROCESSORS_MAX ? WRONG : size;
  }

  /** The number of at least 0 that a text begins with; {@link #UNKNOWN} for -1 and for no text. */
  private static long leadingNumber(String text) {
    Matcher number = NUMBER.matcher(text);
    if (number.matches()) {
      return Long.parseLong(number.group(1));
    }
    return UNKNOWN_VALUE.matcher(text).matches() ? UNKNOWN : WRONG;
  }
}
