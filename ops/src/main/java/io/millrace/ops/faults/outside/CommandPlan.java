package io.millrace.ops.faults.outside;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** What goes wrong at which call of a command; depends on the seed and its name only. */
final class CommandPlan {
  private static final int EACH = 10;

  /** So that each of them comes about in a small run. */
  private static final int TWICE_AT = 4;

  private static final int CUT_EACH = 7;
  private static final int CUT_AT = 3;

  /** Longer than the time limit of commands. */
  private static final int LATE_S = 60;

  private static final String SWALLOW = "swallow";

  private static final int SLOW_S = 2;

  /** The word of a call that meets no fault; it is that of calls beyond the last line, too. */
  static final String NONE = "none";

  private CommandPlan() {}

  /** Nothing fails but that each tenth submission is carried out and not answered. */
  static List<String> swallowing(int calls) {
    return IntStream.rangeClosed(1, calls)
        .mapToObj(call -> call % EACH == 0 ? SWALLOW : NONE)
        .toList();
  }

  /**
   * A word for each call: {@code none}; {@code swallow}, carried out and not answered; {@code
   * twice}, carried out twice; {@code cut}, half of its answer is there; {@code late}, answered
   * after so many seconds; {@code unsent}, neither carried out nor answered.
   *
   * @param submits whether the command is the one that submits
   */
  static List<String> lines(String command, boolean submits, long seed, int calls) {
    SplittableRandom random = new SplittableRandom(seed * 31 + command.hashCode());
    List<String> lines = new ArrayList<>();
    for (int call = 1; call <= calls; call++) {
      int dice = random.nextInt(100);
      if (submits && call % EACH == 0) {
        lines.add(SWALLOW);
      } else if (submits && call % EACH == TWICE_AT) {
        lines.add("twice");
      } else if (!submits && call % CUT_EACH == CUT_AT || dice < 4) {
        lines.add("cut");
      } else if (dice < 8) {
        lines.add("late " + LATE_S);
      } else if (dice < 12) {
        lines.add("late " + SLOW_S);
      } else {
        lines.add(dice < 14 ? "unsent" : NONE);
      }
    }
    return lines;
  }
}
