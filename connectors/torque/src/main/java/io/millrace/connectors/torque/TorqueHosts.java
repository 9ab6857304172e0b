package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsResources;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The hosts of {@code pbsnodes -x}, and the queues of {@code qstat -Q -f}. */
final class TorqueHosts {

  private static final Set<String> USABLE = Set.of("free", "job-exclusive", "job-sharing");
  static final String QUEUE = "Queue: ";
  private static final String MEMORY = "physmem=";

  private TorqueHosts() {}

  /**
   * Reads what the commands have said.
   *
   * @param table what resources are called there, by their names here
   */
  static Told<OutsideInventory> read(
      OutsideAnswer nodes, OutsideAnswer queues, Map<String, String> table) {
    List<OutsideHost> hosts = new ArrayList<>();
    Optional<String> trouble =
        TorqueXml.read(
            nodes,
            "Node",
            it -> hosts.add(host(it).having(PbsResources.ofHost(it, "", table), table.keySet())));
    if (trouble.isPresent()) {
      return Told.nothing("pbsnodes: " + trouble.get());
    }
    if (!queues.isGood()) {
      return Told.nothing("qstat -Q: " + queues.trouble());
    }
    List<String> names =
        queues
            .out()
            .lines()
            .filter(it -> it.startsWith(QUEUE))
            .map(it -> it.substring(QUEUE.length()).strip())
            .toList();
    return Told.of(new OutsideInventory(hosts, names));
  }

  private static OutsideHost host(Map<String, String> fields) {
    String state = fields.getOrDefault("state", "");
    String power = fields.getOrDefault("power_state", "Running");
    String processors = fields.getOrDefault("np", "");
    return new OutsideHost(
        fields.getOrDefault("name", ""),
        USABLE.containsAll(List.of(state.split(","))) && power.equals("Running"),
        power.equals("Running") ? state : state + "+" + power,
        processors.matches("[0-9]{1,6}") ? Integer.parseInt(processors) : -1,
        memory(fields.getOrDefault("status", "")),
        fields);
  }

  private static long memory(String status) {
    for (String word : status.split(",")) {
      if (word.startsWith(MEMORY)) {
        return PbsUnits.bytes(word.substring(MEMORY.length()));
      }
    }
    return -1;
  }
}
