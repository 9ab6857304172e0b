package io.millrace.server.core.state;

import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import java.util.ArrayList;
import java.util.List;

/** Texts of index ranges as commands name them, {@code 1-9:2,20-20:1}. */
public final class ArrayIndices {
  private static final int TEXT_MAX = 100;

  private ArrayIndices() {}

  /** Whether the ranges are well-formed. */
  public static boolean sound(List<IndexSteps> which) {
    return which.stream()
        .allMatch(
            steps ->
                steps.getFirst() >= 0
                    && steps.getFirst() <= steps.getLast()
                    && steps.getStep() > 0);
  }

  static int count(List<IndexRange> ranges, int step) {
    int count = 0;
    for (IndexRange range : ranges) {
      count += (range.getLast() - range.getFirst()) / step + 1;
    }
    return count;
  }

  /** The ranges as PBS shows them. */
  public static String text(List<IndexRange> ranges) {
    List<String> parts = new ArrayList<>();
    for (IndexRange range : ranges) {
      boolean one = range.getFirst() == range.getLast();
      parts.add(one ? "" + range.getFirst() : range.getFirst() + "-" + range.getLast());
    }
    String text = String.join(",", parts);
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "...";
  }

  public static String cursor(List<IndexSteps> which) {
    List<String> parts = new ArrayList<>();
    which.forEach(it -> parts.add(it.getFirst() + "-" + it.getLast() + ":" + it.getStep()));
    return String.join(",", parts);
  }

  public static List<IndexSteps> parse(String text) {
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
