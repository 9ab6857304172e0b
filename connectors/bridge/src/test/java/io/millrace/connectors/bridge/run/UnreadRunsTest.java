package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose files cannot be read is not heard of, and keeps nobody else from anything. */
class UnreadRunsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String ACCOUNT = System.getProperty("user.name");
  private static final OutsideEnd LOST = OutsideEnd.of(OutsideCause.NODE_LOST, "NODE_FAIL");

  @TempDir Path folder;

  private final CircuitBreaker breaker = new CircuitBreaker();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");
  private final List<OutsideJob> queue = new ArrayList<>();
  private final List<OutsideRecord> records = new ArrayList<>();
  private final List<OutsideId> deleted = new ArrayList<>();

  /** What a look at a file meets, by the end of its path. */
  private final Map<String, IOException> faults = new HashMap<>();

  private RunJournal journal;
  private OutsideBridge bridge;

  private final OutsideFiles files =
      (OutsideFiles)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {OutsideFiles.class},
              (proxy, method, arguments) -> {
                for (Map.Entry<String, IOException> fault : faults.entrySet()) {
                  if (arguments != null && (arguments[0] + "").endsWith(fault.getKey())) {
                    throw fault.getValue();
                  }
                }
                try {
                  return method.invoke(OutsideFiles.here(), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  /** Commands and files of this host, of which some fail. */
  private final class FaultyHost implements CommandRunner {
    private final ProcessRunner here = new ProcessRunner();

    @Override
    public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
      return here.run(command);
    }

    @Override
    public OutsideFiles files() {
      return files;
    }
  }

  private Object answer(String question, Object... arguments) {
    return switch (question) {
      case "snapshot" -> Told.of(List.copyOf(queue));
      case "control" -> {
        deleted.add((OutsideId) arguments[0]);
        yield new Controlled.Done("");
      }
      case "changes" -> {
        List<OutsideRecord> read = List.copyOf(records);
        records.clear();
        yield Told.of(new OutsideChanges(read, List.of(), "read", true, false));
      }
      case "byNumber" -> Told.of(Map.of());
      case "tagged" -> Told.of(List.of());
      case "isSubmitting" -> true;
      case "hasAccounting" -> true;
      case "recordsUsage" -> false;
      default -> throw new UnsupportedOperationException(question);
    };
  }

  @BeforeEach
  void open() throws IOException {
    journal = RunJournal.open(folder.resolve("journal"));
    OutsideSystem system = PlayedSystem.of(this::answer);
    SharedRunFolders folders =
        new SharedRunFolders(
            folder.resolve("spool").toString(),
            new FaultyHost(),
            new AccountCommands(
                Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(20), 1000));
    BridgeTerms terms = new BridgeTerms(SECOND, SECOND, SECOND, SECOND, SECOND, 9, 9, 99, 1);
    bridge =
        new OutsideBridge(new BridgeParts(system, folders, journal, terms, () -> now), breaker);
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private OutsideRun submitted(int number) throws IOException {
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c1", number + "", 1),
            ACCOUNT,
            "a",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            SomeAmounts.of(1, 0, Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    OutsideRun run =
        OutsideRun.ordered(order, now).aboutToSubmit(now).submittedAs(OutsideId.of(number), now);
    journal.put(run);
    return run;
  }

  private Path folder(OutsideRun run) {
    return folder.resolve("spool/" + ACCOUNT + "/" + run.tag());
  }

  /** Its script has run and has ended. */
  private OutsideRun ended(int number) throws IOException {
    OutsideRun run = submitted(number);
    Files.createDirectories(folder(run));
    Files.writeString(folder(run).resolve("claim"), "id=" + number + "\n");
    Files.writeString(folder(run).resolve("exit"), "status=3\nended=4\n");
    return run;
  }

  private void record(OutsideRun run, OutsideEnd end) {
    records.add(
        new OutsideRecord(
            run.id().orElseThrow(),
            ACCOUNT,
            Optional.of(run.tag()),
            Optional.empty(),
            end,
            true,
            Map.of()));
  }

  private OutsideJob job(OutsideRun run, OutsideState state) {
    return job(run.id().orElseThrow().number(), run.tag(), state);
  }

  private static OutsideJob job(long number, OutsideTag tag, OutsideState state) {
    return ShownJobs.job(OutsideId.of(number), ACCOUNT, tag, state);
  }

  private void steps(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      now = now.plusSeconds(5);
      bridge.step();
    }
  }

  private OutsideRun known(OutsideRun run) {
    return bridge.run(run.tag()).orElseThrow();
  }

  private void ends(OutsideRun run) {
    OutsideEnd end = known(run).end().orElseThrow();
    assertEquals(OutsideRunState.ENDED, known(run).state());
    assertEquals(3, end.status(), end::toString);
  }

  /** Its host was lost after its end: without its file of the end it would be run again. */
  @Test
  void aFaultOfADiskIsNoEndAndStopsNobody() throws Exception {
    OutsideRun bad = ended(1);
    OutsideRun good = ended(2);
    OutsideRun missing = ended(3);
    OutsideRun runs = submitted(4);
    queue.add(job(runs, OutsideState.RUNNING));
    bridge.delete(runs.tag());
    faults.put(bad.tag() + "/exit", new IOException("Stale file handle"));
    record(bad, LOST);
    record(good, LOST);
    steps(5);
    assertEquals(OutsideRunState.NOT_HEARD_OF, known(bad).state());
    assertTrue(bridge.trouble(known(bad)).orElseThrow().contains("Stale file handle"));
    assertEquals("read", journal.cursor());
    ends(good);
    ends(missing);
    assertEquals(OutsideRunState.RUNNING, known(runs).state());
    assertNotEquals(List.of(), deleted);
    assertEquals(Optional.empty(), bridge.trouble(), "the cluster is well");
    faults.clear();
    steps(1);
    ends(bad);
  }

  /** What accounting said of it is not read again. */
  @Test
  void aProcessThatBeginsAnewKnowsWhatWasSaid() throws Exception {
    OutsideRun bad = ended(1);
    faults.put(bad.tag() + "/exit", new IOException("Input/output error"));
    record(bad, LOST.withUsage(new OutsideUsage(5, 6, 7, 8)));
    steps(2);
    close();
    open();
    steps(2);
    assertEquals(OutsideRunState.NOT_HEARD_OF, known(bad).state());
    faults.clear();
    steps(2);
    ends(bad);
    assertTrue(known(bad).end().orElseThrow().usage().isPresent());
  }

  /** An account can do that with its own; a link is nobody's file, and never was. */
  @ParameterizedTest
  @ValueSource(strings = {"exit", "claim", ""})
  void anAttackersLoopStopsNobody(String name) throws Exception {
    OutsideRun bad = submitted(1);
    Path loop = folder(bad).resolve(name);
    Files.createDirectories(loop.getParent());
    Files.createSymbolicLink(loop, loop);
    OutsideTag forged = new OutsideTag("c1", "77", 1);
    Path other = folder.resolve("spool/" + ACCOUNT + "/" + forged);
    Files.createSymbolicLink(other, other);
    queue.add(job(99, forged, OutsideState.WAITING));
    OutsideRun good = ended(2);
    OutsideRun missing = ended(3);
    record(bad, LOST);
    record(good, LOST);
    steps(5);
    ends(good);
    ends(missing);
  }

  /** The claim of a copy cannot be read: it may be the run, and is not deleted. */
  @Test
  void aCopyWhoseClaimCannotBeReadIsLeft() throws Exception {
    OutsideTag over = new OutsideTag("c1", "77", 1);
    OutsideTag other = new OutsideTag("c1", "78", 1);
    for (OutsideTag each : List.of(over, other)) {
      Path claim = Files.createDirectories(folder.resolve("spool/" + ACCOUNT + "/" + each));
      Files.writeString(claim.resolve("claim"), "id=5\n");
    }
    faults.put(over + "/claim", new IOException("Input/output error"));
    submitted(1);
    queue.add(job(98, over, OutsideState.WAITING));
    queue.add(job(99, other, OutsideState.WAITING));
    steps(1);
    assertEquals(List.of(OutsideId.of(99)), deleted);
  }

  @Test
  void whatIsToBeDeletedIsAlsoWhereNoFileIsReached() throws Exception {
    OutsideRun bad = ended(1);
    OutsideRun runs = submitted(4);
    queue.add(job(runs, OutsideState.RUNNING));
    steps(1);
    faults.put(bad.tag() + "/claim", new FilesUnreached("n1 cannot be reached"));
    faults.put(bad.tag() + "/exit", new FilesUnreached("n1 cannot be reached"));
    bridge.delete(runs.tag());
    record(bad, LOST);
    now = now.plusSeconds(5);
    bridge.step();
    assertEquals(List.of(OutsideId.of(4)), deleted);
  }

  /** It is not run again; a disk that stays broken must not keep it for ever. */
  @Test
  void whatIsToBeDeletedEndsSomeDayAsItWasTold() throws Exception {
    OutsideRun bad = ended(1);
    OutsideRun kept = ended(2);
    bridge.delete(bad.tag());
    for (OutsideRun run : List.of(bad, kept)) {
      faults.put(run.tag() + "/claim", new IOException("Input/output error"));
      faults.put(run.tag() + "/exit", new IOException("Input/output error"));
      record(run, LOST);
    }
    steps(23);
    assertEquals(OutsideRunState.NOT_HEARD_OF, known(bad).state(), "two minutes are not over");
    steps(10);
    assertEquals(Optional.of(LOST), known(bad).end());
    assertEquals(OutsideRunState.ENDED, known(bad).state());
    assertEquals(OutsideRunState.NOT_HEARD_OF, known(kept).state());
  }

  /** As where processes are hidden for ever: its claim is taken, so that no copy can begin. */
  @Test
  void whatMayBeUnderWayForEverEndsWhenItIsDeleted() throws Exception {
    Files.createDirectories(folder.resolve("spool/" + ACCOUNT));
    OutsideRun run =
        OutsideRun.ordered(submitted(1).order(), now).aboutToSubmit(now).unclearSince(now);
    journal.put(run);
    steps(5);
    assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, known(run).state());
    bridge.delete(run.tag());
    steps(5);
    assertEquals(OutsideCause.CANCELLED, known(run).end().orElseThrow().cause());
    assertTrue(Files.isDirectory(folder(run)));
  }
}
