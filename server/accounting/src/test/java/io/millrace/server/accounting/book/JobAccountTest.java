package io.millrace.server.accounting.book;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.file.DayFiles;
import io.millrace.server.accounting.file.LocalTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of a job between two lines, and of a time. */
class JobAccountTest {

  @TempDir private Path folder;

  @Test
  void aJobIsReadAsItWasKept() {
    Job job = AccountFixture.job(7);
    job.getSpec().setName("b\u00e4r \u20ac");
    JobAccount waiting = JobAccount.of(job, ResourceTable.of(List.of()));
    assertEquals(waiting, JobAccount.from(waiting.bytes()));
    job.setAllocation(AccountFixture.allocation());
    job.setRun(3);
    JobAccount granted = JobAccount.of(job, ResourceTable.of(List.of()));
    assertEquals(granted, JobAccount.from(granted.bytes()));
    JobAccount running = granted.run(granted.run().began(77, 1234));
    assertTrue(running.run().told());
    assertEquals(running, JobAccount.from(running.bytes()));
  }

  @Test
  void aBookOfAnotherVersionIsRefused() throws IOException {
    Files.createFile(folder.resolve("20261119"));
    try (AccountBook book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC)) {
      book.lengthNow("20261119", 0);
      IOException refused =
          assertThrows(IOException.class, () -> new DayFiles(folder, ZoneOffset.UTC).open(book));
      assertTrue(
          refused.getMessage().startsWith(folder.resolve(".state") + " is of another version"),
          refused.getMessage());
    }
  }

  @Test
  void timesFollowTheZone() {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyyMMdd HH:mm:ss");
    LocalTimes times = new LocalTimes(format, ZoneId.of("Europe/Berlin"));
    long change = Instant.parse("2026-10-25T01:00:00Z").toEpochMilli();
    assertEquals("20261025 02:59:59", times.at(change - 1));
    assertEquals("20261025 02:59:59", times.at(change - 1000));
    assertEquals("20261025 02:00:00", times.at(change));
    assertEquals("20261025 02:00:00", times.at(change + 999));
    assertEquals("20261026 00:00:00", times.at(change + 22 * 3_600_000));
    assertEquals("20261025 23:59:59", times.at(change + 22 * 3_600_000 - 1));
  }
}
