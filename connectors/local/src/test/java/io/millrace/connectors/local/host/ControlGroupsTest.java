package io.millrace.connectors.local.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tree of groups is a folder of files here. */
class ControlGroupsTest {
  private static final String CONTROL = "cgroup.subtree_control";

  @TempDir Path directory;

  @Test
  void theTreesOfVersionTwoAreFound() {
    String mounts =
        """
        25 30 0:23 / /sys rw,nosuid - sysfs sysfs rw
        28 25 0:25 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
        29 25 0:26 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw
        """;
    assertEquals(List.of(Path.of("/sys/fs/cgroup/unified")), ControlGroups.trees(mounts));
  }

  @Test
  void eachSpoolHasAPlaceWhoseControllersAreHandedDown() throws Exception {
    Path tree = tree("cpu memory pids");
    Path spool = Files.createDirectories(directory.resolve("a/spool"));
    Files.writeString(tree.resolve(CONTROL), "cpu memory pids\n");
    RunGroups groups = offer(tree, spool, GroupSettings.ALL);
    assertEquals(
        "each run has a control group, but no processors of its own: the controller cpuset is not"
            + " that of "
            + tree,
        groups.told());
    assertEquals(Optional.empty(), groups.processors());
    Path place = spool.resolve("groups").toRealPath();
    assertEquals(tree.resolve("millrace").toRealPath(), place.getParent());
    assertTrue(place.getFileName().toString().endsWith("-a-spool"), place.toString());
    assertEquals("cpu memory pids\n", Files.readString(tree.resolve(CONTROL)));
    for (Path level : List.of(place, place.getParent())) {
      assertEquals("+memory +pids", Files.readString(level.resolve(CONTROL)));
    }
    assertFalse(Files.exists(place.resolve("cpuset.cpus")));
    ControlGroups.withdraw(spool);
    assertFalse(Files.exists(spool.resolve("groups")));
    assertTrue(Files.exists(place), "runs are in there");
  }

  @Test
  void processorsAreHandedDownWhereTheTreeHasTheirController() throws Exception {
    Path tree = tree("cpuset cpu memory pids");
    Path spool = Files.createDirectories(directory.resolve("spool"));
    RunGroups groups = offer(tree, spool, GroupSettings.ALL);
    assertEquals("each run has a control group, and processors of its own", groups.told());
    Path place = spool.resolve("groups").toRealPath();
    for (Path level : List.of(tree, place.getParent(), place)) {
      // The kernel adds what is written; the last that was is what a file keeps.
      assertEquals("+cpuset", Files.readString(level.resolve(CONTROL)));
    }
    Files.writeString(place.resolve("cpuset.cpus.effective"), "0-7\n");
    ProcessorGroups processors = groups.processors().orElseThrow();
    assertEquals("0-7", processors.available().text());
    Path run = Files.createDirectories(place.resolve("1.vm.1"));
    Files.createFile(run.resolve("cpuset.cpus"));
    processors.bind("1.vm.1", ProcessorSet.of("2-3"));
    assertEquals("2-3", processors.of("1.vm.1").text());
    assertEquals(ProcessorSet.NONE, processors.ofOthers(Set.of("1.vm.1")));
    Path far = Files.createDirectories(place.resolveSibling("other-spool").resolve("1.vm.1"));
    Files.writeString(far.resolve("cpuset.cpus"), "6\n");
    Files.writeString(far.resolve("cgroup.events"), "populated 1\nfrozen 0\n");
    assertEquals("2-3,6", processors.ofOthers(Set.of()).text());
    assertEquals("6", processors.ofOthers(Set.of("1.vm.1")).text(), "another spool's run");
    Files.writeString(far.resolve("cgroup.events"), "populated 0\nfrozen 0\n");
    assertEquals("2-3", processors.ofOthers(Set.of()).text(), "nothing lives in the other one");
  }

  @Test
  void runsAreKeptFromProcessorsThatAreNotForThem() throws Exception {
    Path tree = tree("cpuset memory pids");
    Path spool = Files.createDirectories(directory.resolve("spool"));
    Path ours = Files.createDirectories(tree.resolve("millrace"));
    Files.writeString(ours.resolve("cpuset.cpus.effective"), "0-7\n");
    assertTrue(
        offer(tree, spool, new GroupSettings(true, true, ProcessorSet.of("2-7")))
            .processors()
            .isPresent());
    Path within = spool.resolve("groups").toRealPath().resolve("cpuset.cpus");
    assertEquals("2-7\n", Files.readString(within));
    GroupSettings none = new GroupSettings(true, false, ProcessorSet.NONE);
    RunGroups groups = offer(tree, spool, none);
    assertEquals("each run has a control group", groups.told());
    assertEquals(Optional.empty(), groups.processors());
    assertEquals("\n", Files.readString(within), "what was said before does not hold any more");
    GroupSettings absent = new GroupSettings(true, true, ProcessorSet.of("6-9"));
    IOException refused = assertThrows(IOException.class, () -> offer(tree, spool, absent));
    assertEquals("--cpuset 6-9: the processors of this host are 0-7", refused.getMessage());
  }

  /** An administrator keeps the others for something: all of them are not what he wants. */
  @Test
  void processorsThatRunsCannotBeKeptWithinAreRefused() throws Exception {
    Path spool = Files.createDirectories(directory.resolve("spool"));
    GroupSettings some = new GroupSettings(true, true, ProcessorSet.of("2-7"));
    Path tree = tree("memory pids");
    IOException refused = assertThrows(IOException.class, () -> offer(tree, spool, some));
    assertEquals(
        "--cpuset 2-7 cannot be kept: the controller cpuset is not that of " + tree,
        refused.getMessage());
    assertFalse(Files.exists(spool.resolve("groups")), "nothing starts without them");
    refused =
        assertThrows(
            IOException.class, () -> ControlGroups.offer(List.of(), spool, some, directory));
    assertEquals(
        "--cpuset 2-7 cannot be kept: the host has no control groups of version 2",
        refused.getMessage());
  }

  @Test
  void whereNoneCanBeMadeTheReasonIsSaid() throws Exception {
    Path tree = tree("memory pids");
    Files.createFile(tree.resolve("millrace"));
    Path spool = Files.createDirectories(directory.resolve("spool"));
    String why = offer(tree, spool, GroupSettings.ALL).told();
    assertTrue(
        why.startsWith("runs have no control groups: no group can be made in " + tree + ": "), why);
    assertFalse(Files.exists(spool.resolve("groups")));
  }

  private Path tree(String controllers) throws IOException {
    Path tree = Files.createDirectories(directory.resolve("tree"));
    Files.writeString(tree.resolve("cgroup.controllers"), controllers + "\n");
    return tree;
  }

  /** As when an executor starts. */
  private RunGroups offer(Path tree, Path spool, GroupSettings wanted) throws IOException {
    return ControlGroups.offer(List.of(tree), spool, wanted, directory.resolve("system"));
  }
}
