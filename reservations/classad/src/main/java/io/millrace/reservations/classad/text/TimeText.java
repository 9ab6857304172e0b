package io.millrace.reservations.classad.text;

import io.millrace.reservations.classad.tree.Scalar;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneRules;
import java.util.Locale;

/** Times as they are written: {@code 2026-11-24T18:00:00+09:00} and {@code 1+02:03:04}. */
public final class TimeText {

  /** The longest offset from Greenwich that is printed, in seconds. */
  private static final int LARGEST_OFFSET_S = 99 * 3600;

  private static final DateTimeFormatter PRINTED =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private TimeText() {}

  /**
   * A date and time that was read.
   *
   * @param asUtc seconds since 1970 as if it were written in UTC
   * @param offset_s seconds east of Greenwich; null when none is written
   */
  public record WrittenTime(long asUtc, Integer offset_s) {

    /** The moment it means; without an offset, at this place. */
    public Scalar.AbsoluteTime at(ZoneId place) {
      if (offset_s != null) {
        return new Scalar.AbsoluteTime(asUtc - offset_s, offset_s);
      }
      ZoneRules rules = place.getRules();
      java.time.Instant written = java.time.Instant.ofEpochSecond(asUtc);
      long standard_s = asUtc - rules.getStandardOffset(written).getTotalSeconds();
      int offset = rules.getOffset(java.time.Instant.ofEpochSecond(standard_s)).getTotalSeconds();
      return new Scalar.AbsoluteTime(asUtc - offset, offset);
    }
  }

  /**
   * Reads a date and time: four digits, then up to five times two, with anything between them, then
   * Z, +hhmm, +hh:mm or nothing. What is left out counts as in HTCondor's library: the month as
   * January, the day as the one before the first.
   *
   * @return null for anything else
   */
  public static WrittenTime absolute(String written) {
    String text = written;
    Integer offset = null;
    int length = text.length();
    String stripped = text.stripTrailing();
    if (stripped.length() > 1 && "zZ".indexOf(stripped.charAt(stripped.length() - 1)) >= 0) {
      offset = 0;
      text = stripped.substring(0, stripped.length() - 1);
    } else if (length > 5 && isOffset(text.substring(length - 5))) {
      offset = offset(text.substring(length - 5));
      text = text.substring(0, length - 5);
    } else if (length > 6 && text.charAt(length - 3) == ':') {
      String end = text.substring(length - 6, length - 3) + text.substring(length - 2);
      if (isOffset(end)) {
        offset = offset(end);
        text = text.substring(0, length - 6);
      }
    }
    Fields fields = new Fields(text);
    int year = fields.next(4);
    if (year < 0) {
      return null;
    }
    int month = Math.max(1, fields.next(2));
    int day = Math.max(0, fields.next(2));
    long seconds = Math.max(0, fields.next(2)) * 3600L;
    seconds += Math.max(0, fields.next(2)) * 60L;
    seconds += Math.max(0, fields.next(2));
    if (fields.more()) {
      return null;
    }
    long days = LocalDate.of(year, 1, 1).plusMonths(month - 1L).toEpochDay() + day - 1;
    return new WrittenTime(days * 86_400 + seconds, offset);
  }

  /** A sign and four digits. */
  private static boolean isOffset(String text) {
    return "+-".indexOf(text.charAt(0)) >= 0
        && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
  }

  private static int offset(String text) {
    int hours = Integer.parseInt(text.substring(1, 3));
    int minutes = Integer.parseInt(text.substring(3));
    return (text.charAt(0) == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  }

  /** The numbers of a date, one after the other. */
  private static final class Fields {
    private final String text;
    private int at;

    Fields(String text) {
      this.text = text;
    }

    private boolean digit(int place) {
      return place < text.length() && text.charAt(place) >= '0' && text.charAt(place) <= '9';
    }

    boolean more() {
      while (at < text.length() && !digit(at)) {
        at++;
      }
      return at < text.length();
    }

    /**
     * The number at the beginning of the next {@code width} characters; -1 when they are too few.
     */
    int next(int width) {
      if (!more() || at + width > text.length()) {
        return -1;
      }
      int number = 0;
      for (int i = at; i < at + width && digit(i); i++) {
        number = number * 10 + text.charAt(i) - '0';
      }
      at += width;
      return number;
    }
  }

  /**
   * Reads a length of time: {@code [-][[[days+]hh:]mm:]ss[.fff]}, or with d, h, m and s behind the
   * numbers, of which each may be missing.
   *
   * @return seconds; not a number for anything else
   */
  public static double relative(String text) {
    Backwards rest = new Backwards(text);
    double seconds = 0;
    if (rest.endsWith("sS") || rest.endsWithDigit()) {
      rest.drop("sS");
      seconds = rest.real();
    }
    double total = seconds;
    total += rest.endsWith("mM:") ? rest.unit() * 60 : 0;
    total += rest.endsWith("hH:") ? rest.unit() * 3600 : 0;
    total += rest.endsWith("dD+") ? rest.unit() * 86_400 : 0;
    boolean negative = rest.endsWith("-");
    rest.drop("-");
    return rest.isEmpty() ? (negative ? -total : total) : Double.NaN;
  }

  /** A text that is read from its end. */
  private static final class Backwards {
    private String left;

    Backwards(String text) {
      left = text.stripTrailing();
    }

    boolean isEmpty() {
      return left.isEmpty();
    }

    boolean endsWith(String characters) {
      return !left.isEmpty() && characters.indexOf(left.charAt(left.length() - 1)) >= 0;
    }

    boolean endsWithDigit() {
      return endsWith("0123456789");
    }

    void drop(String characters) {
      if (endsWith(characters)) {
        left = left.substring(0, left.length() - 1).stripTrailing();
      }
    }

    private String digits() {
      int from = left.length();
      while (from > 0 && left.charAt(from - 1) >= '0' && left.charAt(from - 1) <= '9') {
        from--;
      }
      String digits = left.substring(from);
      left = left.substring(0, from);
      return digits;
    }

    double real() {
      String number = digits();
      if (endsWith(".")) {
        left = left.substring(0, left.length() - 1);
        number = digits() + "." + number;
      }
      left = left.stripTrailing();
      return number.isEmpty() || number.equals(".") ? 0 : Double.parseDouble(number);
    }

    /** The sign of a unit, and the number before it. */
    double unit() {
      left = left.substring(0, left.length() - 1).stripTrailing();
      String number = digits();
      left = left.stripTrailing();
      return number.isEmpty() ? 0 : Double.parseDouble(number);
    }
  }

  /** As the library writes it, with the offset of its place. */
  public static String print(Scalar.AbsoluteTime time) {
    int offset = Math.max(-LARGEST_OFFSET_S, Math.min(LARGEST_OFFSET_S, time.offset_s()));
    int size = Math.abs(offset);
    return PRINTED.format(java.time.LocalDateTime.ofEpochSecond(bounded(time), 0, ZoneOffset.UTC))
        + String.format(
            Locale.ROOT, "%s%02d:%02d", offset > 0 ? "+" : "-", size / 3600, size / 60 % 60);
  }

  /** Seconds at its place, within the years 0 to 9999. */
  private static long bounded(Scalar.AbsoluteTime time) {
    long first = LocalDate.of(0, 1, 1).toEpochDay() * 86_400;
    long last = LocalDate.of(10_000, 1, 1).toEpochDay() * 86_400 - 1;
    // Not added before it is bounded: the sum could overflow.
    long near = Math.max(2 * first, Math.min(2 * last, time.seconds()));
    return Math.max(first, Math.min(last, near + time.offset_s()));
  }

  /** A length of time in seconds as the library writes it: parts that are 0 are left out. */
  public static String print(double seconds) {
    double size = Math.abs(seconds);
    long whole = (long) Math.floor(size);
    double fraction = size - whole;
    long days = whole / 86_400;
    long hours = whole % 86_400 / 3600;
    long minutes = whole % 3600 / 60;
    String rest =
        fraction == 0
            ? String.format(Locale.ROOT, "%02d", whole % 60)
            : significant(whole % 60 + fraction);
    String sign = seconds < 0 ? "-" : "";
    if (days > 0) {
      return sign + String.format(Locale.ROOT, "%d+%02d:%02d:", days, hours, minutes) + rest;
    }
    if (hours > 0) {
      return sign + String.format(Locale.ROOT, "%02d:%02d:", hours, minutes) + rest;
    }
    return sign + (minutes > 0 ? String.format(Locale.ROOT, "%02d:", minutes) : "") + rest;
  }

  /** Six significant digits without zeros at the end. */
  private static String significant(double value) {
    String text =
        new java.math.BigDecimal(value)
            .round(new java.math.MathContext(6))
            .stripTrailingZeros()
            .toPlainString();
    return text.length() < 2 ? "0" + text : text;
  }
}
