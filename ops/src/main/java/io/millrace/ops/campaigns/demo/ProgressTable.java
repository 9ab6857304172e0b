package io.millrace.ops.campaigns.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of clusters, kills and progress that a terminal shows. */
final class ProgressTable {

  /** Lines are written over, so they must not wrap on a terminal of 80 columns. */
  private static final int BAR = 12;

  private static final int PROCESSORS_BAR = 24;
  private static final Pattern CLUSTER = Pattern.compile("^(\\S+), partition .*");
  private static final Pattern FIELD = Pattern.compile("^ +(\\w+): (\\d+)$");

  private final int tasks;
  private Map<String, Map<String, Integer>> usage = Map.of();

  ProgressTable(int tasks) {
    this.tasks = tasks;
  }

  /** Takes what {@code gridclusters -u} says. */
  void used(List<String> lines) {
    Map<String, Map<String, Integer>> all = new TreeMap<>();
    Map<String, Integer> fields = new TreeMap<>();
    for (String line : lines) {
      Matcher cluster = CLUSTER.matcher(line);
      Matcher field = FIELD.matcher(line);
      if (cluster.matches()) {
        fields = new TreeMap<>();
        all.put(cluster.group(1), fields);
      } else if (field.matches()) {
        fields.put(field.group(1), Integer.parseInt(field.group(2)));
      }
    }
    usage = all;
  }

  private int used(String cluster, String field) {
    return usage.getOrDefault(cluster, Map.of()).getOrDefault(field, 0);
  }

  /** The same as lines; of processors # are tasks, = local jobs, and dots idle ones. */
  List<String> lines(List<String> clusters, ClusterTally tally, long seconds) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-8s %-" + (PROCESSORS_BAR + 2) + "s %5s %5s %7s %6s %6s",
            "cluster",
            "processors",
            "tasks",
            "local",
            "waiting",
            "done",
            "killed"));
    for (String cluster : clusters) {
      ClusterTally.TallyRow row = tally.row(cluster);
      int all = Math.max(1, used(cluster, "max_resources"));
      int mine = used(cluster, "used_by_cigri");
      int local = Math.max(0, used(cluster, "used_resources") - mine);
      lines.add(
          String.format(
              "%-8s [%s] %5d %5d %7d %6d %6d",
              cluster,
              bar(all, mine, local),
              mine,
              local,
              row.waiting(),
              row.done(),
              row.killed()));
    }
    lines.add(line(tally, seconds));
    return lines;
  }

  private static String bar(int all, int tasks, int local) {
    int first = Math.min(PROCESSORS_BAR, PROCESSORS_BAR * tasks / all);
    int second = Math.min(PROCESSORS_BAR, PROCESSORS_BAR * (tasks + local) / all);
    return "#".repeat(first) + "=".repeat(second - first) + ".".repeat(PROCESSORS_BAR - second);
  }

  /** How far the campaign is. */
  String line(ClusterTally tally, long seconds) {
    int filled = (int) ((long) BAR * tally.done() / tasks);
    return String.format(
        Locale.ROOT,
        "[%s%s] %d of %d done, %d killed and tried again, %d s",
        "#".repeat(filled),
        ".".repeat(BAR - filled),
        tally.done(),
        tasks,
        tally.killed(),
        seconds);
  }
}
