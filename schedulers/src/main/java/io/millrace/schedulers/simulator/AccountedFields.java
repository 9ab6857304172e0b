package io.millrace.schedulers.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a record of accounting: {@code NAME=VALUE} with spaces between; a value with spaces
 * is in quotes, in {@code '} where it has {@code "} itself.
 */
final class AccountedFields {

  /** A name begins a word: tried within long words, it would cost the square of their length. */
  private static final Pattern FIELD =
      Pattern.compile("(?<!\\S)([^\\s=]++)=(?:\"([^\"]*+)\"|'([^']*+)'|(\\S*+))(?=\\s|$)");

  /** Times and counts beyond this cannot be. */
  private static final int DIGITS_MAX = 10;

  private final Map<String, String> values = new HashMap<>();

  AccountedFields(String text) {
    Matcher field = FIELD.matcher(text);
    while (field.find()) {
      for (int group = 2; group <= 4; group++) {
        if (field.group(group) != null) {
          values.put(field.group(1), field.group(group));
        }
      }
    }
  }

  /** A value; empty where it is not there. */
  String get(String name) {
    return values.getOrDefault(name, "");
  }

  /** A whole number of at least 0; -1 where there is none. */
  long number(String name) {
    return wholeNumber(get(name));
  }

  static long wholeNumber(String text) {
    return number(text, DIGITS_MAX);
  }

  private static long number(String text, int digitsMax) {
    return text.matches("\\d{1," + digitsMax + "}") ? Long.parseLong(text) : -1;
  }

  /** The first of several that is above 0; -1 where none is. */
  long firstAbove0(String... names) {
    for (String name : names) {
      long value = number(name);
      if (value > 0) {
        return value;
      }
    }
    return -1;
  }

  /**
   * How many processors the job had: what it asked for in all, which PBS tells, or the places of
   * {@code exec_host}, if they are more: a job of Torque may have asked for nodes besides.
   */
  long processors() {
    return Math.max(number("Resource_List.ncpus"), places(get("exec_host")));
  }

  /** {@code n1/0*4+n2/1} has five places, and so has Torque's {@code n1/0-3+n2/1}. */
  private static long places(String execHost) {
    long all = 0;
    for (String piece : execHost.split("\\+")) {
      String place = piece.substring(piece.indexOf('/') + 1);
      int times = place.indexOf('*');
      if (piece.isEmpty()) {
        continue;
      }
      if (times >= 0) {
        all += Math.max(1, number(place.substring(times + 1), 7));
        continue;
      }
      for (String range : place.split(",")) {
        String[] ends = range.split("-", 2);
        long span = ends.length < 2 ? 0 : number(ends[1], 7) - number(ends[0], 7);
        all += 1 + Math.max(0, span);
      }
    }
    return all;
  }
}
