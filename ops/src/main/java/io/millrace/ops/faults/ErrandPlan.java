package io.millrace.ops.faults;

import java.util.Optional;
import java.util.SplittableRandom;

/**
 * What one job is to do and what will be done to it; follows from the seed and its number alone.
 *
 * @param number from 0
 * @param runMs how long its script sleeps
 * @param exitStatus what its script ends with
 * @param deed what is asked for it later
 * @param deedAfterMs how long after its submission
 */
record ErrandPlan(int number, int runMs, int exitStatus, Optional<Deed> deed, int deedAfterMs) {
  private static final int RUN_MS_MAX = 2000;
  private static final int DEED_AFTER_MS_MAX = 1500;

  static ErrandPlan of(long seed, int number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    int runMs = random.nextInt(RUN_MS_MAX + 1);
    int exitStatus = random.nextInt(7) == 0 ? 1 + random.nextInt(9) : 0;
    Optional<Deed> deed =
        switch (random.nextInt(12)) {
          case 0 -> Optional.of(Deed.DELETE);
          case 1 -> Optional.of(Deed.HOLD);
          case 2 -> Optional.of(Deed.RERUN);
          default -> Optional.empty();
        };
    return new ErrandPlan(number, runMs, exitStatus, deed, random.nextInt(DEED_AFTER_MS_MAX));
  }

  /** The plan behind a token. */
  static ErrandPlan ofToken(long seed, String token) {
    return of(seed, Integer.parseInt(token.substring(1)));
  }

  String token() {
    return String.format("t%06d", number);
  }
}
