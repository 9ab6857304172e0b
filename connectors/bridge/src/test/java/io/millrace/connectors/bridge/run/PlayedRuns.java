package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs of a bridge whose outside system and clock a test plays: a queue that answers, knows jobs by
 * their numbers and does what it is told, without accounting, as far as the test says nothing else.
 */
final class PlayedRuns {

  static final Duration SECOND = Duration.ofSeconds(1);

  /** Ours, so that files of it are those of the account. */
  static final String ACCOUNT = System.getProperty("user.name");

  private final Path spool;
  private final PlayedSystem.Answers own;
  final CircuitBreaker breaker = new CircuitBreaker();
  final List<OutsideJob> queue = new ArrayList<>();
  Instant now = Instant.parse("2026-11-25T10:00:00Z");
  BridgeTerms terms = terms(SECOND, 9);

  /** What a run has in the spool. */
  RunFolders folders;

  PlayedRuns(Path spool) {
    this(
        spool,
        (question, arguments) -> {
          throw new UnsupportedOperationException(question);
        });
  }

  /**
   * @param own answers of the test's system, as far as they are not those of all
   */
  PlayedRuns(Path spool, PlayedSystem.Answers own) {
    this.spool = spool;
    this.own = own;
    inSpool(new ProcessRunner(), 3);
  }

  /** Terms in which a second is enough for all else. */
  static BridgeTerms terms(Duration accountingDelay, int runsMost) {
    return new BridgeTerms(
        SECOND, SECOND, SECOND, SECOND, accountingDelay, runsMost, runsMost, runsMost, 1);
  }

  /** Has the folders of runs in the spool, and commands carried out by somebody. */
  void inSpool(CommandRunner runner, int keptDays) {
    AccountCommands commands =
        new AccountCommands(
            Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000);
    folders = new SharedRunFolders(spool.toString(), runner, commands, keptDays);
  }

  private Object answer(String question, Object... arguments) {
    try {
      return own.to(question, arguments);
    } catch (UnsupportedOperationException e) {
      return switch (question) {
        case "snapshot", "tagged" -> Told.of(List.copyOf(queue));
        case "byNumber" -> Told.of(OutsideJob.byNumber(queue, numbers(arguments[1])));
        case "changes" -> changes(false);
        case "control" -> new Controlled.Done("");
        case "hasAccounting", "recordsUsage" -> false;
        default -> throw e;
      };
    }
  }

  private static List<OutsideId> numbers(Object given) {
    return ((Collection<?>) given).stream().map(OutsideId.class::cast).toList();
  }

  /** No changes, all read. */
  static Told<OutsideChanges> changes(boolean gap) {
    return Told.of(new OutsideChanges(List.of(), List.of(), "5", true, gap));
  }

  BridgeParts parts(RunJournal journal) {
    return new BridgeParts(PlayedSystem.of(this::answer), folders, journal, terms, () -> now);
  }

  OutsideBridge bridge(RunJournal journal) {
    return new OutsideBridge(parts(journal), breaker);
  }

  RunSubmitter submitter(RunJournal journal) {
    BridgeParts parts = parts(journal);
    return new RunSubmitter(parts, breaker, new AccountingReader(parts));
  }

  /** A run that is ordered now. */
  OutsideRun ordered(OutsideTag tag, String account) {
    return OutsideRun.ordered(PlayedSystem.order(tag, account), now);
  }

  /** A run that has a number since now. */
  OutsideRun submitted(OutsideTag tag, OutsideId number) {
    return ordered(tag, ACCOUNT).aboutToSubmit(now).submittedAs(number, now);
  }

  /** Its script has begun. */
  void begun(OutsideTag tag, OutsideId number) throws IOException {
    Path claim = Files.createDirectories(spool.resolve(ACCOUNT + "/" + tag));
    Files.writeString(
        claim.resolve("claim"), "id=" + number.number() + "\nhost=n1\nbegan=1795646850\n");
  }

  /** Steps of a bridge with a time before each. */
  void steps(OutsideBridge bridge, int steps, Duration time) throws Exception {
    for (int i = 0; i < steps; i++) {
      now = now.plus(time);
      bridge.step();
    }
  }

  /** Where a run is after four steps. */
  OutsideRunState after(OutsideBridge bridge, OutsideTag tag) throws Exception {
    steps(bridge, 4, Duration.ofSeconds(2));
    return bridge.run(tag).orElseThrow().state();
  }
}
