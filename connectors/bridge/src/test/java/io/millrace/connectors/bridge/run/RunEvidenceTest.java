package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.connectors.bridge.question.QueryPace;
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
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a run that the queue does not show any more. */
class RunEvidenceTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final long DELAY = 30;
  private static final OutsideTag TAG = new OutsideTag("c1", "1", 1);
  private static final OutsideId NUMBER = OutsideId.of(77);
  private static final OutsideUsage USAGE = new OutsideUsage(5, 6, 7, 8);

  /** Of the wrapper, which knows no usage. */
  private static final OutsideEnd DELETED = OutsideEnd.of(OutsideCause.CANCELLED, "by alice");

  private static final OutsideEnd EXIT = new OutsideEnd(3, 0, OutsideCause.EXITED, "the wrapper");

  private static final OutsideEnd RECORDED =
      new OutsideEnd(0, 0, OutsideCause.EXITED, "the record").withUsage(USAGE);

  @TempDir Path folder;

  private final FakeSystem system = new FakeSystem();
  private final Exited folders = new Exited();
  private Instant now = NOW;
  private RunJournal journal;
  private AccountingReader accounting;
  private RunEvidence evidence;

  /** Accounting of which a test says what the next reading finds. */
  private static final class FakeSystem implements OutsideSystem {
    Told<OutsideChanges> next = changes(false);
    Told<Map<OutsideId, Optional<OutsideJob>>> numbered = Told.of(Map.of(NUMBER, Optional.empty()));

    static Told<OutsideChanges> changes(boolean atEnd, OutsideRecord... records) {
      return Told.of(new OutsideChanges(List.of(records), List.of(), "1@1#1", atEnd, false));
    }

    @Override
    public Told<OutsideChanges> changes(String cursor) {
      return next;
    }

    @Override
    public Submitted submit(OutsideSubmission submission) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Told<List<OutsideJob>> tagged() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Controlled control(OutsideId id, String account, OutsideAction action) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Told<List<OutsideJob>> snapshot() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
        String account, Collection<OutsideId> ids) {
      assertEquals(List.of(NUMBER), List.copyOf(ids));
      assertEquals("alice", account);
      return numbered;
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
      return true;
    }
  }

  /** The run's wrapper has begun, and has written how it ended. */
  private static final class Exited implements RunFolders {
    OutsideEnd exit = EXIT;
    boolean begun = true;
    boolean full;
    boolean accountGone;
    boolean taken;
    OutsideId holder = NUMBER;
    int closed;

    @Override
    public Told<Boolean> remove(List<OutsideTag> tags, String account) {
      return Told.of(true);
    }

    @Override
    public Told<RunClaim> close(OutsideTag tag, String account) {
      closed++;
      if (full) {
        return Told.nothing("a password is required");
      }
      return Told.of(begun || taken ? RunClaim.RUN : RunClaim.CLOSED);
    }

    @Override
    public boolean isAccountGone(String account) {
      return accountGone;
    }

    @Override
    public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
      return Optional.of(holder).filter(it -> begun);
    }

    @Override
    public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
      return Optional.ofNullable(exit).filter(it -> begun);
    }
  }

  @BeforeEach
  void aRunRuns() throws IOException {
    open();
    journal.put(
        OutsideRun.ordered(RunSubmitterTest.order(1, "q"), NOW)
            .aboutToSubmit(NOW)
            .submittedAs(NUMBER, NOW)
            .seen(OutsideRunState.RUNNING, NOW));
  }

  /** As a connector begins, with what is on disk. */
  private void open() throws IOException {
    journal = RunJournal.open(folder);
    BridgeTerms terms =
        new BridgeTerms(
            Duration.ofSeconds(5),
            Duration.ofSeconds(300),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofSeconds(DELAY),
            10,
            10,
            10,
            1);
    BridgeParts parts = new BridgeParts(system, folders, journal, terms, () -> now);
    accounting = new AccountingReader(parts);
    QueryPace pace = new QueryPace(Duration.ZERO, Duration.ZERO);
    evidence = new RunEvidence(parts, accounting, pace, new UnreadRuns(parts));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  /** Reads accounting, and then a queue without jobs, so many seconds after the beginning. */
  private OutsideRun emptyQueueAt(long seconds) throws Exception {
    now = NOW.plusSeconds(seconds);
    accounting.read(evidence::take);
    evidence.take(List.of(), now);
    return journal.run(TAG).orElseThrow();
  }

  private static OutsideRecord record(OutsideEnd end, boolean certain) {
    return new OutsideRecord(
        NUMBER, "alice", Optional.of(TAG), Optional.empty(), end, certain, Map.of());
  }

  private OutsideRun wrapperEndsAt(long seconds, int status) throws Exception {
    folders.begun = false;
    return endsAt(seconds, new OutsideEnd(status, 0, OutsideCause.EXITED, "exited"));
  }

  /** The script has not begun, whose status that could be: nobody is told that it has exited. */
  @ParameterizedTest
  @ValueSource(ints = {RunWrapper.EMPTY, RunWrapper.NO_FOLDER, RunWrapper.CUT_OFF})
  void aWrapperThatTookNoClaimHasBegunNothing(int status) throws Exception {
    OutsideEnd end = wrapperEndsAt(1, status).end().orElseThrow();
    assertEquals(OutsideCause.WRAPPER_FAILED, end.cause(), end::toString);
    assertEquals(1, folders.closed);
  }

  @Test
  void otherStatusesAreTheScripts() throws Exception {
    assertEquals(OutsideCause.EXITED, wrapperEndsAt(1, 3).end().orElseThrow().cause());
    assertEquals(0, folders.closed);
  }

  /** While its spool is full nobody can tell; it is looked at now and then. */
  @Test
  void whetherItHasBegunIsToldWhenThereIsRoomAgain() throws Exception {
    folders.full = true;
    assertNotEquals(OutsideRunState.ENDED, wrapperEndsAt(1, RunWrapper.NO_FOLDER).state());
    system.next = FakeSystem.changes(true);
    for (int second = 2; second <= DELAY; second++) {
      assertNotEquals(OutsideRunState.ENDED, emptyQueueAt(second).state());
    }
    assertEquals(1, folders.closed);
    folders.full = false;
    OutsideEnd end = emptyQueueAt(DELAY + 2).end().orElseThrow();
    assertEquals(OutsideCause.WRAPPER_FAILED, end.cause(), end::toString);
  }

  private OutsideEnd toldInDoubt(OutsideCause cause, boolean accountGone) throws Exception {
    folders.full = true;
    folders.accountGone = accountGone;
    folders.begun = false;
    OutsideEnd told = new OutsideEnd(RunWrapper.NO_FOLDER, 0, cause, "told");
    assertNotEquals(OutsideRunState.ENDED, endsAt(1, told).state());
    system.next = FakeSystem.changes(true);
    return told;
  }

  private void isInDoubt(long begin, long end) throws Exception {
    for (long second = begin + DELAY + 2; second < end; second += DELAY) {
      assertNotEquals(OutsideRunState.ENDED, emptyQueueAt(second).state());
    }
  }

  /** As after its account was removed: what is told there of its end counts, an hour later. */
  @ParameterizedTest
  @EnumSource(names = {"CANCELLED", "EXITED"})
  void aRunWhoseClaimCanNeverBeTakenEnds(OutsideCause cause) throws Exception {
    OutsideEnd told = toldInDoubt(cause, false);
    for (long part = 500; part <= 4000; part += 500, folders.accountGone = true) {
      isInDoubt(part - 500, part);
      journal.close();
      open(); // a connector that ends is not the beginning of another doubt
    }
    assertEquals(Optional.of(told), emptyQueueAt(4202).end());
  }

  /** It is run again, or it is a right or a disk that fails: no copy of it may begin later. */
  @ParameterizedTest
  @CsvSource({"NODE_LOST, true", "EXITED, false", "CANCELLED, false"})
  void whatMayYetBeginWaitsForItsClaim(OutsideCause cause, boolean accountGone) throws Exception {
    toldInDoubt(cause, accountGone);
    isInDoubt(0, 7200);
    folders.full = false;
    assertEquals(OutsideRunState.ENDED, emptyQueueAt(7300).state());
  }

  @Test
  void neitherALeapOfTheClockNorWhatLivesAgainCountsAsDoubt() throws Exception {
    OutsideEnd told = toldInDoubt(OutsideCause.CANCELLED, true);
    assertNotEquals(OutsideRunState.ENDED, emptyQueueAt(200_000).state());
    isInDoubt(0, 3000);
    evidence.take(List.of(known(job(TAG, OutsideState.RUNNING, Optional.empty()))), now);
    assertNotEquals(OutsideRunState.ENDED, endsAt(10_000, told).state());
  }

  @Test
  void theWrappersEndHasTheUsageOfARecordThatTheQueueConfirms() throws Exception {
    system.next = FakeSystem.changes(true, record(RECORDED, false));
    OutsideRun run = emptyQueueAt(1);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(Optional.of(EXIT.withUsage(USAGE)), run.end());
  }

  /** A script that dies of the signal at its time limit: only the record knows of the limit. */
  @Test
  void theRecordSaysWhyASignalCame() throws Exception {
    folders.exit = new OutsideEnd(-1, 15, OutsideCause.SIGNALLED, "the wrapper");
    OutsideEnd limit = OutsideEnd.of(OutsideCause.TIME_LIMIT, "the record").withUsage(USAGE);
    system.next = FakeSystem.changes(true, record(limit, false));
    assertEquals(Optional.of(limit), emptyQueueAt(1).end());
  }

  @Test
  void theRecordSaysNothingOfAScriptThatEndedByItself() throws Exception {
    OutsideEnd limit = OutsideEnd.of(OutsideCause.TIME_LIMIT, "the record").withUsage(USAGE);
    system.next = FakeSystem.changes(true, record(limit, false));
    assertEquals(Optional.of(EXIT.withUsage(USAGE)), emptyQueueAt(1).end());
  }

  @Test
  void anEndWaitsForARecordThatIsNotReadYet() throws Exception {
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(1).state());
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(DELAY + 2).state());
    system.next = FakeSystem.changes(true, record(RECORDED, true));
    assertEquals(Optional.of(EXIT.withUsage(USAGE)), emptyQueueAt(DELAY + 20).end());
  }

  /** The outside system may have been given another status, or only have seen one of a signal. */
  @Test
  void theWrapperKnowsTheStatusBetterThanARecord() throws Exception {
    assertEquals(Optional.of(EXIT.withUsage(USAGE)), endsAt(1, RECORDED).end());
  }

  /**
   * As after an administrator has had it run again: nobody knows how the script would have ended.
   */
  @Test
  void aJobThatWasBegunAgainHasNotExited() throws Exception {
    folders.exit = null;
    OutsideEnd again = new OutsideEnd(RunWrapper.SECOND_COPY, 0, OutsideCause.EXITED, "exited");
    assertEquals(OutsideCause.UNKNOWN, endsAt(1, again).end().orElseThrow().cause());
  }

  @Test
  void theWrapperKnowsTheStatusBetterThanTheQueue() throws Exception {
    system.next = FakeSystem.changes(true);
    folders.exit = new OutsideEnd(-1, 11, OutsideCause.SIGNALLED, "the wrapper");
    OutsideEnd said = new OutsideEnd(139, 0, OutsideCause.EXITED, "the queue");
    system.numbered = job(TAG, OutsideState.ENDED, Optional.of(said));
    now = NOW.plusSeconds(1);
    evidence.take(List.of(known(system.numbered)), now);
    assertEquals(Optional.of(folders.exit), journal.run(TAG).orElseThrow().end());
    assertEquals(OutsideCause.SIGNALLED, folders.exit.cause());
  }

  @Test
  void anEndDoesNotWaitForARecordThatIsNotThere() throws Exception {
    system.next = FakeSystem.changes(true);
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(1).state());
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(DELAY).state());
    assertEquals(Optional.of(EXIT), emptyQueueAt(DELAY + 1).end());
  }

  @Test
  void anEndDoesNotWaitForAccountingThatCannotBeRead() throws Exception {
    system.next = Told.nothing("accounting cannot be read");
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(1).state());
    assertEquals(Optional.of(EXIT), emptyQueueAt(DELAY + 1).end());
  }

  private static OutsideJob known(Told<Map<OutsideId, Optional<OutsideJob>>> told) {
    return ((Told.Answered<Map<OutsideId, Optional<OutsideJob>>>) told)
        .value()
        .get(NUMBER)
        .orElseThrow();
  }

  private static Told<Map<OutsideId, Optional<OutsideJob>>> job(
      OutsideTag tag, OutsideState state, Optional<OutsideEnd> end) {
    return Told.of(
        Map.of(NUMBER, Optional.of(ShownJobs.job(NUMBER, "alice", tag, state, end, ""))));
  }

  /** A list need not show all that are over; the number of a job finds it. */
  @Test
  void beforeARunIsGivenUpItsNumberIsAskedFor() throws Exception {
    folders.begun = false;
    system.next = FakeSystem.changes(true);
    system.numbered = Told.nothing("no answer");
    assertEquals(OutsideRunState.NOT_HEARD_OF, emptyQueueAt(1).state());
    assertEquals(OutsideRunState.NOT_HEARD_OF, emptyQueueAt(DELAY + 1).state());
    system.numbered = Told.of(Map.of());
    assertEquals(OutsideRunState.NOT_HEARD_OF, emptyQueueAt(DELAY + 6).state());
    system.numbered = job(TAG, OutsideState.RUNNING, Optional.empty());
    assertEquals(OutsideRunState.RUNNING, emptyQueueAt(DELAY + 11).state());
    assertEquals(OutsideRunState.NOT_HEARD_OF, emptyQueueAt(DELAY + 16).state());
    system.numbered = job(TAG, OutsideState.ENDED, Optional.of(DELETED));
    assertEquals(OutsideRunState.NOT_HEARD_OF, emptyQueueAt(2 * DELAY + 15).state());
    assertEquals(Optional.of(DELETED), emptyQueueAt(2 * DELAY + 16).end());
    assertEquals(1, folders.closed);
  }

  @Test
  void aRunWhoseNumberIsAnotherJobsIsGone() throws Exception {
    folders.begun = false;
    system.next = FakeSystem.changes(true);
    OutsideTag other = new OutsideTag("c1", "2", 1);
    system.numbered = job(other, OutsideState.RUNNING, Optional.empty());
    emptyQueueAt(1);
    assertEquals(OutsideCause.NOT_BEGUN, emptyQueueAt(DELAY + 1).end().orElseThrow().cause());
    assertEquals(1, folders.closed);
  }

  @Test
  void anEndDoesNotWaitForEverForAReaderThatIsBehind() throws Exception {
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(1).state());
    assertEquals(OutsideRunState.ENDING, emptyQueueAt(11 * DELAY).state());
    assertEquals(Optional.of(EXIT), emptyQueueAt(11 * DELAY + 1).end());
  }

  private OutsideRun endsAt(long seconds, OutsideEnd end) throws Exception {
    system.next = FakeSystem.changes(true, record(end, true));
    now = NOW.plusSeconds(seconds);
    accounting.read(evidence::take);
    return journal.run(TAG).orElseThrow();
  }

  /** Another copy, or the job itself that its master finds again, would begin the script. */
  @Test
  void whatEndedBeforeItBeganBeginsNoMore() throws Exception {
    folders.begun = false;
    assertEquals(Optional.of(DELETED), endsAt(1, DELETED).end());
    assertEquals(1, folders.closed);
  }

  /** It has made its folder, and says in a moment which job it is. */
  @Test
  void aCopyThatBeginsMeanwhileIsTheRun() throws Exception {
    folders.begun = false;
    folders.taken = true;
    assertNotEquals(OutsideRunState.ENDED, endsAt(1, DELETED).state());
    isTheOtherCopyAt(2);
  }

  private void isTheOtherCopyAt(long seconds) throws Exception {
    folders.begun = true;
    folders.holder = OutsideId.of(99);
    system.next = FakeSystem.changes(true);
    OutsideRun run = emptyQueueAt(seconds);
    assertNotEquals(OutsideRunState.ENDED, run.state());
    assertEquals(Optional.of(OutsideId.of(99)), run.id());
  }

  @Test
  void aFolderThatNobodyClaimsDelaysAnEndAndNoMore() throws Exception {
    folders.begun = false;
    folders.taken = true;
    assertNotEquals(OutsideRunState.ENDED, endsAt(1, DELETED).state());
    system.next = FakeSystem.changes(true);
    assertNotEquals(OutsideRunState.ENDED, emptyQueueAt(2).state());
    assertEquals(Optional.of(DELETED), emptyQueueAt(DELAY + 2).end());
  }

  /** Nothing was told of the claim before: a copy may have taken it a moment ago. */
  @ParameterizedTest
  @EnumSource(names = {"CANCELLED", "EXITED"})
  void aCopyThatBeginsWhenThereIsRoomAgainIsTheRun(OutsideCause cause) throws Exception {
    toldInDoubt(cause, false);
    folders.full = false;
    folders.taken = true;
    assertNotEquals(OutsideRunState.ENDED, emptyQueueAt(DELAY + 2).state());
    isTheOtherCopyAt(DELAY + 3);
  }

  /** A master that has forgotten the end of a job takes it for lost, or begins and cancels it. */
  @ParameterizedTest
  @EnumSource(names = {"NODE_LOST", "CANCELLED"})
  void whatEndedByItselfIsNeitherLostNorCancelled(OutsideCause cause) throws Exception {
    assertEquals(Optional.of(EXIT), endsAt(1, OutsideEnd.of(cause, "told")).end());
  }

  @Test
  void whatASignalEndedWasCancelled() throws Exception {
    folders.exit = new OutsideEnd(-1, 15, OutsideCause.SIGNALLED, "the wrapper");
    OutsideEnd told = OutsideEnd.of(OutsideCause.CANCELLED, "told");
    assertEquals(Optional.of(told), endsAt(1, told).end());
  }

  @Test
  void whatHasNotEndedIsLostWithItsHost() throws Exception {
    folders.exit = null;
    OutsideEnd lost = OutsideEnd.of(OutsideCause.NODE_LOST, "NODE_FAIL");
    assertEquals(Optional.of(lost), endsAt(1, lost).end());
  }
}
