package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The nodes of {@code sinfo --json}. */
final class SlurmHosts {

  private static final Set<String> USABLE = Set.of("idle", "mixed", "allocated");

  /** Flags that a node in use has now and then. */
  private static final Set<String> HARMLESS = Set.of("COMPLETING", "PLANNED");

  private SlurmHosts() {}

  /**
   * Reads what the command has said.
   *
   * @param only the partition whose hosts take jobs; empty for all
   * @param table what Slurm calls resources, by their names here
   */
  static Told<OutsideInventory> read(
      OutsideAnswer answer, Optional<String> only, Map<String, String> table) {
    if (!answer.isGood()) {
      return Told.nothing("sinfo: " + answer.trouble());
    }
    List<OutsideHost> hosts = new ArrayList<>();
    Set<String> partitions = new TreeSet<>();
    Optional<String> trouble =
        SlurmJson.read(
            answer.text().reader(),
            "nodes",
            fields -> {
              List<String> own = List.of(fields.getOrDefault("partitions", "").split(","));
              OutsideHost host = host(fields, only.isEmpty() || own.contains(only.get()));
              Map<String, Long> more = SlurmGres.amounts(fields.getOrDefault("gres", ""), table);
              hosts.add(host.having(more, table.keySet()));
              partitions.addAll(own);
            });
    partitions.remove("");
    return trouble.isPresent()
        ? Told.nothing("sinfo: " + trouble.get())
        : Told.of(new OutsideInventory(hosts, List.copyOf(partitions)));
  }

  private static OutsideHost host(Map<String, String> fields, boolean isMeant) {
    String flags = fields.getOrDefault("state_flags", "");
    String state = fields.getOrDefault("state", "");
    long memory = number(fields, "real_memory");
    return new OutsideHost(
        fields.getOrDefault("name", ""),
        isMeant
            && USABLE.contains(state)
            && (flags.isEmpty() || HARMLESS.containsAll(List.of(flags.split(",")))),
        flags.isEmpty() ? state : state + "+" + flags,
        (int) number(fields, "cpus"),
        memory < 0 ? -1 : memory << 20,
        fields);
  }

  private static long number(Map<String, String> fields, String name) {
    String text = fields.getOrDefault(name, "");
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
  }
}
