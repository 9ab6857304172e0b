package io.millrace.schemas;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Which histories a test of properties plays: a few that are fixed and one of the day whenever
 * tests run, many at night. {@code -Dmillrace.day=20261124} is that of another day.
 */
public final class Seeds {

  /** Whether this run may take long. */
  public static final boolean NIGHT = Boolean.getBoolean("millrace.night");

  /** Another one each day, told by every test that fails with it. */
  public static final long TODAY = Long.getLong("millrace.day", 20261124);

  private Seeds() {}

  /**
   * Without repetition: the given ones and that of the day; at night also those from 1 to {@code
   * atNight}.
   */
  public static long[] of(int atNight, long... always) {
    LongStream many = NIGHT ? LongStream.rangeClosed(1, atNight) : LongStream.empty();
    LongStream few = LongStream.concat(Arrays.stream(always), LongStream.of(TODAY));
    return LongStream.concat(many, few).distinct().toArray();
  }

  /** Those that somebody asked for by two properties of this name, else as {@link #of} says. */
  public static long[] asked(String first, String last, int atNight, long... always) {
    Integer asked = Integer.getInteger(last);
    return asked == null
        ? of(atNight, always)
        : LongStream.rangeClosed(Integer.getInteger(first, 1), asked).toArray();
  }
}
