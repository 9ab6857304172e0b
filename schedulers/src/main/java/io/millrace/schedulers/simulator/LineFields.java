package io.millrace.schedulers.simulator;

/** Splits a line into its 18 numbers; reused for each line. */
final class LineFields {

  /**
   * Most digits before the decimal point; more than any time or size has, and they would overflow
   * sums.
   */
  static final int DIGITS_MAX = 12;

  /** Most digits of a time; three hundred years a million times over still fit. */
  private static final int TIME_DIGITS_MAX = 10;

  private static final int COUNT = 18;
  private static final int JOB = 0;
  private static final int SUBMIT = 1;
  private static final int WAIT = 2;
  private static final int RUN = 3;
  private static final int ALLOCATED = 4;
  private static final int REQUESTED = 7;
  private static final int REQUESTED_TIME = 8;
  private static final int STATUS = 10;
  private static final int USER = 11;
  private static final int GROUP = 12;
  private static final int QUEUE = 14;

  private final long[] values = new long[COUNT];
  private boolean rounded;
  private boolean tooMany;

  /**
   * @return what makes the line useless, or null
   */
  TraceFinding read(String line) {
    rounded = false;
    tooMany = false;
    int field = 0;
    int at = 0;
    while (at < line.length()) {
      if (line.charAt(at) <= ' ') {
        at++;
        continue;
      }
      int begin = at;
      while (at < line.length() && line.charAt(at) > ' ') {
        at++;
      }
      if (field == COUNT) {
        tooMany = true;
        return null;
      }
      TraceFinding wrong = number(line, begin, at, field);
      if (wrong != null) {
        return wrong;
      }
      field++;
    }
    return field < COUNT ? TraceFinding.SHORT_LINE : null;
  }

  private TraceFinding number(String line, int begin, int end, int field) {
    int at = begin;
    boolean negative = line.charAt(at) == '-';
    if (negative || line.charAt(at) == '+') {
      at++;
    }
    int digits = at;
    long value = 0;
    int digitsMax = isTime(field) ? TIME_DIGITS_MAX : DIGITS_MAX;
    while (at < end && isDigit(line.charAt(at)) && at - digits <= digitsMax) {
      value = value * 10 + line.charAt(at) - '0';
      at++;
    }
    boolean any = at > digits;
    if (at - digits > digitsMax) {
      return TraceFinding.TOO_LARGE;
    }
    if (at < end && line.charAt(at) == '.') {
      at++;
      boolean fraction = false;
      while (at < end && isDigit(line.charAt(at))) {
        fraction |= line.charAt(at) != '0';
        any = true;
        at++;
      }
      if (fraction && looksAt(field)) {
        value += negative ? 0 : 1;
        rounded = true;
      }
    }
    values[field] = negative ? -value : value;
    return at == end && any ? null : TraceFinding.NOT_A_NUMBER;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isTime(int field) {
    return field == SUBMIT || field == WAIT || field == RUN || field == REQUESTED_TIME;
  }

  /**
   * True for fields that a replay reads; the others, such as used processor time and memory, may
   * have fractions.
   */
  private static boolean looksAt(int field) {
    return switch (field) {
      case JOB, SUBMIT, WAIT, RUN, ALLOCATED, REQUESTED, REQUESTED_TIME, STATUS -> true;
      case USER, GROUP, QUEUE -> true;
      default -> false;
    };
  }

  boolean tooMany() {
    return tooMany;
  }

  boolean rounded() {
    return rounded;
  }

  long job() {
    return values[JOB];
  }

  long submitS() {
    return values[SUBMIT];
  }

  Trace.TraceLine line(int number) {
    return new Trace.TraceLine(
        number,
        values[JOB],
        new Trace.TraceTimes(values[SUBMIT], values[WAIT], values[RUN], values[REQUESTED_TIME]),
        new Trace.TraceSizes(values[ALLOCATED], values[REQUESTED]),
        (int) values[STATUS],
        new Trace.TraceSubmitter(values[USER], values[GROUP], values[QUEUE]));
  }
}
