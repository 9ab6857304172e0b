package io.millrace.connectors.local.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tree of groups is a folder of files here. */
class ControlGroupsTest {
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
    Path tree = Files.createDirectories(directory.resolve("tree"));
    Path spool = Files.createDirectories(directory.resolve("a/spool"));
    Files.writeString(tree.resolve("cgroup.subtree_control"), "cpu memory pids\n");
    assertEquals(Optional.empty(), ControlGroups.offer(tree, spool));
    Path place = spool.resolve("groups").toRealPath();
    assertEquals(tree.resolve("millrace").toRealPath(), place.getParent());
    assertTrue(place.getFileName().toString().endsWith("-a-spool"), place.toString());
    assertEquals("cpu memory pids\n", Files.readString(tree.resolve("cgroup.subtree_control")));
    for (Path level : List.of(place, place.getParent())) {
      assertEquals("+memory +pids", Files.readString(level.resolve("cgroup.subtree_control")));
    }
    ControlGroups.withdraw(spool);
    assertFalse(Files.exists(spool.resolve("groups")));
    assertTrue(Files.exists(place), "runs are in there");
  }

  @Test
  void whereNoneCanBeMadeTheReasonIsSaid() throws Exception {
    Path tree = Files.createDirectories(directory.resolve("tree"));
    Files.createFile(tree.resolve("millrace"));
    Path spool = Files.createDirectories(directory.resolve("spool"));
    String why = ControlGroups.offer(tree, spool).orElseThrow();
    assertTrue(why.startsWith("no group can be made in " + tree + ": "), why);
    assertFalse(Files.exists(spool.resolve("groups")));
  }
}
