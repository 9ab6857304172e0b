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
  private static final Path SYSTEM = Path.of("/sys/devices/system");
  private static final List<String> NEEDED = List.of("memory", "pids");
  private static final String CPUSET = "cpuset";
  private static final String CONTROLLERS = "cgroup.controllers";
  private static final String CONTROL = "cgroup.subtree_control";
  private static final String LINK = "groups";

  private ControlGroups() {}

  /**
   * Makes the place for the runs of a spool.
   *
   * @throws IOException also when runs cannot be kept within the processors that they are to have
   */
  public static RunGroups offer(Path spool, GroupSettings wanted) throws IOException {
    List<Path> trees = wanted.offered() ? trees(Files.readString(MOUNTS)) : List.of();
    return offer(trees, spool, wanted, SYSTEM);
  }

  /**
   * The same with these trees of groups.
   *
   * @param system where the kernel tells which processors lie together
   */
  static RunGroups offer(List<Path> trees, Path spool, GroupSettings wanted, Path system)
      throws IOException {
    withdraw(spool);
    RunGroups made = made(trees, spool, wanted, system);
    if (!wanted.only().isEmpty() && made.processors().isEmpty()) {
      withdraw(spool);
      throw new IOException(
          "--cpuset " + wanted.only().text() + " cannot be kept: " + made.none() + made.shared());
    }
    return made;
  }

  private static RunGroups made(List<Path> trees, Path spool, GroupSettings wanted, Path system)
      throws IOException {
    if (!wanted.offered()) {
      return RunGroups.without("they are not wanted");
    }
    for (Path tree : trees) {
      if (words(tree.resolve(CONTROLLERS)).containsAll(NEEDED)) {
        return made(tree, spool, wanted, system);
      }
    }
    return RunGroups.without(
        trees.isEmpty()
            ? "the host has no control groups of version 2"
            : "the controllers memory and pids are not those of " + trees.get(0));
  }

  /** In a tree of groups that has what is needed. */
  private static RunGroups made(Path tree, Path spool, GroupSettings wanted, Path system)
      throws IOException {
    Path ours = tree.resolve("millrace");
    Path place = ours.resolve(spool.toAbsolutePath().toString().substring(1).replace('/', '-'));
    List<Path> levels = List.of(tree, ours, place);
    try {
      Files.createDirectories(place);
      for (Path level : levels) {
        handDown(level.resolve(CONTROL), NEEDED);
      }
    } catch (IOException e) {
      return RunGroups.without("no group can be made in " + tree + ": " + e);
    }
    Optional<String> shared = shared(levels, wanted);
    Optional<ProcessorGroups> processors = Optional.empty();
    if (wanted.bound() && shared.isEmpty()) {
      processors = Optional.of(new ProcessorGroups(place, HostTopology.read(system)));
    }
    Files.createSymbolicLink(spool.resolve(LINK), place);
    return new RunGroups("", processors, shared.orElse(""));
  }

  /**
   * Hands the controller of processors down; runs are kept within those that they may have by the
   * place itself, whether they are bound or not.
   *
   * @param levels from the tree to the place
   * @return why all runs share all processors although they are to have some of their own
   */
  private static Optional<String> shared(List<Path> levels, GroupSettings wanted)
      throws IOException {
    Path tree = levels.get(0);
    Path place = levels.get(levels.size() - 1);
    try {
      if (wanted.bound()) {
        if (!words(tree.resolve(CONTROLLERS)).contains(CPUSET)) {
          return Optional.of("the controller cpuset is not that of " + tree);
        }
        for (Path level : levels) {
          handDown(level.resolve(CONTROL), List.of(CPUSET));
        }
      }
    } catch (IOException e) {
      return Optional.of("the controller cpuset cannot be handed down in " + tree + ": " + e);
    }
    if (!wanted.only().isEmpty()) {
      checkThatThereAre(wanted.only(), place.resolveSibling("cpuset.cpus.effective"));
    }
    Path within = place.resolve(ProcessorGroups.OWN);
    String before = Files.exists(within) ? Files.readString(within).strip() : "";
    if (!before.equals(wanted.only().text())) {
      Files.writeString(within, wanted.only().text() + "\n");
    }
    return Optional.empty();
  }

  private static void checkThatThereAre(ProcessorSet wanted, Path file) throws IOException {
    ProcessorSet there = ProcessorSet.of(Files.readString(file));
    if (!there.containsAll(wanted)) {
      throw new IOException(
          "--cpuset " + wanted.text() + ": the processors of this host are " + there.text());
    }
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

  private static void handDown(Path control, List<String> controllers) throws IOException {
    if (!words(control).containsAll(controllers)) {
      Files.writeString(control, "+" + String.join(" +", controllers));
    }
  }

  private static List<String> words(Path file) throws IOException {
    return Files.exists(file)
        ? Arrays.asList(Files.readString(file).strip().split("\\s+"))
        : List.of();
  }
}
