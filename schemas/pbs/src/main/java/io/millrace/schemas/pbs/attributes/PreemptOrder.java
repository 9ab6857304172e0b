package io.millrace.schemas.pbs.attributes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The value of {@code preempt_order}: in which way a running job is stopped, the first way that is
 * possible. {@code SR} holds for all; {@code SR 80 R 50 D} says {@code SR} while more than 80 % of
 * the job's time is left, {@code R} while more than 50 % is, and {@code D} after that.
 *
 * @param steps by the time that is left, the most first
 */
public record PreemptOrder(List<Step> steps) {

  /** Suspend, checkpoint, requeue, delete. No job can be checkpointed, so that C is passed over. */
  private static final String LETTERS = "SCRD";

  private static final int EVERYTHING = 100;

  /**
   * Letters out of {@code SCRD}, in the order in which they are tried.
   *
   * @param abovePercent they hold while more than so much of the job's time is left; -1 for the
   *     last step
   */
  public record Step(String letters, int abovePercent) {}

  /** The order of a text; empty when it is malformed. */
  public static Optional<PreemptOrder> parse(String text) {
    String[] words = text.strip().split("\\s+");
    List<Step> steps = new ArrayList<>();
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
      steps.add(new Step(words[i], percent));
      before = percent;
    }
    // A last number without letters says nothing of what comes below it.
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
   * The ways for a job of which so much time is left.
   *
   * @param percentLeft from 0 to 100
   */
  public String letters(double percentLeft) {
    for (Step step : steps) {
      if (percentLeft > step.abovePercent) {
        return step.letters;
      }
    }
    return steps.get(steps.size() - 1).letters;
  }

  /** True when any step leaves no other way than this. */
  public boolean only(char letter) {
    return steps.stream().anyMatch(it -> it.letters.equals(String.valueOf(letter)));
  }

  /** True when it matters how much time is left. */
  public boolean byTime() {
    return steps.size() > 1;
  }

  /** The text, as it is stored and shown. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Step step : steps) {
      text.append(text.isEmpty() ? "" : " ").append(step.letters);
      text.append(step.abovePercent < 0 ? "" : " " + step.abovePercent);
    }
    return text.toString();
  }
}
