package io.millrace.connectors.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schedulers.gridengine.language.account.AccountingFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SgeGoldenTest {

  private static final Path RECORDED =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared/transcripts/gridengine");

  private static final SgeComplexes COMPLEXES =
      new SgeComplexes(
          Map.of("license", "license/slot", "nlimit", "s_rt", "limit", "h_rt/slot"),
          Optional.of("h_vmem"));

  private static List<OutsideJob> jobs(Told<List<OutsideJob>> told) {
    return ((Told.Answered<List<OutsideJob>>) told).value();
  }

  @Test
  void theQueue() {
    List<OutsideJob> jobs =
        jobs(SgeQueue.read(RecordedTexts.answer(0, SgeFixtures.text("qstat.xml"), ""), COMPLEXES));
    assertEquals(
        List.of("7 alice RUNNING 64 all.q@node01", "9.4 alice ENDING 1 all.q@vm", "8 bob HELD 1 "),
        jobs.stream()
            .map(
                it ->
                    it.id()
                        + " "
                        + it.account()
                        + " "
                        + it.state()
                        + " "
                        + it.slots()
                        + " "
                        + it.place())
            .toList());
    assertTrue(jobs.get(2).submitted().isPresent());
  }

  /** Tags count where the account string stands, not where users' words do. */
  @Test
  void theDetails() {
    List<OutsideJob> jobs =
        jobs(SgeQueue.details(RecordedTexts.answer(0, SgeFixtures.text("qstat-j.xml"), "")));
    assertEquals(2, jobs.size());
    assertEquals(OutsideTag.read("mr.c1.13.1"), jobs.get(0).tag());
    assertEquals("a <b> & \"c\"", jobs.get(0).name());
    assertEquals(OutsideState.RUNNING, jobs.get(0).state());
    assertEquals(Optional.empty(), jobs.get(1).tag());
    assertEquals(OutsideState.WAITING, jobs.get(1).state());
    assertEquals(Optional.of(Instant.ofEpochSecond(1795646860)), jobs.get(1).submitted());
  }

  @Test
  void noJobsAtAll() {
    String none =
        "<?xml version='1.0'?>\n<unknown_jobs >\n    <ST_name>*</ST_name>\n</unknown_jobs>\n";
    assertEquals(List.of(), jobs(SgeQueue.details(RecordedTexts.answer(0, none, ""))));
    assertInstanceOf(
        Told.Nothing.class, SgeQueue.read(RecordedTexts.answer(0, none, ""), COMPLEXES));
  }

  @Test
  void aQueueThatBreaksOffIsNoQueue() {
    for (String name : List.of("qstat.xml", "qstat-j.xml")) {
      String whole = SgeFixtures.text(name).strip();
      for (int length = 0; length < whole.length(); length += 1 + length % 7) {
        String part = whole.substring(0, length);
        assertInstanceOf(
            Told.Nothing.class, SgeQueue.read(RecordedTexts.answer(0, part, ""), COMPLEXES));
        assertInstanceOf(Told.Nothing.class, SgeQueue.details(RecordedTexts.answer(0, part, "")));
      }
      assertInstanceOf(
          Told.Nothing.class, SgeQueue.read(RecordedTexts.answer(1, whole, ""), COMPLEXES));
    }
  }

  @Test
  void theHosts() {
    OutsideInventory found = hosts(Optional.empty());
    assertEquals(List.of("all.q"), found.queues());
    assertEquals(
        List.of("node01 true 2", "node02 false -1"),
        found.hosts().stream().map(it -> it.name() + " " + it.usable() + " " + it.cpus()).toList());
    assertEquals((long) (23.5 * (1L << 30)), found.hosts().get(0).memoryBytes());
    assertEquals(-1, found.hosts().get(1).memoryBytes());
    assertEquals("8", found.hosts().get(0).fields().get("queue.all.q.slots"));
  }

  @Test
  void aReservationWhoseQueueComesLater() {
    String said = "Unable to run job: Job was rejected because job requests unknown queue \"q\"\n";
    Submitted answer = SgeWords.submitted(RecordedTexts.answer(1, "", said));
    assertInstanceOf(Submitted.SubmissionRefused.class, answer);
    assertInstanceOf(Submitted.NotYet.class, SgeWords.inReservation(answer));
    Submitted other = new Submitted.SubmissionRefused("denied: no");
    assertEquals(other, SgeWords.inReservation(other));
  }

  /** Where queues are suspended in turn a host is there while it tells its load. */
  @Test
  void theHostsWhoseQueuesDoNotCount() {
    String closed = SgeFixtures.text("qhost.xml").replaceAll("(state_string'>)[^<]*", "$1s");
    OutsideAnswer answer = RecordedTexts.answer(0, closed, "");
    assertEquals(
        List.of(false, false),
        ((Told.Answered<OutsideInventory>) SgeHosts.read(answer, Optional.empty()))
            .value().hosts().stream().map(OutsideHost::usable).toList());
    assertEquals(
        List.of(true, false),
        ((Told.Answered<OutsideInventory>) SgeHosts.alive(answer))
            .value().hosts().stream().map(OutsideHost::usable).toList());
  }

  private static OutsideInventory hosts(Optional<String> queue) {
    OutsideAnswer answer = RecordedTexts.answer(0, SgeFixtures.text("qhost.xml"), "");
    return ((Told.Answered<OutsideInventory>) SgeHosts.read(answer, queue)).value();
  }

  /** A host takes jobs when the queue that they go to is open there, whatever others are. */
  @Test
  void theHostsOfAQueue() {
    assertTrue(hosts(Optional.of("all.q")).hosts().get(0).usable());
    assertEquals("no open queue", hosts(Optional.of("other.q")).hosts().get(0).word());
  }

  /** Of a queue on one host only that host takes jobs; who is in a group is not told. */
  @Test
  void theHostsOfAQueueOnAHostOrAGroup() {
    for (String queue : List.of("all.q@node01", "all.q@NODE01.example.org", "all.q@@some")) {
      assertTrue(hosts(Optional.of(queue)).hosts().get(0).usable(), queue);
    }
    for (String queue : List.of("all.q@node02", "all.q@node0", "other.q@node01", "other.q@@some")) {
      assertEquals("no open queue", hosts(Optional.of(queue)).hosts().get(0).word(), queue);
    }
  }

  @Test
  void aRecord() {
    OutsideRecord record = SgeAccounting.record(SgeFixtures.RECORD).orElseThrow();
    assertEquals(OutsideId.of(1), record.id());
    assertEquals(OutsideTag.read("mr.c1.12.1"), record.tag());
    assertEquals(3, record.end().status());
    assertEquals(OutsideCause.EXITED, record.end().cause());
    assertTrue(record.certain());
    assertEquals(AccountingFields.NAMES, List.copyOf(record.fields().keySet()));
    assertEquals("NONE", record.fields().get("category"));
    assertEquals(Optional.of(new OutsideUsage(86, 1000, 4728, 4584)), record.end().usage());
  }

  @Test
  void aRecordOfALimitWithColonsInItsCategory() {
    OutsideRecord record = SgeAccounting.record(SgeFixtures.LIMIT).orElseThrow();
    assertEquals("-l h_rt=120,x=a:b", record.fields().get("category"));
    assertEquals(OutsideCause.TIME_LIMIT, record.end().cause());
    assertEquals(9, record.end().signal());
    assertEquals(AccountingFields.NAMES, List.copyOf(record.fields().keySet()));
  }

  @Test
  void aFieldOfALaterVersionIsKept() {
    OutsideRecord record = SgeAccounting.record(SgeFixtures.RECORD + ":later").orElseThrow();
    assertEquals("later", record.fields().get("field46"));
    assertEquals("NONE", record.fields().get("category"));
  }

  @Test
  void whatIsNoEnd() {
    String again = SgeFixtures.RECORD.replace(":0:3:1:", ":25:0:1:");
    assertEquals(Optional.empty(), SgeAccounting.record(again));
    String part = SgeFixtures.RECORD.replace(":NONE:4694016", ":1.node01:4694016");
    assertEquals(Optional.empty(), SgeAccounting.record(part));
    assertEquals(Optional.empty(), SgeAccounting.record("# Version: 8.1.9"));
    assertEquals(Optional.empty(), SgeAccounting.record(SgeFixtures.RECORD.substring(0, 200)));
    String other = SgeFixtures.RECORD.replace(":0:3:1:", ":26:0:1:");
    assertEquals(false, SgeAccounting.record(other).orElseThrow().certain());
  }

  @Test
  void aNewJobInTheLog() {
    String line = "1795188753:new_job:1795188754:3:-1:NONE:sleep:alice:al::dept:mr.c2.5.1:1024";
    OutsideMove move = SgeReporting.move(line).orElseThrow();
    assertEquals(OutsideId.of(3), move.id());
    assertEquals("alice", move.account());
    assertEquals(Optional.of("sleep"), move.name());
    assertEquals("mr.c2.5.1", move.tag().orElseThrow().toString());
    assertEquals(1795188754, move.at().getEpochSecond());
    assertEquals(Optional.empty(), SgeReporting.move(SgeFixtures.LOG).orElseThrow().name());
    assertEquals(Optional.empty(), SgeReporting.move(line.replace(":3:", ":0:")));
  }

  @Test
  void aLineOfTheJobLog() {
    OutsideMove move = SgeReporting.move(SgeFixtures.LOG).orElseThrow();
    assertEquals(OutsideId.of(7), move.id());
    assertEquals(OutsideState.RUNNING, move.state());
    assertEquals(OutsideTag.read("mr.c1.12.1"), move.tag());
    assertEquals(
        "job received: by execd",
        SgeReporting.fields(SgeFixtures.LOG).orElseThrow().get("message"));
    assertEquals(Optional.empty(), SgeReporting.move(SgeFixtures.LOG.replace("delivered", "sent")));
  }

  @Test
  void eachRecordedLineIsReadOrPassedOverForAReason() throws IOException {
    assumeTrue(Files.isDirectory(RECORDED), "no recordings at " + RECORDED);
    int records = 0;
    int logs = 0;
    for (String line : Files.readAllLines(RECORDED.resolve("08-qacct.txt"))) {
      String[] words = line.split(":");
      if (words.length > 3 && words[0].matches("179[0-9]{7}")) {
        boolean read = SgeReporting.KINDS.containsKey(words[1]);
        assertEquals(read, SgeReporting.fields(line).isPresent(), line);
        assertTrue(read || SgeReporting.PASSED_OVER.containsKey(words[1]), line);
        logs++;
        if (words[1].equals("acct")) {
          String record = line.substring(line.indexOf("acct:") + 5);
          assertEquals(
              AccountingFields.NAMES,
              List.copyOf(AccountingFields.of(record).orElseThrow().keySet()),
              line);
          records++;
        }
      }
    }
    assertTrue(records > 5 && logs > 50, records + " records, " + logs + " lines");
  }

  @Test
  void recordedQueues() throws IOException {
    assumeTrue(Files.isDirectory(RECORDED), "no recordings at " + RECORDED);
    String text = Files.readString(RECORDED.resolve("04-qstat-xml.txt"));
    int begin = text.indexOf("<?xml");
    String first = text.substring(begin, text.indexOf("# exit", begin));
    assertEquals(17, jobs(SgeQueue.read(RecordedTexts.answer(0, first, ""), COMPLEXES)).size());
  }

  /** A job with slots on three hosts is one job, of which each host has its part. */
  @Test
  void theRecordedQueueByHosts() throws IOException {
    assumeTrue(Files.isDirectory(RECORDED), "no recordings at " + RECORDED);
    String text = Files.readString(RECORDED.resolve("04-qstat-xml.txt"));
    int begin = text.indexOf("<?xml", text.indexOf("$ qstat -f -xml -r\n"));
    String queue = text.substring(begin, text.indexOf("# exit", begin));
    List<OutsideJob> jobs = jobs(SgeQueue.read(RecordedTexts.answer(0, queue, ""), COMPLEXES));
    OutsideJob several = jobs.stream().filter(it -> it.id().number() == 7).toList().get(0);
    assertEquals(64, several.slots());
    assertEquals("all.q@node01", several.place());
    assertEquals(
        List.of(
            OutsideHolding.of("node01", Map.of("ncpus", 8L, "limit", 480L)),
            OutsideHolding.of("node02", Map.of("ncpus", 8L, "limit", 480L)),
            OutsideHolding.of("vm", Map.of("ncpus", 48L, "limit", 2880L))),
        several.holdings());
    assertEquals(
        List.of("9.1 RUNNING", "9.4 RUNNING"),
        jobs.stream()
            .filter(it -> it.id().number() == 9 && it.id().task() > 0)
            .map(it -> it.id() + " " + it.state())
            .toList());
    OutsideJob waits = jobs.stream().filter(it -> it.id().number() == 15).toList().get(0);
    assertEquals(OutsideState.WAITING, waits.state());
    assertEquals(List.of(), waits.holdings());
    long running = Pattern.compile("<JB_job_number>").matcher(queue).results().count();
    assertEquals(running - 2, jobs.size(), "job 7 stands there three times");
  }

  /** What is counted once for a job counts at its first host. */
  @Test
  void consumables() {
    SgeComplexes complexes =
        new SgeComplexes(Map.of("scratch", "scratch", "ngpus", "gpu/slot"), Optional.of("h_vmem"));
    Map<String, String> asked = Map.of("scratch", "10G", "gpu", "1.000000", "h_vmem", "512M");
    OutsideHolding first = complexes.holding("N1.site", asked, 2);
    assertEquals(
        OutsideHolding.of(
            "n1", Map.of("ncpus", 2L, "mem", 1L << 30, "scratch", 10L << 30, "ngpus", 2L)),
        first);
    assertEquals(
        Map.of("ncpus", 2L, "mem", 1L << 30, "ngpus", 2L), complexes.again(first).amounts());
    assertEquals(
        List.of("-l", "gpu=2", "-l", "scratch=5"),
        SgeComplexes.words(new TreeMap<>(Map.of("gpu/slot", 3L, "scratch", 5L)), 2));
    assertEquals(2000, SgeComplexes.amount("2k"));
    assertEquals(-1, SgeComplexes.amount("TRUE"));
    String host =
        "hostname n1\ncomplex_values        gpu=2,\\\n                      scratch=1.5T\n";
    assertEquals(
        Map.of("ngpus", 2L, "scratch", 3L << 39), complexes.amounts(SgeCapacities.values(host)));
    assertEquals(Map.of(), SgeCapacities.values("complex_values   NONE\n"));
    assertEquals(Map.of("ngpus", 0L, "scratch", 0L), complexes.amounts(Map.of()));
  }

  @Test
  void complexesAreLookedAt() {
    String table =
        "#name  shortcut type relop requestable consumable default urgency\n"
            + "gpu    gpu      INT  <=    YES         YES        0       0\n"
            + "kind   k        RESTRING == YES        NO         NONE    0\n";
    assertTrue(SgeComplexes.check("ngpus", "gpu/slot", table).good());
    assertTrue(!SgeComplexes.check("ngpus", "gpu", table).good(), "counted by slot");
    assertTrue(!SgeComplexes.check("kind", "kind", table).good(), "no amount");
    assertTrue(!SgeComplexes.check("x", "x", table).good(), "not there");
    CheckLine shortcut =
        SgeComplexes.check("scratch", "s/slot", table + "scratch s MEMORY <= YES YES 0 0\n");
    assertTrue(shortcut.toString().contains("set 'resource.scratch' to scratch/slot"));
    assertTrue(!shortcut.good(), "queues tell the long name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 3 | | Accepted",
        "0 | 4.1-3:1 | | Accepted",
        "0 | Your job has been submitted | | SubmissionUnclear",
        "1 | | Unable to run job: unknown resource \"x\" | SubmissionRefused",
        "1 | | Unable to run job: Job was rejected because job requests unknown queue \"q\" |"
            + " SubmissionRefused",
        "1 | | Unable to run job: job rejected: Only 2 jobs are allowed per user (current job"
            + " count: 2) | LimitReached",
        "1 | | Unable to run job: job rejected: only 9 jobs are allowed per cluster | LimitReached",
        "7 | | qsub: invalid option argument \"-R maybe\" | SubmissionRefused",
        "1 | | Unable to run job: Error reading answer list from qmaster | SubmissionUnclear",
        "1 | | error: commlib error: got select error (Connection refused) | SubmissionUnclear",
        "1 | | error: cell directory \"/x/nix\" doesn't exist | SubmissionUnclear",
        "1 | | sudo: a password is required | AccountRefused",
        "126 | | millrace-outside: refused: qsub does not take '-z' here | SubmissionRefused",
        "1 | | sudo: unable to resolve host n1 | SubmissionUnclear",
      })
  void answersToSubmissions(int status, String out, String err, String said) {
    Submitted answer =
        SgeWords.submitted(
            RecordedTexts.answer(status, out == null ? "" : out + "\n", err == null ? "" : err));
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | alice has registered the job 39 for deletion | Done",
        "1 | denied: job \"38\" does not exist | OutsideJobGone",
        "1 | invalid queue or job \"999999\" | OutsideJobGone",
        "1 | bob - you do not have the necessary privileges to delete the job \"38\" |"
            + " ControlRefused",
        "10 | denied: \"alice\" must be manager to set manager hold | ControlRefused",
        "1 | error: unable to send message to qmaster using port 6444 on host \"vm\" |"
            + " ControlUnclear",
      })
  void answersToOrders(int status, String out, String said) {
    Controlled answer = SgeWords.controlled(RecordedTexts.answer(status, out, ""));
    assertEquals(said, answer.getClass().getSimpleName());
  }

  @Test
  void aNumberThatBreaksOffIsThatOfAnotherJob() {
    Submitted answer = SgeWords.submitted(RecordedTexts.answer(0, "12", ""));
    assertEquals("SubmissionUnclear", answer.getClass().getSimpleName());
  }

  @Test
  void namesThatGridEngineTakes() {
    assertEquals("J1a_b__c", SgeSystem.name("1a b/:c"));
    assertEquals("J-t", SgeSystem.name("-t"));
    assertEquals("J", SgeSystem.name(""));
    assertEquals("fine.name-1", SgeSystem.name("fine.name-1"));
  }
}
