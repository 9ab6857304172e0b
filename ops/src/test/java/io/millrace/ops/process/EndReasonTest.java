package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.home.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Why a part ended, from the files that it left. */
class EndReasonTest {

  private static final List<String> FULL =
      List.of(
          "2026-11-20 10:00:00.000 WARNING main A: the disk is nearly full",
          "2026-11-20 10:00:01.000 SEVERE pool-1 LogDirFailureChannel: Error while writing",
          "java.io.IOException: No space left on device",
          "\tat java.base/sun.nio.ch.UnixFileDispatcherImpl.write0(Native Method)",
          "2026-11-20 10:00:01.100 SEVERE pool-1 LogManager: Shutdown broker: all dirs failed");

  @Test
  void theLastSevereEntryAndTheInnermostException() {
    assertEquals(
        Optional.of(
            "Shutdown broker: all dirs failed (java.io.IOException: No space left on device)"),
        EndReason.ofLog(FULL));
    assertEquals(
        Optional.of("it broke (java.io.IOException: inner)"),
        EndReason.ofLog(
            List.of(
                "2026-11-20 10:00:01.000 SEVERE main A: it broke",
                "java.lang.RuntimeException: outer",
                "\tat a.b.C.d(C.java:1)",
                "Caused by: java.io.IOException: inner",
                "\t... 3 more")));
    assertEquals(Optional.empty(), EndReason.ofLog(FULL.subList(0, 1)));
  }

  @Test
  void whatWasPrintedWhenNothingWasLogged() {
    assertEquals(
        Optional.of("java.io.IOException: inner"),
        EndReason.ofPrinted(
            List.of(
                "Exception in thread \"main\" java.lang.RuntimeException: outer",
                "\tat a.b.C.d(C.java:1)",
                "Caused by: java.io.IOException: inner",
                "\t... 3 more"),
            ""));
    assertEquals(Optional.of("broker: no"), EndReason.ofPrinted(List.of("broker: no", ""), ""));
    assertEquals(Optional.empty(), EndReason.ofPrinted(List.of(), ""));
    assertEquals(Optional.empty(), EndReason.ofPrinted(List.of("part: ready"), "ready"));
    assertEquals("it hangs; disk full: /d", EndReason.withDisk("it hangs", "disk full: /d"));
    assertEquals("it hangs", EndReason.withDisk("it hangs", ""));
    List<String> killed = List.of("millrace-executor: ready", "millrace-executor: serves h1");
    assertEquals(Optional.empty(), EndReason.ofPrinted(killed, "millrace-executor: ready"));
  }

  @Test
  void anEarlierLifeIsNoReason(@TempDir Path folder) throws Exception {
    Home home = new Home(folder);
    home.create();
    Files.write(home.log("broker"), FULL);
    Files.writeString(home.pid("broker"), "1 1 boot\n");
    Part broker = Part.withFile("broker", "java", List.of());
    start(home, LocalDateTime.of(2026, 11, 20, 9, 59));
    assertEquals(EndReason.ofLog(FULL), EndReason.of(home, broker));
    start(home, LocalDateTime.of(2026, 11, 20, 10, 1));
    assertEquals(Optional.empty(), EndReason.of(home, broker));
  }

  private static void start(Home home, LocalDateTime time) throws Exception {
    Files.setLastModifiedTime(
        home.pid("broker"), FileTime.from(time.atZone(ZoneId.systemDefault()).toInstant()));
  }
}
