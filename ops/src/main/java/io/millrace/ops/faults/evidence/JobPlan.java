package io.millrace.ops.faults.evidence;

import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Plan for one job: its script and the operations on it. Depends on the seed and the job's number
 * only.
 *
 * @param number from 0
 * @param runMs how long its script sleeps
 * @param exitStatus what its script ends with
 * @param operation what is asked for it later
 * @param operationAfterMs how long after its submission
 */
public record JobPlan(
    int number, int runMs, int exitStatus, Optional<JobOperation> operation, int operationAfterMs) {
  private static final int RUN_MS_MAX = 2000;
  private static final int OPERATION_AFTER_MS_MAX = 1500;

  public static JobPlan of(long seed, int number) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
    int runMs = random.nextInt(RUN_MS_MAX + 1);
    int exitStatus = random.nextInt(7) == 0 ? 1 + random.nextInt(9) : 0;
    Optional<JobOperation> operation =
        switch (random.nextInt(12)) {
          case 0 -> Optional.of(JobOperation.DELETE);
          case 1 -> Optional.of(JobOperation.HOLD);
          case 2 -> Optional.of(JobOperation.RERUN);
          default -> Optional.empty();
        };
    return new JobPlan(
        number, runMs, exitStatus, operation, random.nextInt(OPERATION_AFTER_MS_MAX));
  }

  /** The plan of the job with this token. */
  public static JobPlan ofToken(long seed, String token) {
    return of(seed, Integer.parseInt(token.substring(1)));
  }

  public String token() {
    return String.format("t%06d", number);
  }
}
