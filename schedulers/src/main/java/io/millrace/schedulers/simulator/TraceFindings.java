package io.millrace.schedulers.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Counts what was wrong with a trace and keeps the first few line numbers of each kind. */
public final class TraceFindings {

  private static final int LINES_KEPT = 3;

  private final Map<TraceFinding, Integer> counts = new EnumMap<>(TraceFinding.class);
  private final Map<TraceFinding, List<Integer>> lines = new EnumMap<>(TraceFinding.class);

  void add(TraceFinding finding, int line) {
    counts.merge(finding, 1, Integer::sum);
    List<Integer> first = lines.computeIfAbsent(finding, it -> new ArrayList<>());
    if (first.size() < LINES_KEPT) {
      first.add(line);
    }
  }

  void addAll(TraceFindings others) {
    others.counts.forEach((finding, count) -> counts.merge(finding, count, Integer::sum));
    others.lines.forEach(
        (finding, numbers) -> {
          List<Integer> first = lines.computeIfAbsent(finding, it -> new ArrayList<>());
          numbers.stream().limit(LINES_KEPT - (long) first.size()).forEach(first::add);
        });
  }

  public int count(TraceFinding finding) {
    return counts.getOrDefault(finding, 0);
  }

  /** Numbers of the first lines, the first line of the file being 1. */
  public List<Integer> lines(TraceFinding finding) {
    return List.copyOf(lines.getOrDefault(finding, List.of()));
  }

  /** One sentence for each kind that was met, in the order of {@link TraceFinding}. */
  public List<String> sentences() {
    return Arrays.stream(TraceFinding.values()).flatMap(it -> sentence(it).stream()).toList();
  }

  /** The sentence for a kind; empty when it was not met. */
  public Optional<String> sentence(TraceFinding finding) {
    int count = count(finding);
    return count == 0 ? Optional.empty() : Optional.of(sentence(finding, count));
  }

  private String sentence(TraceFinding finding, int count) {
    String where =
        lines.get(finding).stream().map(String::valueOf).collect(Collectors.joining(", "));
    boolean more = count > lines.get(finding).size();
    return count
        + (count == 1 ? " line " : " lines ")
        + finding.text()
        + (count == 1 ? " (line " : " (lines ")
        + where
        + (more ? ", ..." : "")
        + ")";
  }
}
