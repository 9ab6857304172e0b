package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest {

  @TempDir Path folder;
  private ClassArchive archive;
  private Path fresh;
  private String use;

  @BeforeEach
  void archive() {
    Path file = folder.resolve("cds/server.jsa");
    archive = new ClassArchive(file);
    fresh = folder.resolve("cds/server.jsa.new");
    use = "-XX:SharedArchiveFile=" + file;
  }

  /** The same command, as whoever starts a part again has it. */
  @Test
  void whatOneProcessMadeTheNextOneUses() throws Exception {
    List<String> options = archive.makingOptions();
    assertEquals(options, ClassArchive.atStart(options));
    assertTrue(options.contains("-XX:ArchiveClassesAtExit=" + fresh));
    Files.writeString(fresh, "classes");
    for (int start = 0; start < 2; start++) {
      List<String> started = ClassArchive.atStart(options);
      assertTrue(started.contains(use), started.toString());
      assertTrue(started.stream().noneMatch(each -> each.contains("AtExit")), started.toString());
      assertFalse(Files.exists(fresh));
    }
  }

  /** In use it would be read in vain at each start, and never be made anew. */
  @Test
  void oneThatWasBrokenOffIsMadeAnew() throws Exception {
    List<String> options = archive.makingOptions();
    for (int length : List.of(0, 8192)) {
      Files.write(fresh, new byte[length]);
      assertEquals(options, ClassArchive.atStart(options));
      assertFalse(Files.exists(archive.file()));
    }
  }

  @Test
  void whoMakesNoneUsesThatOfAnother() throws Exception {
    assertTrue(archive.usingOptions().stream().noneMatch(option -> option.startsWith("-XX:")));
    Files.createDirectories(archive.file().getParent());
    Files.writeString(archive.file(), "classes");
    assertTrue(archive.usingOptions().contains(use));
  }

  /** A folder in its place cannot be replaced by root either. */
  @Test
  void oneThatCannotBePutIntoUseHindersNoStart() throws Exception {
    Files.createDirectories(archive.file().resolve("inside"));
    Files.writeString(fresh, "classes");
    ClassArchive.atStart(archive.makingOptions());
    assertEquals("classes", Files.readString(fresh));
  }
}
