package io.millrace.server.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.letter.MailQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger whose beginning was removed: its snapshot has the jobs, its facts give the lines. */
class CutLedgerTest {

  @TempDir private Path folder;

  private final ListLedger ledger = new ListLedger();
  private long seq;

  @Test
  void factsBetweenTheBeginningOfASnapshotAndItsChunkGiveTheirLines() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    ledger.add(new JobQueued(at(), AccountFixture.job(2), List.of()));
    ledger.cut(ledger.end());
    List<Job> jobs = List.of(AccountFixture.job(1), AccountFixture.job(2));
    long begun = begun();
    ledger.add(new JobQueued(at(), AccountFixture.job(3), List.of()));
    run(1, 1);
    run(3, 1);
    chunk(begun, jobs);
    run(2, 1);
    assertEquals(
        List.of("Q3", "S1", "E1", "S3", "E3", "S2", "E2"), told(folder), "from nothing but it");
  }

  @Test
  void aJobWhoseGrantWasCutOffEnds() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    assertEquals(List.of("Q1"), told(folder));
    grant(1, 1);
    ledger.add(new RunStarted(at(), "1.vm", 1, 77L, AccountFixture.BEGIN));
    ledger.cut(ledger.end());
    snapshot(List.of(running(1, 1, 77)));
    assertEquals(List.of("Q1"), told(folder));
    finish(1, 1);
    assertEquals(List.of("Q1", "E1"), told(folder), "its start was told where it was cut off");
  }

  @Test
  void aCutUnderAProcessThatReads() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    try (Accounting accounting = open(folder)) {
      accounting.catchUp();
      ledger.add(new JobDeleted(at(), "1.vm", 271, "root@vm", "", false));
      ledger.cut(ledger.end());
      snapshot(List.of(AccountFixture.job(2)));
      run(2, 1);
      accounting.catchUp();
    }
    assertEquals(List.of("Q1", "S2", "E2"), lines(folder));
  }

  @Test
  void aBrokerThatEndedIsNotWaitedForForEver() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    try (Accounting accounting = open(folder)) {
      accounting.catchUp();
      ledger.add(new JobQueued(at(), AccountFixture.job(2), List.of()));
      ledger.goAway();
      IOException why =
          assertThrows(IOException.class, () -> accounting.catchUp(Duration.ofMillis(200)));
      assertTrue(why.getMessage().endsWith("nothing came for 0.2 s"), why.getMessage());
    }
  }

  @Test
  void factsBeforeTheSnapshotAreTold() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    ledger.cut(ledger.end());
    run(1, 1);
    ledger.add(new JobQueued(at(), AccountFixture.job(2), List.of()));
    grant(2, 1);
    // Another one was begun and left.
    ledger.add(new SnapshotBegun(at()));
    snapshot(List.of(running(2, 1, 0), AccountFixture.job(4)));
    finish(2, 1);
    run(4, 1);
    assertEquals(List.of("Q2", "S2", "E2", "S4", "E4"), told(folder));
  }

  @Test
  void aRunThatNeverStartedDoesNotMakeTheNextOneBeToldTwice() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    ledger.cut(ledger.end());
    Job second = running(1, 2, 78);
    second.setRunCount(1);
    snapshot(List.of(second));
    finish(1, 2);
    assertEquals(List.of("E1"), told(folder));
  }

  @Test
  void snapshotsOfAWholeLedgerBringNothingBack() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    long begun = begun();
    ledger.add(new JobDeleted(at(), "1.vm", 271, "root@vm", "", false));
    chunk(begun, List.of(AccountFixture.job(1)));
    assertEquals(List.of("Q1", "D1"), told(folder));
    try (AccountBook book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC)) {
      assertTrue(book.job(0, 1) == null);
    }
  }

  @Test
  void aProcessThatDiesAnywhereTellsTheSame() throws IOException {
    ledger.add(new JobQueued(at(), AccountFixture.job(1), List.of()));
    ledger.cut(ledger.end());
    ledger.add(new JobQueued(at(), AccountFixture.job(2), List.of()));
    snapshot(List.of(AccountFixture.job(1), AccountFixture.job(2)));
    run(1, 1);
    run(2, 1);
    List<String> should = List.of("Q2", "S1", "E1", "S2", "E2");
    for (int steps = 0; steps < 6; steps++) {
      Path each = folder.resolve("d" + steps);
      try (Accounting accounting = open(each)) {
        for (int i = 0; i < steps; i++) {
          accounting.step();
        }
      }
      assertEquals(should, told(each), steps + " steps");
    }
  }

  @Test
  void whatAdministratorsSetBeforeTheCutHolds() throws IOException {
    ledger.add(new ObjectWritten(at(), server(7, "smtp://relay")));
    ledger.cut(ledger.end());
    setBySnapshot(7, "smtp://relay");
    assertEquals("smtp://relay", mailer(folder.resolve("new")));

    ledger.add(new ObjectWritten(at(), server(9, "smtp://later")));
    assertEquals("smtp://later", mailer(folder.resolve("new")));
    ledger.cut(ledger.end());
    setBySnapshot(8, "smtp://older");
    assertEquals("smtp://later", mailer(folder.resolve("new")), "of a shard that is behind");
  }

  private static ClusterObject server(long version, String mailer) {
    return new ClusterObject(
        ObjectKind.SERVER, "server", version, List.of(new Attribute("mailer", mailer)), 1L);
  }

  private void setBySnapshot(long version, String mailer) {
    long begun = begun();
    ledger.add(new SnapshotChunk(at(), begun, List.of(carrying(server(version, mailer)))));
    ledger.add(new SnapshotCompleted(at(), begun, 1L));
  }

  /** Who sends the mail, to a process that begins with what was kept. */
  private String mailer(Path into) throws IOException {
    Path home = folder.resolve("home");
    try (Accounting accounting =
        new Accounting(ledger, AccountFixture.CODEC, into, Clock.systemUTC(), home)) {
      accounting.catchUp();
    }
    try (AccountBook book = new AccountBook(into.resolve(".state"), AccountFixture.CODEC)) {
      return new MailQueue(book, 0).sender().mailer();
    }
  }

  private Accounting open(Path into) throws IOException {
    return new Accounting(ledger, AccountFixture.CODEC, into, Clock.systemUTC(), null);
  }

  private List<String> told(Path into) throws IOException {
    try (Accounting accounting = open(into)) {
      accounting.catchUp();
    }
    return lines(into);
  }

  private static List<String> lines(Path into) throws IOException {
    List<String> told = new ArrayList<>();
    for (String line : Files.readAllLines(into.resolve("20261120"))) {
      String[] parts = line.split(";");
      told.add(parts[1] + parts[2].substring(0, parts[2].indexOf('.')));
    }
    return told;
  }

  private FactMeta at() {
    return new FactMeta(++seq, AccountFixture.BEGIN, new CommandId(new byte[16]), "pbsu1");
  }

  private void run(long job, int run) {
    grant(job, run);
    ledger.add(new RunStarted(at(), job + ".vm", run, 77L, AccountFixture.BEGIN));
    finish(job, run);
  }

  private void grant(long job, int run) {
    ledger.add(new RunGranted(at(), job + ".vm", run, "default", 1L, AccountFixture.allocation()));
  }

  private void finish(long job, int run) {
    Usage used = Usage.newBuilder().build();
    long at = AccountFixture.BEGIN;
    ledger.add(new RunFinished(at(), job + ".vm", run, 0, used, at, at, "", -1L, ""));
  }

  private long begun() {
    FactMeta meta = at();
    ledger.add(new SnapshotBegun(meta));
    return meta.getSeq();
  }

  private static SnapshotRecord carrying(SpecificRecord record) {
    return new SnapshotRecord("k", CarriedRecord.of(AccountFixture.CODEC, record));
  }

  private void chunk(long begun, List<Job> jobs) {
    List<SnapshotRecord> records = jobs.stream().map(CutLedgerTest::carrying).toList();
    ledger.add(new SnapshotChunk(at(), begun, records));
    ledger.add(new SnapshotCompleted(at(), begun, (long) records.size()));
  }

  private void snapshot(List<Job> jobs) {
    chunk(begun(), jobs);
  }

  private static Job running(long number, int run, long session) {
    Job job = AccountFixture.job(number);
    job.setStatus(JobStatus.RUNNING);
    job.setRun(run);
    job.setRunCount(session == 0 ? run - 1 : run);
    job.setSessionId(session);
    job.setStartedMs(AccountFixture.BEGIN);
    job.setAllocation(AccountFixture.allocation());
    return job;
  }
}
