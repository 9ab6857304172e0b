package io.millrace.server.gateway.chart;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Nodes over a period: a row for each, in which a character is a part of the period. Nodes that
 * look alike share a row.
 */
public final class NodeChart {

  /** What holds something of a node. */
  public enum Holder {
    JOB,
    BOOKING,
    MAINTENANCE
  }

  private static final String LEGEND =
      "= job   # booked   % both   M maintenance   . free   ! not usable now\n";

  /** By the holders of a part, the first of them in the lowest bit. */
  private static final String MARKS = ".=#%MMMM";

  private static final int ROWS_MAX = 50;
  private static final int WIDTH_MIN = 40;
  private static final int WIDTH_MAX = 500;

  /** As many digits as the numbers in names are compared by. */
  private static final int DIGITS = 12;

  private static final Pattern NUMBER = Pattern.compile("\\d{1," + DIGITS + "}");

  private final long fromMs;
  private final long toMs;
  private final Map<String, ChartRow> rows =
      new TreeMap<>(Comparator.comparing(NodeChart::sorted).thenComparing(it -> it));

  /**
   * @param fromMs start of the period, milliseconds since 1970
   * @param toMs its end
   */
  public NodeChart(long fromMs, long toMs) {
    this.fromMs = fromMs;
    this.toMs = toMs;
  }

  /** Adds a node. */
  public void node(String name, boolean usable) {
    rows.put(name, new ChartRow(usable, new ArrayList<>()));
  }

  /** Notes that something of a node is held for a time; of another node it is left out. */
  public void hold(String node, long startMs, long endMs, Holder holder) {
    ChartRow row = rows.get(node);
    if (row != null && startMs < toMs && endMs > fromMs && startMs < endMs) {
      row.held.add(new HolderStay(Math.max(startMs, fromMs), Math.min(endMs, toMs), holder));
    }
  }

  /** The chart in lines of at most so many characters, but for a terminal too narrow for any. */
  public String text(int width, ZoneId zone) {
    int whole = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, width));
    String more = " +" + rows.size();
    int longest = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
    int name = Math.min(longest, whole / 3 - more.length());
    int label = name + more.length() + 1;
    TimeAxis axis = new TimeAxis(fromMs, toMs, whole - label - 1);
    Map<String, List<String>> alike = new LinkedHashMap<>();
    rows.forEach(
        (node, row) -> alike.computeIfAbsent(row.drawn(axis), it -> new ArrayList<>()).add(node));
    StringBuilder out = new StringBuilder();
    out.append(" ".repeat(label)).append(axis.labels(zone).stripTrailing()).append('\n');
    int shown = 0;
    int nodes = 0;
    for (Map.Entry<String, List<String>> row : alike.entrySet()) {
      if (shown++ < ROWS_MAX) {
        out.append(label(row.getValue(), name, label)).append(row.getKey()).append('\n');
        nodes += row.getValue().size();
      }
    }
    if (shown > ROWS_MAX) {
      int cut = shown - ROWS_MAX;
      out.append(cut).append(" more rows, of ").append(rows.size() - nodes);
      out.append(" nodes, are not shown\n");
    }
    return out.append(LEGEND).toString();
  }

  /** The first of the nodes of a row, and how many more there are. */
  private static String label(List<String> nodes, int name, int label) {
    String first = nodes.get(0);
    String cut = first.length() <= name ? first : first.substring(0, name - 1) + "~";
    String more = nodes.size() == 1 ? "" : " +" + (nodes.size() - 1);
    return cut + more + " ".repeat(label - 1 - cut.length() - more.length());
  }

  /** Numbers in names count as such: n9 comes before n10. */
  private static String sorted(String name) {
    return NUMBER
        .matcher(name)
        .replaceAll(m -> "0".repeat(DIGITS - m.group().length()) + m.group());
  }

  private record HolderStay(long startMs, long endMs, Holder holder) {}

  private record ChartRow(boolean usable, List<HolderStay> held) {
    private String drawn(TimeAxis axis) {
      int[] holders = new int[axis.columns()];
      for (HolderStay each : held) {
        int last = axis.column(each.endMs() - 1);
        for (int i = axis.column(each.startMs()); i <= last; i++) {
          holders[i] |= 1 << each.holder().ordinal();
        }
      }
      StringBuilder drawn = new StringBuilder(usable ? " " : "!");
      for (int each : holders) {
        drawn.append(MARKS.charAt(each));
      }
      return drawn.toString();
    }
  }
}
