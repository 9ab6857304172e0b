package io.millrace.ops.faults.kill;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The moments and victims of kills; depends on the seed and the names of the parts only. */
public final class KillSchedule {
  private static final int GAP_MS_MAX = 2500;

  /** Strikes out of 10 that wait until all parts serve again; the others hit during a recovery. */
  private static final int CALM_OF_TEN = 6;

  /** Strikes out of 10 that kill two parts at once. */
  private static final int DOUBLE_OF_TEN = 2;

  /**
   * @param calm waits until all parts serve
   * @param gapMs then waits so long
   * @param parts one or two that die at the same moment
   */
  public record Strike(boolean calm, int gapMs, List<String> parts) {}

  private final SplittableRandom random;
  private final List<String> parts;

  public KillSchedule(long seed, List<String> parts) {
    this.random = new SplittableRandom(seed);
    this.parts = List.copyOf(parts);
  }

  /**
   * @param killsLeft most parts that may die
   */
  public Strike next(int killsLeft) {
    boolean calm = random.nextInt(10) < CALM_OF_TEN;
    int gapMs = random.nextInt(GAP_MS_MAX);
    boolean two = random.nextInt(10) < DOUBLE_OF_TEN && killsLeft > 1;
    List<String> victims = new ArrayList<>();
    victims.add(parts.get(random.nextInt(parts.size())));
    if (two) {
      List<String> others = parts.stream().filter(part -> !victims.contains(part)).toList();
      victims.add(others.get(random.nextInt(others.size())));
    }
    return new Strike(calm, gapMs, List.copyOf(victims));
  }
}
