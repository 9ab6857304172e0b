package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.ClusterKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Generic resources as Slurm writes them, {@code gpu:tesla:2(S:0-1),nic:1}, by what a cluster file
 * calls them, {@code gres/gpu} or {@code gres/gpu:tesla}.
 */
final class SlurmGres {

  static final ClusterKey.TextForm FORM =
      new ClusterKey.TextForm(
          Pattern.compile("gres/[A-Za-z][A-Za-z0-9_-]{0,63}(:[A-Za-z0-9][A-Za-z0-9_.-]{0,63})?"),
          "gres/NAME or gres/NAME:TYPE, as gres/gpu");

  private static final String BEGIN = "gres/";

  /** Why a run of hosts with different amounts is not submitted: it is said of all its hosts. */
  static final String REFUSAL =
      "Slurm gives a job as much of --gres of each of its hosts, not more of one; ask for as much of"
          + " each, as with place=scatter";

  /** What stands in brackets is which of them, and may have commas. */
  private static final Pattern WHICH = Pattern.compile("\\([^()]*\\)");

  private static final Pattern COUNT = Pattern.compile("([0-9]{1,15})([KMGT]?)");

  private static final int SHIFT = 10;

  private SlurmGres() {}

  /**
   * How many there are of each resource of a table.
   *
   * @param text a list of generic resources
   * @param table what Slurm calls resources, by their names here
   * @return by their names here, those that the list has
   */
  static Map<String, Long> amounts(String text, Map<String, String> table) {
    Map<String, Long> amounts = new TreeMap<>();
    if (table.isEmpty() || text.isEmpty()) {
      return amounts;
    }
    for (String each : WHICH.matcher(text).replaceAll("").split(",")) {
      List<String> parts = List.of(each.split(":"));
      long count = count(parts.get(parts.size() - 1));
      if (parts.size() > 1 && count >= 0) {
        String name = BEGIN + parts.get(0);
        String typed = name + ":" + parts.get(1);
        table.forEach(
            (here, there) -> {
              if (there.equals(name) || parts.size() > 2 && there.equals(typed)) {
                amounts.merge(here, count, Long::sum);
              }
            });
      }
    }
    return amounts;
  }

  private static long count(String text) {
    Matcher form = COUNT.matcher(text);
    if (!form.matches()) {
      return -1;
    }
    long number = Long.parseLong(form.group(1));
    int steps = form.group(2).isEmpty() ? 0 : "KMGT".indexOf(form.group(2)) + 1;
    return number > Long.MAX_VALUE >> (steps * SHIFT) ? -1 : number << (steps * SHIFT);
  }

  /** The words of sbatch that ask for amounts, none or one. */
  static List<String> words(Map<String, Long> asked) {
    return asked.isEmpty()
        ? List.of()
        : List.of(
            "--gres="
                + asked.entrySet().stream()
                    .map(it -> it.getKey().substring(BEGIN.length()) + ":" + it.getValue())
                    .collect(Collectors.joining(",")));
  }
}
