package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A bridge to an outside system that a test plays. */
final class PlayedBridge {

  private PlayedBridge() {}

  /** What the outside system answers. */
  interface PlayedAnswer {
    /**
     * @param question name of the method of {@link OutsideSystem}
     */
    Object to(String question, Object[] arguments);
  }

  static SharedRunFolders folders(Path spool) {
    AccountCommands commands =
        new AccountCommands(Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(1), 1);
    return new SharedRunFolders(spool.toString(), command -> null, commands);
  }

  static OutsideBridge of(RunJournal journal, SharedRunFolders folders, PlayedAnswer answer) {
    return of(journal, folders, answer, Clock.systemUTC());
  }

  static OutsideBridge of(
      RunJournal journal, SharedRunFolders folders, PlayedAnswer answer, InstantSource clock) {
    return of(journal, folders, answer, clock, new CircuitBreaker());
  }

  static OutsideSystem system(PlayedAnswer answer) {
    return (OutsideSystem)
        Proxy.newProxyInstance(
            PlayedBridge.class.getClassLoader(),
            new Class<?>[] {OutsideSystem.class},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments));
  }

  static OutsideBridge of(
      RunJournal journal,
      SharedRunFolders folders,
      PlayedAnswer answer,
      InstantSource clock,
      CircuitBreaker breaker) {
    OutsideSystem system = system(answer);
    BridgeTerms terms =
        new BridgeTerms(
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(30),
            10,
            10,
            10,
            1);
    return new OutsideBridge(new BridgeParts(system, folders, journal, terms, clock), breaker);
  }

  /** An order of alice's. */
  static OutsideSubmission order(OutsideTag tag) {
    return order(tag, "alice");
  }

  static OutsideSubmission order(OutsideTag tag, String account) {
    return new OutsideSubmission(
        tag,
        account,
        "a",
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        new OutsideAmounts(List.of(new OutsideShare(1, 0, 1, Map.of())), Optional.empty()),
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
  }
}
