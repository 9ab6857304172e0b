package io.millrace.server.accounting.letter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
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
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.accounting.AttributeFollower;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.account.AccountWriter;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import io.millrace.server.accounting.ledger.FactReader;
import io.millrace.server.accounting.ledger.RecentFacts;
import io.millrace.server.mail.MailMessage;
import io.millrace.server.mail.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is written to about what. */
class MailNoticesTest {

  private static final String HEAD = "PBS Job Id: 1.vm\nJob Name:   fromscript\n";

  @TempDir private Path folder;

  private AccountBook book;
  private MailQueue box;
  private List<FactReader> readers;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC);
    DayFiles files = new DayFiles(folder, ZoneOffset.UTC);
    files.open(book);
    box = new MailQueue(book, AccountFixture.BEGIN);
    readers =
        List.of(
            new AttributeFollower(book, List.of(box::heed)),
            new RecentFacts(box.sinceMs(), new MailNotices(book, box)),
            new AccountWriter(book, files, ZoneOffset.UTC));
  }

  @AfterEach
  void close() {
    book.close();
  }

  private static FactMeta at(long ms) {
    return new FactMeta(1L, AccountFixture.BEGIN + ms, new CommandId(new byte[16]), "server");
  }

  private void follow(SpecificRecord fact) {
    readers.forEach(it -> it.follow(0, fact));
  }

  private void queue(String... attributes) {
    Job job = AccountFixture.job(1);
    List<Attribute> extra = new ArrayList<>();
    for (int i = 0; i < attributes.length; i += 2) {
      extra.add(new Attribute(attributes[i], attributes[i + 1]));
    }
    job.getSpec().setExtra(extra);
    follow(new JobQueued(at(0), job, List.of()));
    follow(
        new RunGranted(
            at(1),
            "1.vm",
            1,
            "default",
            1L,
            new Allocation(List.of(), "vm/0", "(vm:ncpus=1)", null)));
    follow(new RunStarted(at(2), "1.vm", 1, 77L, AccountFixture.BEGIN + 2));
  }

  private void finish(int exitStatus, String message) {
    Usage used = new Usage(7L, 1388L, 2500L, 13L, 2, 98);
    long begin = AccountFixture.BEGIN;
    follow(
        new RunFinished(
            at(14_000), "1.vm", 1, exitStatus, used, begin + 2, begin + 14_000, message, -1L, ""));
  }

  /** Takes all letters that there are. */
  private List<MailMessage> letters() {
    book.commit();
    List<MailMessage> letters = new ArrayList<>();
    for (Outbox.KeptLetter kept; box.after(0).isPresent(); box.remove(kept.number())) {
      kept = box.after(0).get();
      letters.add(MailMessage.from(kept.letter()));
    }
    return letters;
  }

  private List<String> texts() {
    return letters().stream().map(MailMessage::text).toList();
  }

  @Test
  void thoseWhoWishAreToldOfBeginAndEnd() {
    queue("Mail_Points", "abe", "Mail_Users", "ann,bob@there");
    finish(3, "");
    List<MailMessage> letters = letters();
    assertEquals(List.of("ann", "bob@there"), letters.get(0).to());
    assertEquals("PBS JOB 1.vm", letters.get(0).subject());
    assertEquals(HEAD + "Begun execution\n", letters.get(0).text());
    assertEquals(
        HEAD
            + "Execution terminated\nExit_status=3\nresources_used.cpupercent=98\n"
            + "resources_used.cput=00:00:07\nresources_used.mem=1388kb\nresources_used.ncpus=2\n"
            + "resources_used.vmem=2500kb\nresources_used.walltime=00:00:13\n",
        letters.get(1).text());
    assertEquals(2, letters.size());
  }

  @Test
  void usuallyOnlyOfWhatPbsDoes() {
    queue();
    finish(0, "");
    assertEquals(List.of(), texts());
    queue();
    finish(-29, "walltime 2 exceeded limit 1");
    List<MailMessage> letters = letters();
    assertEquals(List.of("pbsu1@vm"), letters.get(0).to());
    assertEquals(
        HEAD
            + "Aborted by PBS Server \nJob exceeded resource walltime\n"
            + "See job standard error file\n",
        letters.get(0).text());
    for (String resource : List.of("mem", "vmem")) {
      queue();
      finish(resource.equals("mem") ? -27 : -26, "");
      String words = "Job exceeded resource " + resource + "\nSee job standard error file\n";
      assertEquals(List.of(HEAD + "Aborted by PBS Server \n" + words), texts());
    }
    follow(new JobQueued(at(0), AccountFixture.job(1), List.of()));
    String why = "Job deleted as result of dependency on job 7.vm";
    follow(new JobDeleted(at(3), "1.vm", 0, "", why, false));
    assertEquals(List.of(HEAD + "Aborted by PBS Server \n" + why + "\n"), texts());
  }

  @Test
  void thatSomebodyElseDeletesIt() {
    queue();
    follow(new RunKillRequested(at(5), "1.vm", 1, KillPurpose.DELETE, "pbsu1@vm", false));
    assertEquals(List.of(), texts());
    follow(new RunKillRequested(at(5), "1.vm", 1, KillPurpose.DELETE, "root@vm", false));
    assertEquals(List.of(HEAD + "Job to be deleted at request of root@vm\n"), texts());
  }

  @Test
  void whoeverDeletesQuietlyHasNobodyWrittenTo() {
    queue();
    follow(new RunKillRequested(at(5), "1.vm", 1, KillPurpose.DELETE, "root@vm", true));
    follow(new JobDeleted(at(6), "1.vm", 271, "root@vm", "", true));
    assertEquals(List.of(), texts());
  }

  @Test
  void thatFilesDoNotComeOrGo() {
    queue();
    finish(0, "cannot deliver output: /no/such: No such file or directory");
    assertEquals(
        List.of(
            HEAD
                + "Post job file processing error; job 1.vm on host vm\n"
                + "cannot deliver output: /no/such: No such file or directory\n"),
        texts());
    queue();
    follow(
        new RunRequeued(
            at(5), "1.vm", 1, -31, "could not start: cannot stage files in", null, -1L));
    assertEquals(
        List.of(
            HEAD
                + "File stage in failed, see below.\nJob will be retried later, please investigate"
                + " and correct problem.\ncould not start: cannot stage files in\n"),
        texts());
  }

  @Test
  void thatFilesDoNotGoOfARunThatIsFollowedByAnother() {
    queue();
    String why = "rerun: cannot stage files out: Unable to copy file r to /no/r";
    follow(new RunRequeued(at(5), "1.vm", 1, -11, why, null, -1L));
    assertEquals(
        List.of(HEAD + "Post job file processing error; job 1.vm on host vm\n" + why + "\n"),
        texts());
  }

  @Test
  void neverWhoWantsNone() {
    queue("Mail_Points", "n");
    follow(new RunKillRequested(at(5), "1.vm", 1, KillPurpose.DELETE, "root@vm", false));
    finish(-29, "");
    assertEquals(List.of(), texts());
  }

  @Test
  void notAboutWhatWasBefore() throws IOException {
    book.commit();
    // A book that is made anew reads all that the ledger holds.
    MailQueue later = new MailQueue(book, AccountFixture.BEGIN + 1_000_000);
    assertEquals(AccountFixture.BEGIN, later.sinceMs(), "kept");
    queue("Mail_Points", "b");
    FactMeta before = at(-1000);
    follow(new RunKillRequested(before, "1.vm", 1, KillPurpose.DELETE, "root@vm", false));
    assertEquals(List.of(HEAD + "Begun execution\n"), texts());
  }

  @Test
  void lettersOutliveTheProcessAndAreSoManyBytesAtMost() throws IOException {
    queue("Mail_Points", "b");
    book.commit();
    MailQueue again = new MailQueue(book, 0);
    assertTrue(again.after(0).isPresent());
    MailMessage letter = MailMessage.from(again.after(0).get().letter());
    long fits = MailQueue.BYTES_MAX / letter.bytes().length;
    for (long i = 1; i < fits + 6; i++) { // one is there
      again.put(letter);
    }
    assertEquals(6, again.refused());
    book.commit();
    again.remove(again.after(0).get().number());
    again.put(letter);
    assertEquals(6, again.refused());
  }

  @Test
  void administratorsSayWhoSends() {
    assertEquals(new Outbox.Sender("/usr/sbin/sendmail", "adm"), box.sender());
    follow(new ObjectWritten(at(1), server(1, "smtp://relay")));
    Outbox.Sender sender = new Outbox.Sender("smtp://relay", "pbs@x");
    assertEquals(sender, box.sender());
    book.commit();
    assertEquals(sender, new MailQueue(book, 0).sender());
  }

  @Test
  void aShardThatIsReadLateDoesNotBringAnOlderSenderBack() {
    follow(new ObjectWritten(at(2), server(2, "smtp://relay")));
    follow(new ObjectWritten(at(1), server(1, "smtp://before")));
    Outbox.Sender sender = new Outbox.Sender("smtp://relay", "pbs@x");
    assertEquals(sender, box.sender());
    book.commit();
    assertEquals(sender, new MailQueue(book, 0).sender());
    new AttributeFollower(book, List.of(box::heed))
        .follow(0, new ObjectWritten(at(1), server(1, "smtp://before")));
    assertEquals(sender, box.sender());
  }

  private static ClusterObject server(long version, String mailer) {
    return new ClusterObject(
        ObjectKind.SERVER,
        "server",
        version,
        List.of(new Attribute("mailer", mailer), new Attribute("mail_from", "pbs@x")),
        1L);
  }
}
