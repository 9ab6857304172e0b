package io.millrace.connectors.local.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others have, while some of them end: the kernel's files go while they are read. */
class ProcessorGroupsTest {
  @TempDir Path directory;

  private Path place;
  private ProcessorGroups groups;

  @BeforeEach
  void place() throws Exception {
    place = Files.createDirectories(directory.resolve("millrace/spool"));
    groups = new ProcessorGroups(place, new HostTopology(List.of(), List.of()));
    group("1.vm.1", "2-3\n");
  }

  private Path group(String run, String processors) throws IOException {
    Path group = Files.createDirectories(place.resolve(run));
    Files.writeString(group.resolve("cgroup.events"), "populated 1\nfrozen 0\n");
    Files.writeString(group.resolve("cpuset.cpus"), processors);
    return group;
  }

  /** A link to itself cannot be read, and is not there: as a file that was removed when opened. */
  private static void remove(Path file) throws IOException {
    Files.delete(file);
    Files.createSymbolicLink(file, file);
  }

  @Test
  void aRunThatEndsMeanwhileHasNone() throws Exception {
    Path ended = group("2.vm.1", "4-5\n");
    assertEquals("2-5", groups.ofOthers(Set.of()).text());
    remove(ended.resolve("cpuset.cpus"));
    assertEquals("2-3", groups.ofOthers(Set.of()).text());
    assertEquals(ProcessorSet.NONE, groups.of("2.vm.1"));
    remove(ended.resolve("cgroup.events"));
    assertEquals("2-3", groups.ofOthers(Set.of()).text());
  }

  @Test
  void whatIsThereAndCannotBeReadIsAFault() throws Exception {
    Path group = group("2.vm.1", "4-5\n");
    Files.delete(group.resolve("cpuset.cpus"));
    Files.createDirectory(group.resolve("cpuset.cpus"));
    assertThrows(IOException.class, () -> groups.ofOthers(Set.of()));
  }
}
