package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.system.OutsideHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A host of the cluster as a node: its folder, and what the host has, which is remembered for the
 * time when the cluster does not answer.
 *
 * @param folder of the node in the spool
 * @param measured amounts in base units
 */
record ForwardNode(Path folder, Map<String, Long> measured) {

  /** What Slurm says of a node whose memory nobody has set. */
  private static final long UNSET_MEMORY = 1L << 20;

  /** What each host has, whatever the file names. */
  private static final Set<String> OF_ALL = Set.of("ncpus", "mem");

  private static final String AMOUNTS = "amounts";

  Path runs() {
    return folder.resolve("runs");
  }

  String host() {
    return folder.getFileName().toString();
  }

  /** Whether it is known what the host has. */
  boolean isMeasured() {
    return measured.containsKey("ncpus");
  }

  /**
   * The node of a host that the cluster has named; of one that is down it may say no amounts.
   *
   * @param named resources that the cluster's file names: of what it named once nothing is left
   */
  static ForwardNode of(Path nodes, OutsideHost host, Set<String> named) throws IOException {
    Path folder = nodes.resolve(host.name());
    Map<String, Long> measured = new TreeMap<>(amounts(folder, named));
    if (host.cpus() >= 0) {
      measured.put("ncpus", (long) host.cpus());
    }
    if (host.memoryBytes() > UNSET_MEMORY) {
      measured.put("mem", host.memoryBytes());
    }
    measured.putAll(host.resources());
    ForwardNode node = new ForwardNode(folder, measured);
    node.remember();
    return node;
  }

  private void remember() throws IOException {
    Files.createDirectories(runs());
    List<String> lines = new ArrayList<>();
    measured.forEach((name, amount) -> lines.add(name + "=" + amount));
    Path file = folder.resolve(AMOUNTS);
    if (!Files.exists(file) || !Files.readAllLines(file).equals(lines)) {
      Path draft = folder.resolve(AMOUNTS + ".new");
      Files.write(draft, lines);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * All nodes that were there before.
   *
   * @param named resources that the cluster's file names
   */
  static List<ForwardNode> remembered(Path nodes, Set<String> named) throws IOException {
    List<ForwardNode> all = new ArrayList<>();
    try (Stream<Path> folders = Files.list(nodes)) {
      for (Path folder : folders.filter(it -> Files.exists(it.resolve(AMOUNTS))).toList()) {
        all.add(new ForwardNode(folder, amounts(folder, named)));
      }
    }
    return all;
  }

  private static Map<String, Long> amounts(Path folder, Set<String> named) throws IOException {
    Map<String, Long> measured = new LinkedHashMap<>();
    Path file = folder.resolve(AMOUNTS);
    for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
      String[] pair = line.split("=", 2);
      if (OF_ALL.contains(pair[0]) || named.contains(pair[0])) {
        measured.put(pair[0], Long.parseLong(pair[1]));
      }
    }
    return measured;
  }
}
