package io.millrace.connectors.local.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Which processors of a host lie together.
 *
 * @param nodes those of each NUMA node
 * @param cores those of each core, its threads
 */
public record HostTopology(List<ProcessorSet> nodes, List<ProcessorSet> cores) {

  public HostTopology {
    nodes = List.copyOf(nodes);
    cores = List.copyOf(cores);
  }

  /**
   * Reads it from the kernel's files; what a kernel does not tell is left out.
   *
   * @param system {@code /sys/devices/system}
   */
  public static HostTopology read(Path system) throws IOException {
    return new HostTopology(
        lists(system.resolve("node"), "node[0-9]*", "cpulist"),
        lists(system.resolve("cpu"), "cpu[0-9]*", "topology/thread_siblings_list"));
  }

  private static List<ProcessorSet> lists(Path folder, String glob, String file)
      throws IOException {
    List<ProcessorSet> lists = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
        for (Path entry : entries) {
          Path list = entry.resolve(file);
          if (Files.exists(list)) {
            lists.add(ProcessorSet.of(Files.readString(list)));
          }
        }
      }
    }
    return lists.stream()
        .filter(list -> !list.isEmpty()) // a node of memory alone
        .distinct()
        .sorted(Comparator.comparing(list -> list.numbers().first()))
        .toList();
  }

  /**
   * Chooses processors that lie together: within the NUMA node that has the most of them, otherwise
   * on as few nodes as possible; there whole cores first.
   *
   * @return empty where there are not so many
   */
  public Optional<ProcessorSet> choose(ProcessorSet free, int wanted) {
    if (wanted < 1 || free.size() < wanted) {
      return Optional.empty();
    }
    ProcessorSet chosen = ProcessorSet.NONE;
    for (ProcessorSet place : places(free)) {
      chosen = chosen.and(wholeCores(place, wanted - chosen.size()));
    }
    return Optional.of(chosen);
  }

  /** What is free of each node, and what is of none; the most first. */
  private List<ProcessorSet> places(ProcessorSet free) {
    List<ProcessorSet> places = new ArrayList<>();
    ProcessorSet elsewhere = free;
    for (ProcessorSet node : nodes) {
      places.add(free.in(node));
      elsewhere = elsewhere.without(node);
    }
    places.add(elsewhere);
    places.sort(Comparator.comparing(ProcessorSet::size).reversed());
    return places;
  }

  private ProcessorSet wholeCores(ProcessorSet place, int most) {
    ProcessorSet chosen = ProcessorSet.NONE;
    for (ProcessorSet core : cores) {
      if (place.containsAll(core)) {
        chosen = chosen.and(core.first(most - chosen.size()));
      }
    }
    return chosen.and(place.without(chosen).first(most - chosen.size()));
  }
}
