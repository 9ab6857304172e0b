package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The value of {@code preempt_order}: how a running job is preempted; the first way that is
 * possible is used. {@code SR} holds for all jobs; {@code SR 80 R 50 D} says {@code SR} while more
 * than 80 % of the job's time is left, {@code R} while more than 50 % is, and {@code D} after that.
 *
 * @param steps by the percentage of time left, largest first
 */
public record PreemptOrder(List<PreemptStep> steps) {

  /** Suspend, checkpoint, requeue, delete. Millrace cannot checkpoint, so C is skipped. */
  private static final String LETTERS = "SCRD";

  private static final int EVERYTHING = 100;

  /**
   * Letters out of {@code SCRD}, in the order in which they are tried.
   *
   * @param abovePercent the step holds while more than this percentage of the job's time is left;
   *     -1 for the last step
   */
  public record PreemptStep(String letters, int abovePercent) {}

  /** Parses a text; empty when it is malformed. */
  public static Optional<PreemptOrder> parse(String text) {
    String[] words = text.strip().split("\\s+");
    List<PreemptStep> steps = new ArrayList<>();
    int before = EVERYTHING;
    for (int i = 0; i < words.length; i += 2) {
      boolean last = i + 1 == words.length;
      if (!letters(words[i]) || !last && !words[i + 1].matches("\\d{1,2}")) {
        return Optional.empty();
      }
      int percent = last ? -1 : Integer.parseInt(words[i + 1]);
      if (percent >= before) {
        return Optional.empty();
      }
      steps.add(new PreemptStep(words[i], percent));
      before = percent;
    }
    // A number at the end must be followed by letters for the time below it.
    return words.length % 2 == 1
        ? Optional.of(new PreemptOrder(List.copyOf(steps)))
        : Optional.empty();
  }

  private static boolean letters(String word) {
    return !word.isEmpty()
        && word.chars().allMatch(it -> LETTERS.indexOf(it) >= 0)
        && word.chars().distinct().count() == word.length();
  }

  /**
   * The ways to preempt a job with this much of its time left.
   *
   * @param percentLeft from 0 to 100
   */
  public String letters(double percentLeft) {
    for (PreemptStep step : steps) {
      if (percentLeft > step.abovePercent) {
        return step.letters;
      }
    }
    return steps.get(steps.size() - 1).letters;
  }

  /** True when some step allows no other way than this. */
  public boolean only(char letter) {
    return steps.stream().anyMatch(it -> it.letters.equals(String.valueOf(letter)));
  }

  /** True when the order depends on the time left. */
  public boolean byTime() {
    return steps.size() > 1;
  }

  /** The text in normal form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (PreemptStep step : steps) {
      text.append(text.isEmpty() ? "" : " ").append(step.letters);
      text.append(step.abovePercent < 0 ? "" : " " + step.abovePercent);
    }
    return text.toString();
  }
}
