package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose script has begun, and of which nothing is ever told again. */
class UntoldEndsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DELAY = Duration.ofSeconds(30);
  private static final BridgeTerms TERMS =
      new BridgeTerms(SECOND, SECOND, SECOND, SECOND, DELAY, 9, 9, 9, 1);
  private static final String ACCOUNT = System.getProperty("user.name");
  private static final OutsideId NUMBER = OutsideId.of(7);
  private static final OutsideTag TAG = new OutsideTag("c1", "5", 1);

  @TempDir Path folder;

  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();

  private Object answer(String question) {
    return switch (question) {
      case "snapshot" -> Told.of(List.copyOf(queue));
      case "byNumber" -> Told.of(Map.of(NUMBER, Optional.empty()));
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "", true, false));
      case "control" -> new Controlled.Done("");
      case "hasAccounting", "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  private OutsideBridge bridge(RunJournal journal) {
    OutsideSystem system = PlayedSystem.of((question, arguments) -> answer(question));
    AccountCommands commands =
        new AccountCommands(Optional.empty(), Optional.empty(), Map.of(), SECOND, 1000);
    SharedRunFolders folders = new SharedRunFolders(folder + "", command -> null, commands);
    return new OutsideBridge(new BridgeParts(system, folders, journal, TERMS, () -> now));
  }

  private void aRunThatHasBegun(RunJournal journal) throws Exception {
    OutsideSubmission order = PlayedSystem.order(TAG, ACCOUNT);
    Path claim = Files.createDirectories(folder.resolve(ACCOUNT + "/" + TAG));
    Files.writeString(claim.resolve("claim"), "id=7\nhost=n1\nbegan=1795646850\n");
    journal.put(OutsideRun.ordered(order, now).aboutToSubmit(now).submittedAs(NUMBER, now));
  }

  private OutsideRun after(OutsideBridge bridge, Duration time) throws Exception {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      now = now.plusSeconds(20);
      bridge.step();
    }
    return bridge.run(TAG).orElseThrow();
  }

  /** As of a Slurm without accounting, whose host has died. */
  @Test
  void oneThatIsDeletedHereEndsSomeDay() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      aRunThatHasBegun(journal);
      assertEquals(
          OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofHours(3)).state(), "for ever");
      bridge.delete(TAG);
      assertEquals(OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofMinutes(50)).state());
    }
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideRun run = after(bridge(journal), Duration.ofMinutes(20));
      assertEquals(OutsideRunState.ENDED, run.state());
      assertEquals(OutsideCause.CANCELLED, run.end().orElseThrow().cause());
    }
  }

  /** What was waited for before it was seen counts no more. */
  @Test
  void oneThatIsSeenAgainIsWaitedForAnew() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      aRunThatHasBegun(journal);
      after(bridge, Duration.ofMinutes(3));
      bridge.delete(TAG);
      after(bridge, Duration.ofMinutes(50));
      queue.add(ShownJobs.job(NUMBER, ACCOUNT, TAG, OutsideState.RUNNING));
      assertEquals(OutsideRunState.RUNNING, after(bridge, SECOND).state());
      queue.clear();
      assertEquals(OutsideRunState.NOT_HEARD_OF, after(bridge, Duration.ofMinutes(50)).state());
    }
  }
}
