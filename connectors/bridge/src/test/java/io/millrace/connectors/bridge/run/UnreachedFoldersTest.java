package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host of the runs' folders that is away says nothing about any run, whatever others say. */
class UnreachedFoldersTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final OutsideId NUMBER = OutsideId.of(7);

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private boolean away = true;

  private final RunFolders folders =
      new RunFolders() {
        @Override
        public Told<Boolean> remove(List<OutsideTag> tags, String account) {
          return Told.of(true);
        }

        @Override
        public Told<RunClaim> close(OutsideTag tag, String account) {
          return away ? Told.nothing("away") : Told.of(RunClaim.RUN);
        }

        @Override
        public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
          reach();
          return Optional.of(NUMBER);
        }

        @Override
        public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
          reach();
          return Optional.of(new OutsideEnd(3, 0, OutsideCause.EXITED, "file of the wrapper"));
        }

        private void reach() {
          if (away) {
            throw new UncheckedIOException(new FilesUnreached("host n1 cannot be reached"));
          }
        }
      };

  /** Its accounting says that the run's host was lost, which would have it run again. */
  private Object answer(String question, OutsideRun run) {
    return switch (question) {
      case "snapshot" -> Told.of(List.of());
      case "changes" ->
          Told.of(
              new OutsideChanges(
                  List.of(
                      new OutsideRecord(
                          NUMBER,
                          run.account(),
                          Optional.of(run.tag()),
                          Optional.empty(),
                          OutsideEnd.of(OutsideCause.NODE_LOST, "NODE_FAIL"),
                          true,
                          Map.of())),
                  List.of(),
                  "read",
                  true,
                  false));
      case "hasAccounting" -> true;
      case "recordsUsage", "snapshotHasTags" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  @Test
  void nothingFollowsUntilItIsReached() throws Exception {
    try (RunJournal journal = RunJournal.open(folder)) {
      OutsideRun run =
          OutsideRun.ordered(RunSubmitterTest.order(1, "q"), now)
              .aboutToSubmit(now)
              .submittedAs(NUMBER, now);
      journal.put(run);
      OutsideSystem system =
          (OutsideSystem)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {OutsideSystem.class},
                  (proxy, method, arguments) -> answer(method.getName(), run));
      CircuitBreaker breaker = new CircuitBreaker();
      OutsideBridge bridge =
          new OutsideBridge(
              new BridgeParts(
                  system,
                  folders,
                  journal,
                  new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 9, 9, 9, 1),
                  () -> now),
              breaker);
      for (int i = 0; i < 5; i++) {
        now = now.plusSeconds(40);
        bridge.step();
        assertNotEquals(OutsideRunState.ENDED, bridge.run(run.tag()).orElseThrow().state());
        assertEquals("", journal.cursor(), "the record is read again");
      }
      assertEquals(Optional.of("host n1 cannot be reached"), bridge.trouble());
      away = false;
      now = now.plusSeconds(40);
      bridge.step();
      OutsideEnd end = bridge.run(run.tag()).orElseThrow().end().orElseThrow();
      assertEquals(OutsideCause.EXITED, end.cause());
      assertEquals(3, end.status());
    }
  }
}
