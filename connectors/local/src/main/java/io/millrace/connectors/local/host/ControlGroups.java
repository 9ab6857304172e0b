package io.millrace.connectors.local.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The place where supervisors make a control group (v2) for each run: a folder {@code
 * millrace/SPOOL} in the host's tree of groups, to which {@code groups} in the spool leads. Without
 * that link runs have no groups.
 *
 * <p>Supervisors look for nothing but the link, so that what they do with groups can be tried on a
 * folder of files.
 */
public final class ControlGroups {
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final List<String> NEEDED = List.of("memory", "pids");
  private static final String LINK = "groups";

  private ControlGroups() {}

  /** Makes the place for the runs of a spool; returns why there is none, empty when there is. */
  public static Optional<String> offer(Path spool) throws IOException {
    withdraw(spool);
    List<Path> trees = trees(Files.readString(MOUNTS));
    for (Path tree : trees) {
      if (words(tree.resolve("cgroup.controllers")).containsAll(NEEDED)) {
        return offer(tree, spool);
      }
    }
    return Optional.of(
        trees.isEmpty()
            ? "the host has no control groups of version 2"
            : "the controllers memory and pids are not those of " + trees.get(0));
  }

  /** The same in a tree of groups that has what is needed. */
  static Optional<String> offer(Path tree, Path spool) throws IOException {
    Path ours = tree.resolve("millrace");
    Path place = ours.resolve(spool.toAbsolutePath().toString().substring(1).replace('/', '-'));
    try {
      Files.createDirectories(place);
      for (Path level : List.of(tree, ours, place)) {
        handDown(level.resolve("cgroup.subtree_control"));
      }
    } catch (IOException e) {
      return Optional.of("no group can be made in " + tree + ": " + e);
    }
    Files.createSymbolicLink(spool.resolve(LINK), place);
    return Optional.empty();
  }

  /** Runs that start from now on have no groups. */
  public static void withdraw(Path spool) throws IOException {
    Files.deleteIfExists(spool.resolve(LINK));
  }

  /** Where trees of version 2 are mounted. */
  static List<Path> trees(String mounts) {
    List<Path> trees = new ArrayList<>();
    for (String line : mounts.split("\n")) {
      int type = line.indexOf(" - ");
      if (type > 0 && line.startsWith("cgroup2 ", type + 3)) {
        trees.add(Path.of(line.split(" ")[4]));
      }
    }
    return trees;
  }

  private static void handDown(Path control) throws IOException {
    if (!words(control).containsAll(NEEDED)) {
      Files.writeString(control, "+memory +pids");
    }
  }

  private static List<String> words(Path file) throws IOException {
    return Files.exists(file)
        ? Arrays.asList(Files.readString(file).strip().split("\\s+"))
        : List.of();
  }
}
