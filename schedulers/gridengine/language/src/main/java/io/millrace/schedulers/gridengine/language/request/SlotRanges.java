package io.millrace.schedulers.gridengine.language.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Slot numbers that a parallel job accepts: {@code n[-[m]]|[-]m,...}. */
public final class SlotRanges {

  /** Upper end of an open range. */
  public static final int WITHOUT_END = 9_999_999;

  /** Numbers from one to another. */
  public record Range(int from, int to) {}

  private final List<Range> ranges;

  private SlotRanges(List<Range> ranges) {
    this.ranges = ranges;
  }

  public static SlotRanges of(String text) {
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      ranges.add(range(part.strip(), text));
    }
    return new SlotRanges(List.copyOf(ranges));
  }

  private static Range range(String part, String whole) {
    if (!part.matches("\\d{1,7}(-(\\d{1,7})?)?|-\\d{1,7}")) {
      throw new RequestRefused("Reading in pe range list: invalid range \"" + whole + "\"", 7);
    }
    int dash = part.indexOf('-');
    int from = dash == 0 ? 1 : Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
    int to = from;
    if (dash >= 0) {
      to = dash == part.length() - 1 ? WITHOUT_END : Integer.parseInt(part.substring(dash + 1));
    }
    if (from == 0 || to == 0) {
      throw new RequestRefused("\"job\" rejected: pe range must be greater than zero");
    }
    return new Range(Math.min(from, to), Math.max(from, to));
  }

  /** The ranges in the order in which they were written. */
  public List<Range> ranges() {
    return ranges;
  }

  public int least() {
    return ranges.stream().mapToInt(Range::from).min().orElseThrow();
  }

  public int most() {
    return ranges.stream().mapToInt(Range::to).max().orElseThrow();
  }

  public boolean single() {
    return least() == most();
  }

  public boolean accepts(int slots) {
    return ranges.stream().anyMatch(range -> range.from() <= slots && slots <= range.to());
  }

  /** The accepted numbers that are not above a limit; empty when there are none. */
  public Optional<SlotRanges> atMost(int limit) {
    List<Range> left =
        ranges.stream()
            .filter(range -> range.from() <= limit)
            .map(range -> new Range(range.from(), Math.min(range.to(), limit)))
            .toList();
    return left.isEmpty() ? Optional.empty() : Optional.of(new SlotRanges(left));
  }

  /** Accepted numbers from the largest to the smallest, none above the limit. */
  public IntStream descending(int limit) {
    int top = Math.min(limit, most());
    int bottom = least();
    return IntStream.iterate(top, slots -> slots >= bottom, slots -> slots - 1)
        .filter(this::accepts);
  }

  /** The mean of the accepted numbers, none above the limit. */
  public int average(int limit) {
    return (int) descending(limit).average().orElse(least());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SlotRanges those && ranges.equals(those.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    for (Range range : ranges) {
      parts.add(range.from() == range.to() ? "" + range.from() : range.from() + "-" + range.to());
    }
    return String.join(",", parts);
  }
}
