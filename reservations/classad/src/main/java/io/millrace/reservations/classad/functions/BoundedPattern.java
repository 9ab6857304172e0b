package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.BoundExceeded;
import io.millrace.reservations.classad.evaluation.Evaluator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression whose search is counted as work: each look at a character costs, so that a
 * pattern that tries endlessly is given up.
 */
final class BoundedPattern {

  private static final int LOOKS_A_STEP = 8;
  private static final int COMPILED_STEPS = 30;

  /** Loops over nothing look at no character: how often something is repeated is bounded itself. */
  private static final long MOST_REPETITIONS = 10_000;

  private static final Pattern REPETITION = Pattern.compile("\\{(\\d+)(?:,(\\d*))?\\}");

  private final Pattern pattern;
  private final Evaluator evaluator;

  private BoundedPattern(Pattern pattern, Evaluator evaluator) {
    this.pattern = pattern;
    this.evaluator = evaluator;
  }

  /**
   * Compiles a pattern.
   *
   * @param options of i, m, s and x those that are in it count
   * @return null when it is no pattern
   */
  static BoundedPattern of(String pattern, String options, Evaluator evaluator) {
    checkRepetitions(pattern);
    evaluator.charge(COMPILED_STEPS + pattern.length());
    int flags = Pattern.UNIX_LINES;
    flags |= options.indexOf('i') >= 0 ? Pattern.CASE_INSENSITIVE : 0;
    flags |= options.indexOf('m') >= 0 ? Pattern.MULTILINE : 0;
    flags |= options.indexOf('s') >= 0 ? Pattern.DOTALL : 0;
    flags |= options.indexOf('x') >= 0 ? Pattern.COMMENTS : 0;
    try {
      return new BoundedPattern(Pattern.compile(pattern, flags), evaluator);
    } catch (PatternSyntaxException e) {
      return null;
    } catch (StackOverflowError e) {
      // The library of Java compiles and searches by recursion without a bound of its own.
      throw tooDeep();
    }
  }

  private static void checkRepetitions(String pattern) {
    long all = 1;
    Matcher found = REPETITION.matcher(pattern);
    while (found.find()) {
      all *= Math.max(1, Math.max(number(found.group(1)), number(found.group(2))));
      if (all > MOST_REPETITIONS) {
        throw new BoundExceeded(
            "a pattern repeats something more than " + MOST_REPETITIONS + " times");
      }
    }
  }

  /** The number of a repetition; of a long one, one that is too large. */
  private static long number(String digits) {
    if (digits == null || digits.isEmpty()) {
      return 0;
    }
    return digits.length() > 6 ? MOST_REPETITIONS + 1 : Long.parseLong(digits);
  }

  private static BoundExceeded tooDeep() {
    return new BoundExceeded("a pattern is nested too deep for its text");
  }

  /** A search in a text; nothing found yet. */
  Matcher in(String text) {
    return pattern.matcher(new Counted(text, evaluator));
  }

  /** Searches on from the end of what was found before. */
  static boolean next(Matcher matcher) {
    try {
      return matcher.find();
    } catch (StackOverflowError e) {
      throw tooDeep();
    }
  }

  /** A text that counts how often it is looked at. */
  private static final class Counted implements CharSequence {
    private final String text;
    private final Evaluator evaluator;
    private int looks;

    Counted(String text, Evaluator evaluator) {
      this.text = text;
      this.evaluator = evaluator;
    }

    @Override
    public char charAt(int index) {
      if (++looks % LOOKS_A_STEP == 0) {
        evaluator.charge(1);
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
