package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.ValueType;
import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** How much of a consumable is used from when on. Sums of decimals are kept free of rounding. */
final class Usage {

  /** Amounts that are no whole numbers are counted in millionths, as they are printed. */
  private static final double MILLIONTHS = 1e6;

  private static final double SAME = 1e-9;

  private final UsageProfile profile = new UsageProfile();
  private final double scale;

  Usage(Complex complex) {
    scale = complex.type() == ValueType.DOUBLE ? MILLIONTHS : 1;
  }

  void add(Span span, double amount) {
    long to = span.to() >= Numbers.UNLIMITED_S ? UsageProfile.FOREVER : span.to();
    profile.debit(span.from(), to, Math.round(amount * scale));
  }

  /** The largest use within [from, to), or at from when that is empty. */
  double maximum(long from, long to) {
    return profile.max(from, Math.max(to, from + 1)) / scale;
  }

  /** What is used by those that never end. */
  double atTheEnd() {
    return profile.used(profile.steps() - 1) / scale;
  }

  /**
   * From when on never more than so much is used: the last step down to it or below. Gaps before
   * that are not looked for.
   *
   * @return empty when it is exceeded at the end; 0 when it is never exceeded
   */
  OptionalLong lastingBelow(double most) {
    long limit = (long) Math.floor(most * scale + SAME);
    for (int step = profile.steps() - 1; step >= 0; step--) {
      if (profile.used(step) > limit) {
        boolean last = step == profile.steps() - 1;
        return last ? OptionalLong.empty() : OptionalLong.of(profile.time(step + 1));
      }
    }
    return OptionalLong.of(0);
  }

  /** Times at which the use changes. */
  Collection<Long> changes() {
    return IntStream.range(1, profile.steps()).mapToObj(profile::time).toList();
  }

  static boolean above(double amount, double limit) {
    return amount > limit + SAME;
  }
}
