package io.millrace.schedulers.dialects.origin2000.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How far a figure may lie below and above another, in percent of it. */
public record OriginVariance(int minus, int plus) {

  private static final Pattern PART = Pattern.compile("([-+])(\\d{1,9})%");

  static OriginVariance read(String text) {
    int minus = -1;
    int plus = -1;
    for (String part : text.split(",")) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        throw new IllegalArgumentException("'" + part + "' is no -NN% or +NN%");
      }
      boolean below = matcher.group(1).equals("-");
      if (below ? minus >= 0 : plus >= 0) {
        throw new IllegalArgumentException("the sign " + matcher.group(1) + " is there twice");
      }
      int percent = Integer.parseInt(matcher.group(2));
      minus = below ? percent : minus;
      plus = below ? plus : percent;
    }
    return new OriginVariance(Math.max(minus, 0), Math.max(plus, 0));
  }

  @Override
  public String toString() {
    return "-" + minus + "%,+" + plus + "%";
  }
}
