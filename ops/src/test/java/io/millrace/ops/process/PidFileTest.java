package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is identified by more than its number. */
class PidFileTest {

  @TempDir Path folder;

  private static void write(Path file, PidFile mark) throws IOException {
    Files.writeString(file, mark.pid() + " " + mark.ticks() + " " + mark.boot() + "\n");
  }

  @Test
  void aLiveProcessIsFoundAndADeadOneIsNot() throws IOException, InterruptedException {
    Path file = folder.resolve("part.pid");
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      PidFile mark = PidFile.of(process.pid()).orElseThrow();
      write(file, mark);
      assertEquals(Optional.of(mark), PidFile.alive(file));
    } finally {
      process.destroyForcibly();
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(Optional.empty(), PidFile.alive(file));
  }

  @Test
  void aRecycledNumberIsNotTheProcess() throws IOException {
    PidFile own = PidFile.of(ProcessHandle.current().pid()).orElseThrow();
    Path file = folder.resolve("part.pid");
    write(file, new PidFile(own.pid(), own.ticks() - 1, own.boot()));
    assertEquals(Optional.empty(), PidFile.alive(file));
    write(file, new PidFile(own.pid(), own.ticks(), "another-boot"));
    assertEquals(Optional.empty(), PidFile.alive(file));
    write(file, own);
    assertEquals(Optional.of(own), PidFile.alive(file));
  }

  @Test
  void aDamagedOrMissingFileNamesNobody() throws IOException {
    Path file = folder.resolve("part.pid");
    assertEquals(Optional.empty(), PidFile.alive(file));
    for (String text : new String[] {"", "17", "a b c", "1 2 3 4"}) {
      Files.writeString(file, text);
      assertEquals(Optional.empty(), PidFile.alive(file), text);
    }
  }
}
