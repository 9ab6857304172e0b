package io.millrace.server.core.job.array;

import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Parts of an array that somebody names, {@code 1-9:2,20-20:1}. */
final class Indices {
  private static final int TEXT_MAX = 100;

  private Indices() {}

  static boolean named(List<IndexSteps> which, int index) {
    return which.stream()
        .anyMatch(
            steps ->
                index >= steps.getFirst()
                    && index <= steps.getLast()
                    && (index - steps.getFirst()) % steps.getStep() == 0);
  }

  /** Whether the parts can be understood. */
  static boolean sound(List<IndexSteps> which) {
    return which.stream()
        .allMatch(
            steps ->
                steps.getFirst() >= 0
                    && steps.getFirst() <= steps.getLast()
                    && steps.getStep() > 0);
  }

  /** Of the indices that have no record those that are wanted. */
  static List<IndexRange> of(ArrayState state, IntPredicate wanted) {
    int step = state.getStep();
    List<IndexRange> some = new ArrayList<>();
    for (IndexRange range : state.getLeft()) {
      int from = -1;
      for (int i = range.getFirst(); i <= range.getLast(); i += step) {
        boolean in = wanted.test(i);
        if (in && from < 0) {
          from = i;
        } else if (!in && from >= 0) {
          some.add(new IndexRange(from, i - step));
          from = -1;
        }
      }
      if (from >= 0) {
        some.add(new IndexRange(from, range.getLast()));
      }
    }
    return some;
  }

  static int count(List<IndexRange> ranges, int step) {
    int count = 0;
    for (IndexRange range : ranges) {
      count += (range.getLast() - range.getFirst()) / step + 1;
    }
    return count;
  }

  /** As people read it. */
  static String text(List<IndexRange> ranges) {
    List<String> parts = new ArrayList<>();
    for (IndexRange range : ranges) {
      boolean one = range.getFirst() == range.getLast();
      parts.add(one ? "" + range.getFirst() : range.getFirst() + "-" + range.getLast());
    }
    String text = String.join(",", parts);
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
  }

  static String cursor(List<IndexSteps> which) {
    List<String> parts = new ArrayList<>();
    which.forEach(it -> parts.add(it.getFirst() + "-" + it.getLast() + ":" + it.getStep()));
    return String.join(",", parts);
  }

  static List<IndexSteps> parse(String text) {
    List<IndexSteps> which = new ArrayList<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",")) {
      String[] numbers = part.split("[-:]");
      which.add(
          new IndexSteps(
              Integer.parseInt(numbers[0]),
              Integer.parseInt(numbers[1]),
              Integer.parseInt(numbers[2])));
    }
    return which;
  }
}
