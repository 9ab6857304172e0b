package io.millrace.server.gateway.print;

import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Units of sizes in tables. A number has at most four digits, so that it fits a column. */
public enum SizeUnit {
  /** The unit in which the size was asked for. */
  AS_ASKED,
  /** Whole gigabytes, rounded up. */
  GIGABYTES,
  /** Whole megawords of eight bytes, rounded up. */
  MEGAWORDS;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgtp]?)([bw]?)");
  private static final String LETTERS = " kmgtpezy";
  private static final int MEGA = 2;
  private static final int GIGA = 3;
  private static final int DIGITS_MAX = 9_999;
  private static final int STEP = 10;
  private static final int WORD = 8;

  /** The size in this unit, or in a larger one where it would be too long. */
  public String show(String size) {
    Matcher match = SIZE.matcher(size.toLowerCase(Locale.ROOT));
    if (!match.matches()) {
      return size;
    }
    int asked = match.group(2).isEmpty() ? 0 : LETTERS.indexOf(match.group(2));
    boolean inWords = match.group(3).equals("w");
    boolean words = this == MEGAWORDS || (this == AS_ASKED && inWords);
    int unit = this == MEGAWORDS ? MEGA : this == GIGABYTES ? GIGA : asked;
    BigInteger bytes =
        BigInteger.valueOf(Long.parseLong(match.group(1)) * (inWords ? WORD : 1))
            .shiftLeft(asked * STEP);
    BigInteger one = BigInteger.valueOf(words ? WORD : 1).shiftLeft(unit * STEP);
    BigInteger most = BigInteger.valueOf(DIGITS_MAX);
    while (up(bytes, one).compareTo(most) > 0) {
      one = one.shiftLeft(STEP);
      unit++;
    }
    String letter = unit == 0 ? "" : LETTERS.substring(unit, unit + 1);
    return up(bytes, one) + letter + (words ? "w" : "b");
  }

  private static BigInteger up(BigInteger amount, BigInteger unit) {
    return amount.add(unit).subtract(BigInteger.ONE).divide(unit);
  }
}
