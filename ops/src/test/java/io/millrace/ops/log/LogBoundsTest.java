package io.millrace.ops.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output without end fills no disk. */
class LogBoundsTest {

  private static final int BYTES = 4000;

  @TempDir Path folder;

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aLogIsBoundedAndItsLastLineIsThere() throws IOException {
    Path file = folder.resolve("part.log");
    LogFile log = new LogFile(file, BYTES);
    for (int i = 1; i <= 1000; i++) {
      log.publish(new LogRecord(Level.INFO, "line " + i + " of many"));
    }
    log.close();
    assertEquals(List.of("part.log", "part.log.1", "part.log.2"), names());
    for (String name : names()) {
      long size = Files.size(folder.resolve(name));
      assertTrue(size <= BYTES, name + " has " + size);
    }
    assertTrue(Files.readString(file).endsWith("line 1000 of many\n"));
  }

  /** As after a restart of the part. */
  @Test
  void aLogGoesOnWhereItWas() throws IOException {
    Path file = folder.resolve("part.log");
    for (int life = 1; life <= 200; life++) {
      LogFile log = new LogFile(file, BYTES);
      log.publish(new LogRecord(Level.INFO, "life " + life));
      log.close();
    }
    assertEquals(List.of("part.log", "part.log.1", "part.log.2"), names());
    assertTrue(Files.size(file) <= BYTES);
  }

  @Test
  void whatAPartPrintsIsBounded() {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    AtomicLong left = new AtomicLong(BYTES);
    PrintStream out = BoundedPrint.bounded(new PrintStream(file, true), left);
    PrintStream err = BoundedPrint.bounded(new PrintStream(file, true), left);
    out.println("ready");
    for (int i = 0; i < 1000; i++) {
      err.println("a library has something to say, " + i);
      out.println("and so has another");
    }
    String printed = file.toString();
    assertTrue(printed.startsWith("ready\n"));
    assertTrue(printed.endsWith("... a part prints this much only; see its log\n"));
    assertTrue(printed.length() < BYTES + 100, printed.length() + " bytes");
  }

  @Test
  void theLastReportsOfDeathsAreKept() throws IOException {
    Home home = new Home(folder);
    Path log = Files.createDirectory(folder.resolve("log"));
    for (int i = 1; i <= 5; i++) {
      Path report = Files.createFile(log.resolve("engine-10" + i + ".crash"));
      Files.setLastModifiedTime(report, FileTime.fromMillis(i * 1000L));
    }
    Files.createFile(log.resolve("engine-night-7.crash"));
    CrashReports.forgetOld(home, "engine");
    try (Stream<Path> left = Files.list(log)) {
      assertEquals(
          List.of("engine-104.crash", "engine-105.crash", "engine-night-7.crash"),
          left.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
