package io.millrace.schedulers.gridengine.language.options;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Grid Engine's ways to write an amount: times, memory, numbers, truth values. */
public final class Numbers {

  /** Seconds that mean "unlimited": the largest unsigned 32-bit number. */
  public static final long UNLIMITED_S = 0xFFFFFFFFL;

  private static final Pattern WHOLE = Pattern.compile("\\d{1,12}");
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");

  private Numbers() {}

  /** Seconds of {@code [[h:]m:]s} or INFINITY. */
  public static Optional<Double> time(String text) {
    if (infinite(text)) {
      return Optional.of((double) UNLIMITED_S);
    }
    String[] parts = text.split(":", -1);
    if (parts.length > 3) {
      return Optional.empty();
    }
    double seconds = 0;
    for (String part : parts) {
      boolean empty = part.isEmpty() && parts.length > 1;
      if (!empty && !WHOLE.matcher(part).matches()) {
        return Optional.empty();
      }
      seconds = seconds * 60 + (empty ? 0 : Long.parseLong(part));
    }
    return Optional.of(Math.min(seconds, UNLIMITED_S));
  }

  /** Bytes of a number with k, m, g, t (thousands) or K, M, G, T (1024s), or INFINITY. */
  public static Optional<Double> memory(String text) {
    if (infinite(text)) {
      return Optional.of(Double.MAX_VALUE);
    }
    if (text.isEmpty()) {
      return Optional.empty();
    }
    char last = text.charAt(text.length() - 1);
    int power = "kmgt".indexOf(Character.toLowerCase(last)) + 1;
    double unit = Math.pow(Character.isUpperCase(last) ? 1024 : 1000, power);
    return real(power == 0 ? text : text.substring(0, text.length() - 1))
        .map(n -> n * unit)
        .filter(Double::isFinite);
  }

  /** A decimal number that a double can hold, or INFINITY. */
  public static Optional<Double> real(String text) {
    if (infinite(text)) {
      return Optional.of(Double.MAX_VALUE);
    }
    if (!REAL.matcher(text).matches()) {
      return Optional.empty();
    }
    return Optional.of(Double.parseDouble(text)).filter(Double::isFinite);
  }

  /** 1 for TRUE, T, YES, Y and 1; 0 for their opposites. */
  public static Optional<Double> truth(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "yes", "y", "1" -> Optional.of(1.0);
      case "false", "f", "no", "n", "0" -> Optional.of(0.0);
      default -> Optional.empty();
    };
  }

  private static boolean infinite(String text) {
    return text.equalsIgnoreCase("INFINITY");
  }

  /** As Grid Engine prints an amount: six decimals. */
  public static String six(double amount) {
    return String.format(Locale.ROOT, "%.6f", amount);
  }
}
