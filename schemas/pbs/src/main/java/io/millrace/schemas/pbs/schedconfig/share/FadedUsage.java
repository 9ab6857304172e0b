package io.millrace.schemas.pbs.schedconfig.share;

/**
 * What an entity has used, in thousandths, and how it fades: by the same factor for all, so that
 * only the sum of the factors' logarithms is kept, and no entity's record changes when time passes.
 */
public final class FadedUsage {
  /** No usage is less: PBS divides by it. */
  public static final long LEAST_MILLI = 1_000;

  /** No usage is more, and none is added that is more. */
  public static final long MOST_MILLI = 1_000_000_000_000_000_000L;

  private static final double LN_2 = StrictMath.log(2);

  private FadedUsage() {}

  /** By how much usage fades at once by a factor above 0 and below 1: its binary logarithm. */
  public static double of(double factor) {
    return StrictMath.log(factor) / LN_2;
  }

  /**
   * What is left of a usage.
   *
   * @param milli in thousandths, when usage had faded by {@code then}
   */
  public static long now(long milli, double then, double now) {
    return now(milli, left(then, now));
  }

  /** What is left of 1. */
  public static double left(double then, double now) {
    return then == now ? 1 : StrictMath.pow(2, now - then);
  }

  /**
   * What is left of a usage.
   *
   * @param left of 1, as {@link #left} says
   */
  public static long now(long milli, double left) {
    return Math.max(LEAST_MILLI, Math.min(MOST_MILLI, (long) (milli * left)));
  }

  /** An amount in thousandths; nothing, where it is no number or below 0. */
  public static long milli(double amount) {
    double milli = amount * 1000;
    return Double.isNaN(milli) ? 0 : (long) Math.max(0, Math.min(MOST_MILLI, Math.rint(milli)));
  }

  /** A usage with more of it, or less; within the bounds. */
  public static long plus(long milli, long more) {
    long bounded = Math.max(-MOST_MILLI, Math.min(MOST_MILLI, more));
    return Math.max(LEAST_MILLI, Math.min(MOST_MILLI, milli + bounded));
  }
}
