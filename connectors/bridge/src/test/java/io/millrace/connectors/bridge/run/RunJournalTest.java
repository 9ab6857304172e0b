package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunJournalTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @TempDir Path folder;

  private static OutsideSubmission submission(int job) {
    return new OutsideSubmission(
        new OutsideTag("c1", Integer.toString(job), 1, job % 2 == 0 ? "5.17.2" : ""),
        "alice",
        "a \"name\"\n%~ é",
        new OutsideSubmission.OutsidePlace(
            Optional.of("batch"), job % 3 == 0 ? List.of() : List.of("n1", "n2")),
        new OutsideAmounts(
            List.of(
                new OutsideShare(2, 0, 1),
                new OutsideShare(
                    6, 4096, 3, job % 2 == 0 ? Map.of() : Map.of("ngpus", 2L, "scratch", 5L))),
            Optional.of(60L)),
        new OutsideSubmission.SubmittedScript(
            "#!/bin/sh\necho\n".getBytes(StandardCharsets.UTF_8),
            List.of("", "-", "~", "a b", "x\ny"),
            Map.of("EMPTY", "", "LINES", "a\nb"),
            "/home/alice"));
  }

  private static OutsideRun run(int job) {
    return OutsideRun.ordered(submission(job), NOW);
  }

  private static void assertSame(OutsideRun expected, OutsideRun found) {
    OutsideSubmission.SubmittedScript work = expected.order().work();
    assertArrayEquals(work.script(), found.order().work().script());
    assertEquals(work.arguments(), found.order().work().arguments());
    assertEquals(work.environment(), found.order().work().environment());
    assertEquals(expected.order().name(), found.order().name());
    assertEquals(expected.order().place(), found.order().place());
    assertEquals(expected.order().amounts(), found.order().amounts());
    assertEquals(
        List.of(expected.state(), expected.id(), expected.since(), expected.attempts()),
        List.of(found.state(), found.id(), found.since(), found.attempts()));
    assertEquals(expected.unclear(), found.unclear());
    assertEquals(expected.submitted(), found.submitted());
    assertEquals(expected.end(), found.end());
    assertEquals(expected.delete(), found.delete());
    assertEquals(expected.doubt(), found.doubt());
  }

  @Test
  void whatWasPutIsThereAgain() throws IOException {
    OutsideRun first = run(1).aboutToSubmit(NOW).unclearSince(NOW.plusSeconds(1)).toDelete();
    RunDoubt doubt =
        RunDoubt.of(NOW, false).lookedAt(NOW.plusMillis(1500), Duration.ofSeconds(9), true, true);
    first = first.doubted(doubt);
    OutsideRun second =
        run(2)
            .aboutToSubmit(NOW)
            .submittedAs(OutsideId.of(77), NOW)
            .seen(OutsideRunState.RUNNING, NOW)
            .ended(
                new OutsideEnd(3, 0, OutsideCause.EXITED, "words: a b")
                    .withUsage(new OutsideUsage(5, 6, 7, 8)),
                NOW);
    try (RunJournal journal = RunJournal.open(folder)) {
      for (OutsideRun run : List.of(run(1), run(2), run(3), first, second)) {
        journal.put(run);
      }
      journal.forget(run(3).tag());
      journal.cursor("12@34#ab 5@6#0");
    }
    try (RunJournal journal = RunJournal.open(folder)) {
      assertEquals(2, journal.size());
      assertSame(first, journal.run(first.tag()).orElseThrow());
      assertSame(second, journal.run(second.tag()).orElseThrow());
      assertEquals("12@34#ab 5@6#0", journal.cursor());
      assertEquals(List.of(first.tag()), journal.toDelete().stream().map(OutsideRun::tag).toList());
      assertEquals(0, journal.outside().size());
    }
  }

  /** Killed at any byte: what was whole is there, and the journal can be written on. */
  @Test
  void halfALineAtTheEndIsCutOff() throws IOException {
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(run(1));
      journal.put(run(1).aboutToSubmit(NOW));
    }
    byte[] whole = Files.readAllBytes(folder.resolve("journal"));
    for (int length = 0; length <= whole.length; length += 1 + length % 17) {
      Path copy = Files.createDirectory(folder.resolve("copy" + length));
      byte[] part = Arrays.copyOf(whole, length);
      Files.write(copy.resolve("journal"), part);
      try (RunJournal journal = RunJournal.open(copy)) {
        assertTrue(journal.size() <= 1);
        journal.put(run(2));
      }
      try (RunJournal journal = RunJournal.open(copy)) {
        assertTrue(journal.run(run(2).tag()).isPresent());
      }
    }
  }

  @Test
  void aDamagedLineStopsIt() throws IOException {
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(run(1));
      journal.put(run(2));
    }
    byte[] bytes = Files.readAllBytes(folder.resolve("journal"));
    bytes[20] ^= 1;
    Files.write(folder.resolve("journal"), bytes);
    IOException e = assertThrows(IOException.class, () -> RunJournal.open(folder));
    assertTrue(e.getMessage().contains("the line at byte 0 is damaged"), e.getMessage());
  }

  @Test
  void twoCannotHaveIt() throws IOException {
    try (RunJournal journal = RunJournal.open(folder)) {
      assertEquals(0, journal.size());
      assertThrows(IOException.class, () -> RunJournal.open(folder));
    }
  }

  @Test
  void itIsWrittenAnewWhenMostOfItIsPast() throws IOException {
    try (RunJournal journal = RunJournal.open(folder)) {
      for (int i = 0; i < 4000; i++) {
        journal.put(run(i));
        journal.put(run(i).ended(OutsideEnd.of(OutsideCause.UNKNOWN, ""), NOW));
        journal.forget(run(i).tag());
        if (i % 50 == 0) {
          journal.sync();
        }
      }
      journal.put(run(5000));
    }
    long size = Files.size(folder.resolve("journal"));
    assertTrue(size < 1_200_000, "size " + size);
    try (RunJournal journal = RunJournal.open(folder)) {
      assertEquals(List.of(run(5000).tag()), journal.runs().stream().map(OutsideRun::tag).toList());
    }
  }

  /** One that is restarted each day would never see it four times as long as it found it. */
  @Test
  void itIsWrittenAnewAlsoWhereEachProcessAddsLittle() throws IOException {
    for (int day = 0; day < 20; day++) {
      try (RunJournal journal = RunJournal.open(folder)) {
        for (int i = 0; i < 500; i++) {
          OutsideRun run = run(day * 1000 + i);
          journal.put(run);
          journal.put(run.ended(OutsideEnd.of(OutsideCause.UNKNOWN, ""), NOW));
          journal.forget(run.tag());
        }
        journal.put(run(day * 1000 + 999));
      }
      long size = Files.size(folder.resolve("journal"));
      assertTrue(size < 1_500_000, "size on day " + day + ": " + size);
    }
    try (RunJournal journal = RunJournal.open(folder)) {
      assertEquals(20, journal.size());
    }
  }

  /** What a process with a small heap does with a long one. */
  @Test
  void oneThatIsLongerThanTheHeapIsOpened() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      journal.put(run(1));
    }
    byte[] line =
        new JournalLine("cursor", List.of("x".repeat(1 << 20)))
            .written()
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 100; i++) {
      Files.write(folder.resolve("journal"), line, StandardOpenOption.APPEND);
    }
    Process opener =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Opener.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(opener.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("runs 1\n", said);
    assertEquals(0, opener.waitFor());
  }

  /** Opens a journal and says how many runs are in it. */
  static final class Opener {
    private Opener() {}

    public static void main(String[] arguments) throws IOException {
      try (RunJournal journal = RunJournal.open(Path.of(arguments[0]))) {
        System.out.println("runs " + journal.size());
      }
    }
  }
}
