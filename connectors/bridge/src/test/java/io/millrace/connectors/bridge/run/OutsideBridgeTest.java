package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutsideBridgeTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, Duration.ofHours(1), 9, 9, 9, 1);

  /** Ours, so that files of it are those of the account. */
  private static final String ACCOUNT = System.getProperty("user.name");

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private boolean queueFails = true;

  private final List<OutsideJob> queue = new ArrayList<>();
  private final List<OutsideId> deleted = new ArrayList<>();
  private Controlled deletion = new Controlled.Done("");

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "snapshot" -> queueFails ? Told.nothing("no queue") : Told.of(List.copyOf(queue));
      case "control" -> {
        deleted.add((OutsideId) arguments[0]);
        yield deletion;
      }
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideSystem system() {
    return PlayedSystem.of(this::answer);
  }

  private static OutsideRun submitted(String job, Instant now) {
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c1", job, 1),
            ACCOUNT,
            "a",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    return OutsideRun.ordered(order, now).aboutToSubmit(now).submittedAs(OutsideId.of(7), now);
  }

  private void steps(OutsideBridge bridge) throws Exception {
    for (int i = 0; i < 4; i++) {
      now = now.plusSeconds(40);
      bridge.step();
    }
  }

  /** Its last run may have ended by accounting or its exit file meanwhile. */
  @Test
  void aQueueThatWasNotToldIsAskedAgainThoughNothingIsThere() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideBridge bridge =
          new OutsideBridge(new BridgeParts(system(), null, journal, TERMS, () -> now), breaker);
      OutsideRun run = submitted("5", now);
      journal.put(run);
      steps(bridge);
      assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(run.tag()).orElseThrow().state());
      journal.put(run.ended(OutsideEnd.of(OutsideCause.UNKNOWN, "its record is there"), now));
      breaker.answered();
      assertEquals(Optional.of("no queue"), bridge.trouble());
      queueFails = false;
      steps(bridge);
      assertEquals(Optional.empty(), bridge.trouble());
    }
  }

  /** A controller that was killed can give the number of a job that it has lost to another one. */
  @Test
  void theJobOfAnotherRunWithTheSameNumberIsNotDeleted() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideBridge bridge = bridge(journal);
      OutsideRun lost = submitted("5", now);
      OutsideRun other = submitted("6", now.plusSeconds(1));
      journal.put(lost);
      bridge.delete(lost.tag());
      journal.put(other);
      bridge.step();
      queue.add(job(7, other.tag(), OutsideState.RUNNING));
      steps(bridge);
      assertEquals(OutsideRunState.NOT_HEARD_OF, bridge.run(lost.tag()).orElseThrow().state());
      assertEquals(List.of(), deleted);
      assertInstanceOf(
          Controlled.ControlUnclear.class, bridge.control(lost.tag(), OutsideAction.HOLD));
      journal.put(lost.ended(OutsideEnd.of(OutsideCause.NOT_BEGUN, "gone"), now));
      bridge.delete(other.tag());
      steps(bridge);
      assertEquals(List.of(OutsideId.of(7)), deleted.subList(0, 1));
    }
  }

  private static OutsideJob job(long number, OutsideTag tag, OutsideState state) {
    return job(number, ACCOUNT, tag, state);
  }

  private static OutsideJob job(long number, String account, OutsideTag tag, OutsideState state) {
    return ShownJobs.job(OutsideId.of(number), account, tag, state);
  }

  private OutsideBridge bridge(RunJournal journal) {
    SharedRunFolders folders =
        new SharedRunFolders(
            folder + "",
            command -> null,
            new AccountCommands(Optional.empty(), Optional.empty(), Map.of(), SECOND, 1));
    return new OutsideBridge(
        new BridgeParts(system(), folders, journal, TERMS, () -> now), breaker);
  }

  /** A command that was taken for lost came through later: the run is there as two jobs. */
  @Test
  void aFurtherCopyIsDeletedOnceTheOtherHasTheClaim() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      OutsideRun run = submitted("5", now);
      journal.put(run);
      queue.add(job(7, run.tag(), OutsideState.WAITING));
      queue.add(job(8, run.tag(), OutsideState.WAITING));
      steps(bridge);
      assertEquals(List.of(), deleted, "either may be the one that begins");
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + run.tag()));
      Files.writeString(claim.resolve("claim"), "id=7\n");
      queue.set(0, job(7, run.tag(), OutsideState.RUNNING));
      now = now.plusSeconds(40);
      bridge.step();
      assertEquals(List.of(OutsideId.of(8)), deleted);
      // The run is over and known no more, and its copy is still there.
      journal.put(run.ended(OutsideEnd.of(OutsideCause.UNKNOWN, "over"), now));
      bridge.forget(run.tag());
      queue.remove(0);
      now = now.plusSeconds(40);
      bridge.step();
      assertEquals(List.of(OutsideId.of(8), OutsideId.of(8)), deleted);
    }
  }

  @Test
  void theCopyThatHasTheClaimIsTheRunAndTheOtherIsDeleted() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideRun run = submitted("5", now);
      journal.put(run);
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + run.tag()));
      Files.writeString(claim.resolve("claim"), "id=8\n");
      queue.add(job(7, run.tag(), OutsideState.WAITING));
      queue.add(job(8, run.tag(), OutsideState.RUNNING));
      bridge(journal).step();
      assertEquals(List.of(), deleted, "the run's own number is not that of a copy");
      now = now.plusSeconds(40);
      bridge(journal).step();
      assertEquals(Optional.of(OutsideId.of(8)), journal.run(run.tag()).orElseThrow().id());
      assertEquals(List.of(OutsideId.of(7)), deleted);
    }
  }

  /** A wrapper without room takes its folder away again, and another copy may begin. */
  @Test
  void aCopyWhoseClaimWasGivenUpMeanwhileIsLeft() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      OutsideRun run = submitted("5", now);
      journal.put(run);
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + run.tag()));
      queue.add(job(7, run.tag(), OutsideState.RUNNING));
      queue.add(job(8, run.tag(), OutsideState.WAITING));
      bridge.step();
      Files.delete(claim);
      now = now.plusSeconds(40);
      bridge.step();
      assertEquals(List.of(), deleted);
    }
  }

  /** What a record said of one copy is not so of the other, which is the run. */
  @Test
  void theEndOfACopyIsNotThatOfTheRun() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideRun run = submitted("5", now);
      journal.put(run.recorded(OutsideEnd.of(OutsideCause.CANCELLED, "by somebody")));
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + run.tag()));
      Files.writeString(claim.resolve("claim"), "id=8\n");
      queue.add(job(8, run.tag(), OutsideState.RUNNING));
      bridge(journal).step();
      assertEquals(Optional.of(OutsideId.of(8)), journal.run(run.tag()).orElseThrow().id());
      assertEquals(Optional.empty(), journal.run(run.tag()).orElseThrow().end());
    }
  }

  /** Orders are never submitted for one with such a name, nor can a command be given. */
  @Test
  void theJobOfAnAccountWithAStrangeNameIsNoCopy() throws Exception {
    queueFails = false;
    RunFolders folders =
        new RunFolders() {
          @Override
          public Told<Boolean> remove(List<OutsideTag> tags, String account) {
            return Told.of(true);
          }

          @Override
          public Told<RunClaim> close(OutsideTag tag, String account) {
            return Told.of(RunClaim.RUN);
          }

          @Override
          public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
            return Optional.of(OutsideId.of(1));
          }

          @Override
          public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
            return Optional.empty();
          }
        };
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideRun run = submitted("5", now);
      journal.put(run);
      queue.add(job(7, run.tag(), OutsideState.RUNNING));
      OutsideTag forged = new OutsideTag("c1", "6", 1);
      queue.add(job(8, "alice@site", forged, OutsideState.WAITING));
      queue.add(job(9, "alice", forged, OutsideState.WAITING));
      new OutsideBridge(new BridgeParts(system(), folders, journal, TERMS, () -> now), breaker)
          .step();
      assertEquals(List.of(OutsideId.of(9)), deleted);
    }
  }

  /** Anybody can give many jobs of his own any marks: that must not hold up the others. */
  @Test
  void fewCopiesAreDeletedInOneGo() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideRun run = submitted("5", now);
      journal.put(run);
      Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + run.tag()));
      Files.writeString(claim.resolve("claim"), "id=7\n");
      queue.add(job(7, run.tag(), OutsideState.RUNNING));
      for (int number = 100; number < 200; number++) {
        queue.add(job(number, run.tag(), OutsideState.WAITING));
      }
      OutsideBridge bridge = bridge(journal);
      bridge.step();
      assertEquals(StrayCopies.AT_ONCE, deleted.size());
      now = now.plusSeconds(5);
      bridge.step();
      assertEquals(2 * StrayCopies.AT_ONCE, Set.copyOf(deleted).size(), "then others");
      deleted.clear();
      deletion = new Controlled.ControlUnclear("timeout");
      now = now.plusSeconds(40);
      bridge.step();
      assertEquals(1, deleted.size(), "nobody waits for a second one");
    }
  }

  /** Without a word of who has it, only what has waited since then cannot be who has taken it. */
  @Test
  void aCopyOfARunThatWasGivenUpIsDeleted() throws Exception {
    queueFails = false;
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      OutsideRun run = submitted("5", now);
      journal.put(run);
      OutsideTag given = new OutsideTag("c1", "6", 1);
      Files.createDirectories(folder.resolve(ACCOUNT + "/" + given));
      queue.add(job(7, run.tag(), OutsideState.RUNNING));
      queue.add(job(8, given, OutsideState.WAITING));
      queue.add(job(9, given, OutsideState.RUNNING));
      queue.add(job(10, new OutsideTag("c1", "11", 1), OutsideState.WAITING));
      bridge.step();
      assertEquals(List.of(), deleted);
      now = now.plusSeconds(40);
      bridge.step();
      assertEquals(List.of(OutsideId.of(8)), deleted);
    }
  }
}
