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

  private static final String AMOUNTS = "amounts";

  Path runs() {
    return folder.resolve("runs");
  }

  String host() {
    return folder.getFileName().toString();
  }

  /** The node of a host that the cluster has named. */
  static ForwardNode of(Path nodes, OutsideHost host) throws IOException {
    Map<String, Long> measured = new TreeMap<>();
    if (host.cpus() >= 0) {
      measured.put("ncpus", (long) host.cpus());
    }
    if (host.memoryBytes() > UNSET_MEMORY) {
      measured.put("mem", host.memoryBytes());
    }
    ForwardNode node = new ForwardNode(nodes.resolve(host.name()), measured);
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

  /** All nodes that were there before. */
  static List<ForwardNode> remembered(Path nodes) throws IOException {
    List<ForwardNode> all = new ArrayList<>();
    try (Stream<Path> folders = Files.list(nodes)) {
      for (Path folder : folders.filter(it -> Files.exists(it.resolve(AMOUNTS))).toList()) {
        Map<String, Long> measured = new LinkedHashMap<>();
        for (String line : Files.readAllLines(folder.resolve(AMOUNTS))) {
          String[] pair = line.split("=", 2);
          measured.put(pair[0], Long.parseLong(pair[1]));
        }
        all.add(new ForwardNode(folder, measured));
      }
    }
    return all;
  }
}
