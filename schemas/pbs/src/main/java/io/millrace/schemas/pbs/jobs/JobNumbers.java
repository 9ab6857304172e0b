package io.millrace.schemas.pbs.jobs;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of jobs. A subjob of an array has one number as well: that of its array in the lower 40
 * bits, its index plus one above. Ids are {@code 12.server}, {@code 12[].server} for an array and
 * {@code 12[3].server} for a subjob.
 */
public final class JobNumbers {
  private static final int ARRAY_BITS = 40;
  private static final long ARRAY = (1L << ARRAY_BITS) - 1;

  /** Order by array, then by index: an array comes before its subjobs. */
  public static final Comparator<Long> ORDER =
      Comparator.<Long>comparingLong(JobNumbers::array)
          .thenComparingLong(number -> number >>> ARRAY_BITS);

  /** Highest index of a subjob. */
  public static final int INDEX_MAX = 9_999_998;

  private static final int DIGITS_MAX = 12;
  private static final Pattern ID = Pattern.compile("(\\d{1,12})(?:\\[(\\d{0,7})])?(?:\\..*)?");

  private JobNumbers() {}

  /** The number of a job id; -1 when it has none. */
  public static long of(String id) {
    long number = 0;
    for (int i = 0; i < id.length(); i++) {
      char digit = id.charAt(i);
      if (digit == '.' && i > 0) {
        return number;
      }
      if (digit < '0' || digit > '9' || i == DIGITS_MAX) {
        return bracketed(id);
      }
      number = number * 10 + digit - '0';
    }
    return id.isEmpty() ? -1 : number;
  }

  private static long bracketed(String id) {
    Matcher match = ID.matcher(id);
    if (!match.matches()) {
      return -1;
    }
    long number = Long.parseLong(match.group(1));
    String index = match.group(2);
    boolean subjob = index != null && !index.isEmpty();
    return subjob ? subjob(number, Integer.parseInt(index)) : number;
  }

  public static long subjob(long array, int index) {
    return array | (index + 1L) << ARRAY_BITS;
  }

  public static boolean isSubjob(long number) {
    return number > ARRAY;
  }

  /** The number of the job itself, or of the array to which a subjob belongs. */
  public static long array(long number) {
    return number & ARRAY;
  }

  public static int index(long number) {
    return (int) (number >>> ARRAY_BITS) - 1;
  }

  /**
   * The id of a job or a subjob. An array's id has brackets, which cannot be told from its number.
   */
  public static String id(long number, String server) {
    return isSubjob(number)
        ? array(number) + "[" + index(number) + "]." + server
        : number + "." + server;
  }
}
