package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a database adds to a queue, with recorded answers of a real one. */
class DatabaseEndsTest {

  private static final String SAID = SlurmFixtures.text("sacct.json");
  private static final Instant SUBMITTED = Instant.ofEpochSecond(1_796_028_959);
  private static final OutsideTag TAG = OutsideTag.read("mr.c1.3.1").orElseThrow();
  private static final OutsideUsage USED = new OutsideUsage(23, 9000, 3288, 5512);

  private static final OutsideAnswer NOTHING =
      RecordedTexts.answer(0, "{\"errors\":[],\"jobs\":[]}", "");

  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_796_029_000);
  private String type = "accounting_storage/slurmdbd";
  private OutsideAnswer own = RecordedTexts.answer(0, SAID, "");
  private OutsideAnswer alices = RecordedTexts.answer(1, "", "sudo: a password is required\n");
  private SlurmDatabase database;
  private DatabaseEnds ends;

  @BeforeEach
  void open() throws Exception {
    open(Map.of());
  }

  private void open(Map<String, String> more) throws Exception {
    Map<String, String> values =
        new LinkedHashMap<>(
            Map.of(
                "name", "c1",
                "system", "slurm",
                "cluster_name", "hand",
                "spool", "/spool",
                "as", "sudo",
                "user.alice", "alice"));
    values.putAll(more);
    ClusterFile file = ClusterFile.of(values, List.of(new SlurmKind()), it -> "");
    database = new SlurmDatabase(file, this::run, () -> now);
    ends = new DatabaseEnds(database, Optional::empty, "c1", () -> now);
  }

  private OutsideAnswer run(OutsideCommand command) {
    String words = String.join(" ", command.words()).replace("/usr/bin/", "");
    asked.add(words);
    if (words.equals("scontrol show config")) {
      String config = "ClusterName = hand\nAccountingStorageType = " + type + "\n";
      return RecordedTexts.answer(0, config, "");
    }
    return words.startsWith("sudo") ? alices : own;
  }

  private static OutsideJob job(OutsideState state) {
    Optional<OutsideEnd> end =
        state == OutsideState.ENDED
            ? Optional.of(SlurmQueue.end("CANCELLED", 0, 15))
            : Optional.empty();
    return new OutsideJob(
        OutsideId.of(4),
        "x",
        "alice",
        Optional.of(TAG),
        state,
        state.name(),
        Optional.of(SUBMITTED),
        "n1",
        1,
        end,
        "",
        List.of());
  }

  private OutsideJob shown(OutsideState state) throws Exception {
    return ends.of(List.of(job(state))).get(0);
  }

  /** The queue shows it as over, and the database is asked where that is due. */
  private List<OutsideRecord> over() throws Exception {
    shown(OutsideState.ENDED);
    return ends.records();
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
  }

  private long questions() {
    return asked.stream().filter(it -> it.contains("sacct")).count();
  }

  @Test
  void theRecordedAnswerIsRead() throws Exception {
    List<SacctJob> jobs =
        ((Told.Answered<List<SacctJob>>) database.jobs(List.of(OutsideId.of(1)))).value();
    assertEquals(
        List.of("1 RUNNING", "2.2 COMPLETED", "2.1 COMPLETED", "4 CANCELLED", "5 CANCELLED"),
        jobs.stream().map(it -> it.id() + " " + it.word()).toList());
    assertTrue(jobs.get(0).end().isEmpty());
    assertFalse(jobs.get(0).whole());
    assertEquals(OutsideTag.read("mr.c1.1.1"), jobs.get(0).tag(), "by the workload key");
    OutsideEnd end = jobs.get(3).end().orElseThrow();
    assertEquals(OutsideCause.CANCELLED, end.cause());
    assertEquals("Slurm: CANCELLED by root", end.words());
    assertEquals(Optional.of(USED), end.usage());
    assertEquals(Optional.empty(), jobs.get(4).end().orElseThrow().usage(), "it has not run");
    assertEquals(
        Optional.of(new OutsideUsage(31, 5000, 3280, 5512)),
        jobs.get(1).end().orElseThrow().usage());
  }

  @Test
  void whatIsNoAnswerOfThisClusterSaysNothing() {
    for (String text :
        List.of(
            "",
            "{}",
            "{\"errors\":[]}",
            "{\"jobs\":[]}",
            SAID.substring(0, SAID.length() / 2),
            SAID.replace("\"hand\"", "\"other\""),
            SAID.replace(
                "\"errors\": []", "\"errors\": [{\"description\":\"x\",\"error_number\":9000}]"))) {
      Told<List<SacctJob>> told = SacctJson.read(RecordedTexts.answer(0, text, ""), "hand");
      assertInstanceOf(Told.Nothing.class, told, text);
    }
    assertInstanceOf(Told.Nothing.class, SacctJson.read(RecordedTexts.answer(1, SAID, ""), "hand"));
    String none =
        "{\"errors\":[{\"description\":\"Nothing found\",\"error_number\":9003}],\"jobs\":[]}";
    assertEquals(Told.of(List.of()), SacctJson.read(RecordedTexts.answer(0, none, ""), "hand"));
  }

  @Test
  void anEndOfTheQueueGetsWhatTheJobHasUsed() throws Exception {
    assertEquals(OutsideState.RUNNING, shown(OutsideState.RUNNING).state());
    assertEquals(List.of(), ends.records());
    assertEquals(List.of(), asked, "nothing is asked while jobs run");
    assertEquals(OutsideState.ENDING, shown(OutsideState.ENDED).state());
    List<OutsideRecord> records = ends.records();
    assertEquals(1, records.size());
    assertTrue(records.get(0).certain());
    assertEquals("alice", records.get(0).account());
    OutsideEnd said = records.get(0).end();
    assertEquals("Slurm: CANCELLED by root", said.words());
    assertEquals(Optional.of(USED), said.usage());
    for (int i = 0; i < 20; i++) {
      pass(5);
      OutsideJob ended = shown(OutsideState.ENDED);
      assertEquals(OutsideState.ENDED, ended.state());
      assertEquals(Optional.of(said), ended.end());
      assertEquals(List.of(), ends.records());
    }
    assertEquals(
        List.of("scontrol show config", "sacct --json --allusers --jobs=4"), asked, "asked once");
  }

  /** Its record comes late, or never. */
  @Test
  void anEndWaitsForItsRecordForHalfAMinute() throws Exception {
    own = NOTHING;
    assertEquals(List.of(), over());
    pass(1);
    assertEquals(List.of(), over());
    assertEquals(1, questions(), "not before its pace");
    for (int i = 0; i < 5; i++) {
      pass(5);
      assertEquals(List.of(), over());
      assertEquals(OutsideState.ENDING, shown(OutsideState.ENDED).state());
    }
    pass(5);
    OutsideJob over = shown(OutsideState.ENDED);
    assertEquals(job(OutsideState.ENDED), over);
    long before = questions();
    pass(60);
    assertEquals(over, shown(OutsideState.ENDED));
    assertEquals(List.of(), ends.records());
    assertEquals(before, questions());
    assertTrue(asked.contains("sudo -n -u alice -- sacct --json --user=alice --jobs=4"));
  }

  /** Numbers are used again, and marks can be copied: the time of its submission tells it. */
  @Test
  void theRecordOfAnotherJobSaysNothing() throws Exception {
    for (String other :
        List.of(
            SAID.replace("mr.c1.3.1", "mr.c1.33.1"),
            SAID.replace("\"submission\": 1796028959", "\"submission\": 1796028958"))) {
      open(Map.of());
      own = RecordedTexts.answer(0, other, "");
      assertEquals(List.of(), over());
      assertEquals(OutsideState.ENDING, shown(OutsideState.ENDED).state());
    }
  }

  @Test
  void aDatabaseThatIsAwayKeepsNothingWaitingForLong() throws Exception {
    own = RecordedTexts.answer(1, "", "sacct: error: Connection refused\n");
    assertEquals(List.of(), over());
    assertTrue(ends.isAnswering());
    pass(11);
    assertEquals(List.of(), over());
    assertEquals(OutsideState.ENDED, shown(OutsideState.ENDED).state());
    assertFalse(ends.isAnswering());
    long before = questions();
    for (int i = 0; i < 100; i++) {
      pass(1);
      assertEquals(List.of(), over());
      assertEquals(OutsideState.ENDED, shown(OutsideState.ENDED).state());
    }
    assertTrue(questions() <= before + 2, asked::toString);
    own = RecordedTexts.answer(0, SAID, "");
    ends.of(List.of());
    pass(300);
    assertEquals(1, over().size(), "it is back, and the next one that ends finds that");
    assertTrue(ends.isAnswering());
  }

  @Test
  void aJobThatTheQueueHasForgottenLeavesARecord() throws Exception {
    shown(OutsideState.RUNNING);
    pass(5);
    assertEquals(List.of(), ends.of(List.of()));
    List<OutsideRecord> records = ends.records();
    assertEquals(1, records.size());
    assertEquals(OutsideId.of(4), records.get(0).id());
    assertEquals("alice", records.get(0).account());
    assertFalse(records.get(0).certain(), "a queue that shows it again counts more");
    assertEquals(Optional.of(USED), records.get(0).end().usage());
    assertEquals(List.of(), ends.records());
  }

  /** Slurm 22.05 calls each status 0 in its JSON: what is told of the queue counts. */
  @Test
  void aFailureWithoutAStatusIsNoEnd() throws Exception {
    own = RecordedTexts.answer(0, SAID.replace("\"CANCELLED\"", "\"FAILED\""), "");
    shown(OutsideState.RUNNING);
    assertEquals(List.of(), ends.of(List.of()));
    assertEquals(List.of(), ends.records(), "the queue has forgotten it");
    pass(5);
    open(Map.of());
    OutsideEnd end = over().get(0).end();
    assertEquals(OutsideCause.CANCELLED, end.cause());
    assertEquals(15, end.signal());
    assertEquals(Optional.of(USED), end.usage());
  }

  @Test
  void whatIsBegunAnewIsNotOver() throws Exception {
    own = NOTHING;
    assertEquals(List.of(), over());
    assertEquals(OutsideState.RUNNING, shown(OutsideState.RUNNING).state());
    long before = questions();
    pass(5);
    assertEquals(OutsideState.RUNNING, shown(OutsideState.RUNNING).state());
    assertEquals(List.of(), ends.records());
    assertEquals(before, questions());
  }

  /** The database hides the jobs of others; it names no account, as of one without association. */
  @Test
  void whatIsHiddenIsAskedForAsItsAccount() throws Exception {
    own = NOTHING;
    alices = RecordedTexts.answer(0, SAID, "");
    assertEquals(List.of(), over());
    pass(5);
    assertEquals(Optional.of(USED), over().get(0).end().usage());
  }

  @Test
  void withoutADatabaseNothingIsAsked() throws Exception {
    type = "accounting_storage/none";
    assertEquals(job(OutsideState.ENDED), shown(OutsideState.ENDED));
    pass(5);
    assertEquals(job(OutsideState.ENDED), shown(OutsideState.ENDED));
    assertEquals(List.of("scontrol show config"), asked);
    assertFalse(ends.isAnswering());
    type = "accounting_storage/slurmdbd";
    open(Map.of("database", "no"));
    asked.clear();
    assertEquals(job(OutsideState.ENDED), shown(OutsideState.ENDED));
    assertEquals(List.of(), asked);
  }

  @Test
  void aSubmissionIsLookedForByItsMarkAsItsAccount() throws Exception {
    alices = RecordedTexts.answer(0, SAID, "");
    List<SacctJob> found =
        ((Told.Answered<List<SacctJob>>)
                database.markedAs("alice", List.of(TAG), Duration.ofSeconds(90)))
            .value();
    assertEquals("alice", found.get(3).account());
    assertEquals(
        List.of(
            "sudo -n -u alice -- sacct --json --user=alice --wckeys=mr.c1.3.1 --starttime=now-90"),
        asked);
  }
}
