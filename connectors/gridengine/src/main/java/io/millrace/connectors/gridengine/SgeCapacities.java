package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much of its consumables each host has: {@code qhost} tells what is left, and only {@code
 * qconf -se}, of one host at a time, what there is. Those of which nobody has told it yet are asked
 * for first, and of the others a few with each look at the hosts.
 */
final class SgeCapacities {

  /** So many hosts are asked for at one look while some are not known. */
  private static final int NEW_AT_ONCE = 20;

  /** So many are asked for again. */
  private static final int AGAIN = 2;

  private static final String VALUES = "complex_values";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final SgeComplexes complexes;

  /** What is known by host; those asked for last stand last. */
  private final Map<String, Map<String, Long>> known = new LinkedHashMap<>();

  SgeCapacities(ClusterFile file, CommandRunner runner, SgeComplexes complexes) {
    this.file = file;
    this.runner = runner;
    this.complexes = complexes;
  }

  /** The same hosts with what is known that they have. */
  synchronized List<OutsideHost> of(List<OutsideHost> hosts) throws InterruptedException {
    if (complexes.table().isEmpty()) {
      return hosts;
    }
    List<String> names = hosts.stream().map(OutsideHost::name).toList();
    known.keySet().retainAll(names);
    List<String> due =
        new ArrayList<>(
            names.stream().filter(it -> !known.containsKey(it)).limit(NEW_AT_ONCE).toList());
    known.keySet().stream().limit(AGAIN).forEach(due::add);
    for (String host : due) {
      List<String> words = List.of(file.program("qconf"), "-se", host);
      OutsideAnswer said = runner.run(file.commands(SgeKeys.environment(file)).own(words));
      if (!said.isGood()) {
        break; // what is not told now is asked for with the next look
      }
      Map<String, Long> amounts = complexes.amounts(values(said.out()));
      known.remove(host);
      known.put(host, amounts);
    }
    return hosts.stream().map(it -> it.with(known.getOrDefault(it.name(), Map.of()))).toList();
  }

  /** The values of complexes that a host has set, as {@code qconf -se} prints them. */
  static Map<String, String> values(String text) {
    Map<String, String> values = new TreeMap<>();
    for (String line : text.replaceAll("\\\\\n\\s*", "").lines().toList()) {
      String[] words = line.strip().split("\\s+", 2);
      if (words.length == 2 && words[0].equals(VALUES)) {
        for (String each : words[1].split(",")) {
          String[] pair = each.split("=", 2);
          if (pair.length == 2) {
            values.put(pair[0].strip(), pair[1].strip());
          }
        }
      }
    }
    return values;
  }
}
