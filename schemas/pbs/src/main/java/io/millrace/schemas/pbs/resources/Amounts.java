package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.pbs.Sizes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses amounts into integers in base units, and prints them. */
public final class Amounts {

  private static final Pattern LONG = Pattern.compile("[+-]?\\d{1,19}");
  private static final Pattern FLOAT = Pattern.compile("[+-]?(\\d{1,13}(\\.\\d*)?|\\.\\d+)");
  private static final Pattern DURATION =
      Pattern.compile("(?:(?:(\\d{1,16}):)?(\\d{1,17}):)?(\\d{1,17})(?:\\.(\\d{1,9}))?");
  private static final long FOREVER_S = Long.MAX_VALUE / 4000;
  private static final int MICROS_DIGITS = 6;

  private Amounts() {}

  /**
   * Amount in the base unit: {@code 4gb}, {@code 2097152b}, {@code 16mw} (words of 8 bytes; a
   * number alone is bytes), {@code [[HH:]MM:]SS[.fraction]} (rounded up to whole seconds), {@code
   * True} 1 and {@code False} 0.
   *
   * @throws RequestException when the text is no value of this resource; the message names it as
   *     {@code Resource_List.name}
   */
  public static long parse(ResourceDefinition resource, String text) throws RequestException {
    return parse(resource, text, "Resource_List." + resource.name());
  }

  /** Parses an amount; {@code where} is the name that the error message uses. */
  public static long parse(ResourceDefinition resource, String text, String where)
      throws RequestException {
    try {
      long amount =
          switch (resource.kind()) {
            case LONG -> parseLong(text);
            case SIZE -> parseSize(text);
            case FLOAT -> parseFloat(text);
            case BOOLEAN -> parseBoolean(text);
            case DURATION -> parseDuration(text);
            case STRING -> throw new ArithmeticException("a string has no amount");
          };
      if (amount < 0 && resource.consumable()) {
        throw RequestException.badValue(where);
      }
      return amount;
    } catch (ArithmeticException | NumberFormatException e) {
      throw RequestException.badValue(where);
    }
  }

  /** Prints an amount; a size in the largest unit that divides it. */
  public static String format(ResourceDefinition resource, long amount) {
    return switch (resource.kind()) {
      case LONG -> Long.toString(amount);
      case SIZE -> Sizes.format(amount);
      case FLOAT -> formatFloat(amount);
      case BOOLEAN -> amount == 0 ? "False" : "True";
      case DURATION -> formatDuration(amount);
      case STRING -> throw new IllegalArgumentException(resource.name() + " is a string");
    };
  }

  /** Prints an amount as in exec_vnode and resources_assigned: sizes in kb, rounded up. */
  public static String formatAssigned(ResourceDefinition resource, long amount) {
    if (resource.kind() == ResourceKind.SIZE) {
      return (amount + 1023) / 1024 + "kb";
    }
    return format(resource, amount);
  }

  /** Seconds as HH:MM:SS, hours without bound. */
  public static String formatDuration(long seconds) {
    // By hand: each line about a run has several, and a formatter reads its pattern each time.
    StringBuilder text = new StringBuilder(10);
    twoDigits(text, seconds / 3600).append(':');
    twoDigits(text, seconds / 60 % 60).append(':');
    return twoDigits(text, seconds % 60).toString();
  }

  private static StringBuilder twoDigits(StringBuilder text, long number) {
    return (number >= 0 && number < 10 ? text.append('0') : text).append(number);
  }

  /**
   * Milliseconds of so many seconds, for adding to a time of the clock: what no clock comes to
   * stays within the range.
   */
  public static long milliseconds(long seconds) {
    return 1000 * Math.max(-FOREVER_S, Math.min(seconds, FOREVER_S));
  }

  /** Sum of two amounts; one beyond the range is as good as the last in it. */
  public static long sum(long a, long b) {
    long sum = a + b;
    boolean beyond = ((a ^ sum) & (b ^ sum)) < 0;
    return !beyond ? sum : a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }

  private static long parseLong(String text) {
    require(LONG.matcher(text).matches());
    return Long.parseLong(text);
  }

  private static long parseSize(String text) {
    return Sizes.parse(text).orElseThrow(() -> new NumberFormatException("no such amount"));
  }

  private static long parseFloat(String text) {
    require(FLOAT.matcher(text).matches());
    return new BigDecimal(text)
        .movePointRight(MICROS_DIGITS)
        .setScale(0, RoundingMode.HALF_UP)
        .longValueExact();
  }

  private static long parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "y", "1" -> 1;
      case "false", "f", "n", "0" -> 0;
      default -> throw new ArithmeticException("no boolean");
    };
  }

  private static long parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    require(matcher.matches());
    long seconds = Long.parseLong(matcher.group(3));
    if (matcher.group(2) != null) {
      seconds = Math.addExact(seconds, Math.multiplyExact(Long.parseLong(matcher.group(2)), 60));
    }
    if (matcher.group(1) != null) {
      seconds = Math.addExact(seconds, Math.multiplyExact(Long.parseLong(matcher.group(1)), 3600));
    }
    String fraction = matcher.group(4);
    boolean more = fraction != null && !fraction.chars().allMatch(digit -> digit == '0');
    return more ? Math.addExact(seconds, 1) : seconds;
  }

  private static String formatFloat(long micros) {
    BigDecimal value = BigDecimal.valueOf(micros, MICROS_DIGITS).stripTrailingZeros();
    return value.scale() < 0 ? value.setScale(0).toPlainString() : value.toPlainString();
  }

  private static void require(boolean condition) {
    if (!condition) {
      throw new NumberFormatException("no such amount");
    }
  }
}
