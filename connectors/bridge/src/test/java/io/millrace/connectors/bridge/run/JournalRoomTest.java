package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal whose disk is full, or has no room for a second one. */
class JournalRoomTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

  @TempDir Path folder;

  /** Files that were opened to be written. */
  private int opened;

  private boolean full;
  private boolean second = true;

  private RunJournal open() throws IOException {
    return RunJournal.open(
        folder,
        channel -> {
          boolean first = opened++ == 0;
          return bytes -> write(channel, bytes, full || !first && !second);
        });
  }

  private static int write(FileChannel channel, ByteBuffer bytes, boolean full) throws IOException {
    if (!full) {
      return channel.write(bytes);
    }
    ByteBuffer part = bytes.slice();
    part.limit(part.limit() / 2);
    channel.write(part);
    throw new IOException("no space left on device");
  }

  private static OutsideRun run(int job) {
    return OutsideRun.ordered(
        PlayedSystem.order(new OutsideTag("c1", Integer.toString(job), 1), "alice"), NOW);
  }

  /** Some 600 bytes of the past each. */
  private static void past(RunJournal journal, int from, int count) throws IOException {
    for (int i = from; i < from + count; i++) {
      journal.put(run(i));
      journal.put(run(i).ended(OutsideEnd.of(OutsideCause.UNKNOWN, "x".repeat(100)), NOW));
      journal.forget(run(i).tag());
    }
    journal.sync();
  }

  private long size() throws IOException {
    return Files.size(folder.resolve("journal"));
  }

  @Test
  void oneThatCannotBeWrittenAnewGoesOnAsItIs() throws IOException {
    second = false;
    try (RunJournal journal = open()) {
      for (int i = 1; size() < 3_000_000; i += 100) {
        past(journal, i, 100);
      }
      journal.put(run(0));
      journal.sync();
      assertFalse(Files.exists(folder.resolve("journal.new")), "no half of it takes room");
      assertEquals(1 + 2, opened, "tried again when it has grown, not each time");
    }
    opened = 0;
    try (RunJournal journal = open()) {
      assertEquals(1, journal.size());
      past(journal, 1, 1);
      assertEquals(2, opened);
      second = true;
      for (int i = 1; size() > 3_000_000; i += 100) {
        assertTrue(size() < 5_000_000, "it is written anew when there is room");
        past(journal, i, 100);
      }
    }
    opened = 0;
    try (RunJournal journal = open()) {
      assertEquals(1, journal.size());
      assertTrue(journal.run(run(0).tag()).isPresent());
    }
  }

  /** What could not be noted is so still, and can be noted later. */
  @Test
  void whatTheDiskDoesNotTakeIsAsItWas() throws IOException {
    try (RunJournal journal = open()) {
      journal.put(run(1));
      full = true;
      assertThrows(IOException.class, () -> journal.forget(run(1).tag()));
      assertTrue(journal.run(run(1).tag()).isPresent());
      full = false;
      journal.forget(run(1).tag());
      assertTrue(journal.run(run(1).tag()).isEmpty());
    }
    opened = 0;
    try (RunJournal journal = open()) {
      assertEquals(0, journal.size());
    }
  }
}
