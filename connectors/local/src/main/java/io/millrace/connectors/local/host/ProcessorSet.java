package io.millrace.connectors.local.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Some processors of a host, by the kernel's numbers. */
public record ProcessorSet(NavigableSet<Integer> numbers) {
  public static final ProcessorSet NONE = new ProcessorSet(List.of());

  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

  /** No kernel numbers more. */
  private static final int MOST = 65_536;

  public ProcessorSet {
    numbers = Collections.unmodifiableNavigableSet(new TreeSet<>(numbers));
  }

  public ProcessorSet(Collection<Integer> numbers) {
    this(new TreeSet<>(numbers));
  }

  /**
   * Reads the kernel's form of a list, such as {@code 0-3,8}.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static ProcessorSet of(String text) {
    NavigableSet<Integer> numbers = new TreeSet<>();
    for (String part : text.isBlank() ? new String[0] : text.strip().split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw new IllegalArgumentException("no list of processors such as 0-3,8: " + text.strip());
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first || last >= MOST) {
        throw new IllegalArgumentException("no list of processors such as 0-3,8: " + text.strip());
      }
      for (int number = first; number <= last; number++) {
        numbers.add(number);
      }
    }
    return new ProcessorSet(numbers);
  }

  /** The same in the kernel's form. */
  public String text() {
    StringBuilder text = new StringBuilder();
    List<Integer> left = new ArrayList<>(numbers);
    for (int first = 0, last; first < left.size(); first = last + 1) {
      last = first;
      while (last + 1 < left.size() && left.get(last + 1) == left.get(last) + 1) {
        last++;
      }
      text.append(text.isEmpty() ? "" : ",").append(left.get(first));
      if (last > first) {
        text.append('-').append(left.get(last));
      }
    }
    return text.toString();
  }

  public boolean isEmpty() {
    return numbers.isEmpty();
  }

  public int size() {
    return numbers.size();
  }

  public boolean containsAll(ProcessorSet others) {
    return numbers.containsAll(others.numbers);
  }

  public ProcessorSet and(ProcessorSet others) {
    NavigableSet<Integer> all = new TreeSet<>(numbers);
    all.addAll(others.numbers);
    return new ProcessorSet(all);
  }

  public ProcessorSet without(ProcessorSet others) {
    NavigableSet<Integer> left = new TreeSet<>(numbers);
    left.removeAll(others.numbers);
    return new ProcessorSet(left);
  }

  public ProcessorSet in(ProcessorSet others) {
    NavigableSet<Integer> common = new TreeSet<>(numbers);
    common.retainAll(others.numbers);
    return new ProcessorSet(common);
  }

  /** Those with the lowest numbers. */
  ProcessorSet first(int count) {
    return new ProcessorSet(numbers.stream().limit(count).toList());
  }
}
