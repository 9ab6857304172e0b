package io.millrace.schemas;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Seeds of property tests: a few fixed ones and one of the day in every run, many at night. {@code
 * -Dmillrace.day=20261124} repeats the seed of a day.
 */
public final class Seeds {

  /** Whether this is the nightly run, which may take long. */
  public static final boolean NIGHT = Boolean.getBoolean("millrace.night");

  /** Seed of the day; a test that fails with it reports it. */
  public static final long TODAY = Long.getLong("millrace.day", 20261124);

  private Seeds() {}

  /**
   * Seeds without duplicates: the given ones and that of the day, at night also those from 1 to
   * {@code atNight}.
   */
  public static long[] of(int atNight, long... always) {
    LongStream many = NIGHT ? LongStream.rangeClosed(1, atNight) : LongStream.empty();
    LongStream few = LongStream.concat(Arrays.stream(always), LongStream.of(TODAY));
    return LongStream.concat(many, few).distinct().toArray();
  }

  /**
   * The seeds between the values of two system properties if these are set, else as {@link #of}
   * says.
   */
  public static long[] asked(String first, String last, int atNight, long... always) {
    Integer asked = Integer.getInteger(last);
    return asked == null
        ? of(atNight, always)
        : LongStream.rangeClosed(Integer.getInteger(first, 1), asked).toArray();
  }
}
