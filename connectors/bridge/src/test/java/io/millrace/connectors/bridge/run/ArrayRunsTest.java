package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Subjobs that go as tasks of one outside array. */
class ArrayRunsTest {

  private static final BridgeTerms TERMS = RunSubmitterTest.TERMS;

  private static final OutsideEnd DONE = OutsideEnd.of(OutsideCause.EXITED, "done");

  @TempDir Path folder;

  private final FakeSystem system = new FakeSystem();
  private final Map<OutsideTag, OutsideId> claims = new HashMap<>();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private RunJournal journal;
  private OutsideBridge bridge;

  /** Takes arrays of three tasks at most. */
  private static final class FakeSystem implements OutsideSystem {
    private final List<String> submissions = new ArrayList<>();
    private final List<OutsideTag> marks = new ArrayList<>();
    private List<OutsideJob> jobs = List.of();
    private List<OutsideRecord> records = List.of();
    private boolean wantsArrays = true;
    private boolean loses;

    @Override
    public int tasksMost() {
      return 3;
    }

    @Override
    public Submitted submit(OutsideSubmission order) {
      submissions.add(order.tag().job());
      return answer(true);
    }

    @Override
    public Submitted submitArray(OutsideTag array, List<OutsideSubmission> runs) {
      marks.add(array);
      submissions.add(runs.stream().map(it -> it.tag().job()).toList().toString());
      return answer(wantsArrays);
    }

    private Submitted answer(boolean wants) {
      if (loses) {
        return new Submitted.SubmissionUnclear("no answer");
      }
      return wants
          ? new Submitted.Accepted(OutsideId.of(100 + submissions.size()))
          : new Submitted.SubmissionRefused("Invalid job array specification");
    }

    @Override
    public Told<List<OutsideJob>> tagged() {
      return Told.of(jobs);
    }

    @Override
    public Controlled control(OutsideId id, String account, OutsideAction action) {
      return new Controlled.Done("");
    }

    @Override
    public Told<OutsideChanges> changes(String cursor) {
      List<OutsideRecord> now = records;
      records = List.of();
      return Told.of(new OutsideChanges(now, List.of(), "1@1#1", true, false));
    }

    @Override
    public Told<List<OutsideJob>> snapshot() {
      return Told.of(jobs);
    }

    @Override
    public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
        String account, Collection<OutsideId> ids) {
      return Told.of(OutsideJob.byNumber(jobs, ids));
    }

    @Override
    public Told<OutsideInventory> inventory() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean hasAccounting() {
      return true;
    }

    @Override
    public boolean recordsUsage() {
      return false;
    }
  }

  private final class FakeFolders implements RunFolders {
    @Override
    public Told<Boolean> remove(List<OutsideTag> tags, String account) {
      tags.forEach(claims::remove);
      return Told.of(true);
    }

    @Override
    public Told<RunClaim> close(OutsideTag tag, String account) {
      return Told.of(claims.containsKey(tag) ? RunClaim.RUN : RunClaim.CLOSED);
    }

    @Override
    public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
      return Optional.ofNullable(claims.get(tag));
    }

    @Override
    public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
      return Optional.empty();
    }
  }

  @BeforeEach
  void open() throws IOException {
    journal = RunJournal.open(folder);
    begin();
  }

  private void begin() throws IOException {
    bridge =
        new OutsideBridge(new BridgeParts(system, new FakeFolders(), journal, TERMS, () -> now));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private static OutsideTag tag(String job) {
    return new OutsideTag("c1", job, 1);
  }

  private void order(String job, int slots) throws IOException {
    bridge.order(
        new OutsideSubmission(
            tag(job),
            "alice",
            "a",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(slots, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/")));
  }

  private OutsideRun run(String job) {
    return journal.run(tag(job)).orElseThrow();
  }

  private void step(long seconds) throws Exception {
    now = now.plusSeconds(seconds);
    bridge.step();
  }

  private static OutsideJob job(OutsideId id, OutsideTag mark, OutsideState state, String tasks) {
    return ShownJobs.job(id, "alice", mark, state, Optional.empty(), tasks);
  }

  @Test
  void whatIsAlikeGoesTogether() throws Exception {
    for (String job : List.of("7-1", "9", "7-2", "8-1", "7-3", "7-4")) {
      order(job, 1);
    }
    order("7-5", 2);
    step(0);
    assertEquals(List.of("[7-1, 7-2, 7-3]", "9", "8-1", "7-4", "7-5"), system.submissions);
    assertEquals(Optional.of(new OutsideId(101, 1)), run("7-1").id());
    assertEquals(Optional.of(new OutsideId(101, 3)), run("7-3").id());
    assertEquals(Optional.of(OutsideId.of(104)), run("7-4").id());
    journal.close();
    journal = RunJournal.open(folder);
    assertEquals(Optional.of(new OutsideId(101, 3)), run("7-3").id());
    assertEquals(system.marks.get(0), run("7-3").mark());
  }

  /** It may be the array that is not wanted: each of its runs is told what is said of it alone. */
  @Test
  void anArrayThatIsRefusedGoesAsJobs() throws Exception {
    system.wantsArrays = false;
    order("7-1", 1);
    order("7-2", 1);
    step(0);
    step(0);
    assertEquals(List.of("[7-1, 7-2]", "7-1", "7-2"), system.submissions);
    assertEquals(Optional.of(OutsideId.of(102)), run("7-1").id());
    assertEquals(1, run("7-1").attempts());
  }

  @Test
  void anArrayWhoseAnswerIsLostIsFoundByItsMark() throws Exception {
    system.loses = true;
    order("7-1", 1);
    order("7-2", 1);
    step(0);
    assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, run("7-2").state());
    OutsideTag mark = system.marks.get(0);
    system.jobs = List.of(job(OutsideId.of(55), mark, OutsideState.WAITING, "1-2:1"));
    step(5);
    assertEquals(Optional.of(new OutsideId(55, 2)), run("7-2").id());
    assertEquals(1, system.submissions.size());
  }

  /** What is told of a task of the former array is not told of the same task of the next one. */
  @Test
  void anArrayThatIsSubmittedAgainHasAnotherMark() throws Exception {
    system.loses = true;
    order("7-1", 1);
    order("7-2", 1);
    step(0);
    claims.put(tag("7-1"), new OutsideId(55, 1));
    order("7-3", 1);
    step(60);
    assertEquals(List.of("[7-1, 7-2]", "[7-3, 7-2]"), system.submissions);
    assertEquals(2, system.marks.stream().distinct().count());
  }

  /** A copy in an array that was taken for lost holds the claim: it is the run, as it shows. */
  @Test
  void aRunThatAnEarlierArrayHasBegunIsSeenThere() throws Exception {
    system.loses = true;
    order("7-1", 1);
    order("7-2", 1);
    step(0);
    system.loses = false;
    step(60);
    assertEquals(Optional.of(new OutsideId(102, 1)), run("7-1").id());
    claims.put(tag("7-1"), new OutsideId(55, 1));
    system.records =
        List.of(
            ended(
                new OutsideId(102, 1),
                system.marks.get(1),
                new OutsideEnd(RunWrapper.SECOND_COPY, 0, OutsideCause.EXITED, "")));
    system.jobs =
        List.of(
            job(new OutsideId(55, 1), system.marks.get(0), OutsideState.RUNNING, ""),
            job(new OutsideId(102, 2), system.marks.get(1), OutsideState.RUNNING, ""));
    for (int i = 0; i < 5; i++) {
      step(60);
    }
    assertEquals(Optional.of(new OutsideId(55, 1)), run("7-1").id());
    assertEquals(OutsideRunState.RUNNING, run("7-1").state());
    system.records = List.of(ended(new OutsideId(55, 1), system.marks.get(0), DONE));
    step(0);
    assertEquals(Optional.of(DONE), run("7-1").end());
  }

  /** Variables are in the text of an array as scripts are. */
  @Test
  void anArrayIsNoLargerThanItsTextMayBe() throws Exception {
    String large = "x".repeat(300 * 1024);
    for (String job : List.of("7-1", "7-2")) {
      bridge.order(
          new OutsideSubmission(
              tag(job),
              "alice",
              "a",
              new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
              SomeAmounts.of(1, 0, Optional.empty()),
              new OutsideSubmission.SubmittedScript(
                  new byte[0], List.of(), Map.of("V", large), "/")));
    }
    step(0);
    assertEquals(List.of("7-1", "7-2"), system.submissions);
  }

  /** Arrays can be submitted faster than the clock of the marks goes, and clocks are put back. */
  @Test
  void aConnectorThatIsStartedAgainGivesNoMarkAgain() throws Exception {
    for (int i = 1; i <= 60; i++) {
      order("7-" + i, 1);
      order("8-" + i, 1);
    }
    step(0);
    int before = system.marks.size();
    assertTrue(before > 4, system.submissions::toString);
    begin();
    step(0);
    step(-3600);
    step(0);
    assertTrue(system.marks.size() > before, system.submissions::toString);
    assertEquals(system.marks.size(), system.marks.stream().distinct().count());
  }

  /** Behind the last number that a mark can have the first one follows. */
  @Test
  void marksBeginAnew() throws Exception {
    now = Instant.ofEpochMilli(20_000_000_000_000L - 10);
    for (int i = 1; i <= 6; i++) {
      order("7-" + i, 1);
    }
    step(0);
    assertEquals(List.of(999_999_999, 0), system.marks.stream().map(OutsideTag::run).toList());
  }

  @Test
  void eachTaskHasAnEndOfItsOwn() throws Exception {
    order("7-1", 1);
    order("7-2", 1);
    order("7-3", 1);
    step(0);
    OutsideTag mark = system.marks.get(0);
    claims.put(tag("7-1"), new OutsideId(101, 1));
    system.jobs =
        List.of(
            job(OutsideId.of(101), mark, OutsideState.HELD, "2-3:1"),
            job(new OutsideId(101, 1), mark, OutsideState.RUNNING, ""));
    step(5);
    assertEquals(OutsideRunState.RUNNING, run("7-1").state());
    assertEquals(OutsideRunState.WAITING, run("7-3").state());
    system.records =
        List.of(
            new OutsideRecord(
                new OutsideId(101, 1),
                "alice",
                Optional.of(mark),
                Optional.empty(),
                DONE,
                true,
                Map.of()));
    system.jobs = List.of(job(OutsideId.of(101), mark, OutsideState.WAITING, "2"));
    step(5);
    assertEquals(Optional.of(DONE), run("7-1").end());
    assertEquals(OutsideRunState.WAITING, run("7-2").state());
    assertEquals(OutsideRunState.NOT_HEARD_OF, run("7-3").state());
    assertTrue(run("7-2").end().isEmpty());
  }

  private static OutsideRecord ended(OutsideId id, OutsideTag mark, OutsideEnd end) {
    return new OutsideRecord(id, "alice", Optional.of(mark), Optional.empty(), end, true, Map.of());
  }
}
