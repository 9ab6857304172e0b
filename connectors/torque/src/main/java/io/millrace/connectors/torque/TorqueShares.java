package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsidePlaces;
import io.millrace.connectors.openpbs.family.PbsResources;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a job has of each of its hosts, as its fields say it. */
final class TorqueShares {

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})(?:-([0-9]{1,6}))?");

  private TorqueShares() {}

  /**
   * By the processors that {@code exec_host} names, {@code n1/0-3+n2/0}: memory that was asked for
   * goes with them, or is of the job as a whole, and what else each node was asked for is in {@code
   * nodes=}.
   *
   * @param table what resources are called there, by their names here
   */
  static List<OutsideHolding> holdings(Map<String, String> fields, Map<String, String> table) {
    Map<String, Long> processors = new TreeMap<>();
    for (String each : fields.getOrDefault("exec_host", "").split("\\+")) {
      String[] pair = each.split("/", 2);
      for (String range : pair.length == 2 ? pair[1].split(",") : new String[0]) {
        Matcher form = RANGE.matcher(range);
        if (form.matches()) {
          long first = Long.parseLong(form.group(1));
          long last = form.group(2) == null ? first : Long.parseLong(form.group(2));
          processors.merge(OutsidePlaces.name(pair[0]), Math.max(1, last - first + 1), Long::sum);
        }
      }
    }
    long all = processors.values().stream().mapToLong(it -> it).sum();
    long whole = PbsUnits.bytes(fields.getOrDefault("Resource_List.mem", ""));
    long each = PbsUnits.bytes(fields.getOrDefault("Resource_List.pmem", ""));
    Map<String, Long> more = ofNode(fields.getOrDefault("Resource_List.nodes", ""), table);
    return processors.entrySet().stream()
        .map(
            it -> {
              Map<String, Long> amounts = new TreeMap<>(more);
              amounts.put(OutsideHolding.NCPUS, it.getValue());
              amounts.put(
                  OutsideHolding.MEM,
                  whole > 0 ? share(whole, it.getValue(), all) : each * it.getValue());
              return OutsideHolding.of(it.getKey(), amounts);
            })
        .toList();
  }

  /** A part of an amount, in whole kilobytes. */
  private static long share(long whole, long part, long all) {
    return ((whole >> 10) / all + ((whole >> 10) % all == 0 ? 0 : 1)) * part << 10;
  }

  /** What each node was asked for, where all were asked for the same. */
  private static Map<String, Long> ofNode(String nodes, Map<String, String> table) {
    Map<String, Long> amounts = new TreeMap<>();
    for (String word : nodes.contains("+") ? new String[0] : nodes.split(":")) {
      String[] pair = word.split("=", 2);
      table.forEach(
          (here, there) -> {
            if (pair.length == 2 && pair[0].equals(there)) {
              amounts.put(here, PbsResources.amount(pair[1]));
            }
          });
    }
    return amounts;
  }
}
