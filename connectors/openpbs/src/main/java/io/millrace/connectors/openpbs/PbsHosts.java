package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsResources;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The hosts of {@code pbsnodes -av -F json}, and the queues of {@code qstat -Q -f -F json}. */
final class PbsHosts {

  private static final Set<String> USABLE =
      Set.of("free", "job-busy", "job-exclusive", "resv-exclusive", "job-sharing");

  private PbsHosts() {}

  /**
   * Reads what the commands have said.
   *
   * @param only the queue whose vnodes take jobs; empty for all
   * @param table what resources are called there, by their names here
   */
  static Told<OutsideInventory> read(
      OutsideAnswer nodes,
      OutsideAnswer queues,
      String server,
      Optional<String> only,
      Map<String, String> table) {
    Map<String, List<Map<String, String>>> hosts = new LinkedHashMap<>();
    Optional<String> trouble =
        PbsJson.read(
            nodes,
            server,
            "nodes",
            (name, fields) -> {
              String host = fields.getOrDefault("resources_available.host", name);
              hosts.computeIfAbsent(host, it -> new ArrayList<>()).add(fields);
            });
    if (trouble.isPresent()) {
      return Told.nothing("pbsnodes: " + trouble.get());
    }
    Set<String> names = new LinkedHashSet<>();
    Optional<String> other = PbsJson.read(queues, server, "Queue", (name, it) -> names.add(name));
    if (other.isPresent()) {
      return Told.nothing("qstat -Q: " + other.get());
    }
    List<OutsideHost> all = new ArrayList<>();
    hosts.forEach((name, vnodes) -> all.add(host(name, vnodes, only, table)));
    return Told.of(new OutsideInventory(all, List.copyOf(names)));
  }

  /** A host has what its vnodes have that MoM still tells of. */
  private static OutsideHost host(
      String name,
      List<Map<String, String>> vnodes,
      Optional<String> only,
      Map<String, String> table) {
    Map<String, Long> more = new TreeMap<>();
    boolean usable = false;
    long cpus = -1;
    long memory = -1;
    Set<String> words = new LinkedHashSet<>();
    Map<String, String> kept = new LinkedHashMap<>();
    for (Map<String, String> vnode : vnodes) {
      String state = vnode.getOrDefault("state", "");
      String own = vnode.getOrDefault("resources_available.vnode", name);
      vnode.forEach((key, value) -> kept.put("vnode." + own + "." + key, value));
      boolean isMeant = only.isEmpty() || only.get().equals(vnode.get("queue"));
      if (state.contains("Stale") && vnodes.size() > 1 || !isMeant) {
        continue;
      }
      words.add(state);
      String here = vnode.getOrDefault("resources_available.ncpus", "");
      if (here.matches("[0-9]{1,6}")) {
        cpus = Math.max(cpus, 0) + Long.parseLong(here);
        usable |= Long.parseLong(here) > 0 && USABLE.containsAll(List.of(state.split(",")));
      }
      long bytes = PbsUnits.bytes(vnode.getOrDefault("resources_available.mem", ""));
      PbsResources.ofHost(vnode, "resources_available.", table)
          .forEach((resource, amount) -> more.merge(resource, amount, Long::sum));
      memory = bytes < 0 ? memory : Math.max(memory, 0) + bytes;
    }
    return new OutsideHost(
            name, usable, String.join("+", words), (int) Math.min(cpus, 1 << 30), memory, kept)
        .having(more, table.keySet());
  }
}
