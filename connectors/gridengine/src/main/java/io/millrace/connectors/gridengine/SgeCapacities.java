package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How much of its consumables each host has: {@code qhost} tells what is left, and only {@code
 * qconf -se}, of one host at a time, what there is. Those of which nobody has told it yet are asked
 * for first, and of the others a few with each look at the hosts; so are those of which qmaster
 * tells nothing.
 */
final class SgeCapacities {

  /** So many hosts are asked for at one look while some are not known. */
  private static final int NEW_AT_ONCE = 20;

  /** So many are asked for again. */
  private static final int AGAIN = 2;

  /** So much time may be lost at one look with hosts of which nothing is told. */
  private static final Duration LOST_MOST = Duration.ofSeconds(5);

  private static final String VALUES = "complex_values";

  private final ClusterFile file;
  private final CommandRunner runner;
  private final SgeComplexes complexes;

  /** What is known by host; those asked for last stand last. */
  private final Map<String, Map<String, Long>> known = new LinkedHashMap<>();

  /** Of which qmaster told nothing when it was asked; those asked for last stand last. */
  private final Set<String> refused = new LinkedHashSet<>();

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
    refused.retainAll(names);
    Duration lost = Duration.ZERO;
    for (String host : due(names)) {
      List<String> words = List.of(file.program("qconf"), "-se", host);
      OutsideAnswer said = runner.run(file.commands(SgeKeys.environment(file)).own(words));
      if (!said.isGood()) {
        behind(host);
        lost = lost.plus(said.took());
        if (lost.compareTo(LOST_MOST) > 0) {
          break; // the others are asked for with the next look
        }
        continue;
      }
      refused.remove(host);
      known.remove(host);
      known.put(host, complexes.amounts(values(said.out())));
    }
    return hosts.stream().map(it -> it.with(known.getOrDefault(it.name(), Map.of()))).toList();
  }

  private List<String> due(List<String> names) {
    List<String> due =
        new ArrayList<>(
            names.stream()
                .filter(it -> !known.containsKey(it) && !refused.contains(it))
                .limit(NEW_AT_ONCE)
                .toList());
    refused.stream().filter(it -> !known.containsKey(it)).limit(AGAIN).forEach(due::add);
    known.keySet().stream().limit(AGAIN).forEach(due::add);
    return due;
  }

  /** It keeps what is known of it, and nobody waiting. */
  private void behind(String host) {
    Map<String, Long> before = known.remove(host);
    if (before != null) {
      known.put(host, before);
    }
    refused.remove(host);
    refused.add(host);
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
