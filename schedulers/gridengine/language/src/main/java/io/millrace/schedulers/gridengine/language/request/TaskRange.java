package io.millrace.schedulers.gridengine.language.request;

import java.util.List;
import java.util.stream.IntStream;

/** Task numbers of an array: {@code n[-m[:s]]}. */
public record TaskRange(int from, int to, int step) {

  /** The task range of a job that is not an array: task 1. */
  public static final TaskRange SINGLE = new TaskRange(1, 1, 1);

  public static TaskRange of(String text) {
    if (!text.matches("\\d{1,7}(-\\d{1,7}(:\\d{1,7})?)?")) {
      throw new RequestRefused("qsub: invalid option argument \"-t " + text + "\"", 7);
    }
    String[] parts = text.split("[-:]");
    int from = Integer.parseInt(parts[0]);
    int to = parts.length > 1 ? Integer.parseInt(parts[1]) : from;
    int step = parts.length > 2 ? Integer.parseInt(parts[2]) : 1;
    if (from == 0 || to == 0 || step == 0) {
      throw new RequestRefused(
          "Numerical value invalid!\nThe initial portion of string \""
              + text
              + "\" contains no decimal number",
          7);
    }
    return new TaskRange(Math.min(from, to), Math.max(from, to), step);
  }

  public int count() {
    return (to - from) / step + 1;
  }

  public boolean contains(int task) {
    return task >= from && task <= to && (task - from) % step == 0;
  }

  public List<Integer> numbers() {
    return IntStream.iterate(from, task -> task <= to, task -> task + step).boxed().toList();
  }

  @Override
  public String toString() {
    return from + "-" + to + ":" + step;
  }
}
