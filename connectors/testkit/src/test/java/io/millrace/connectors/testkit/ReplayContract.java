package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunFolders;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.testkit.ReplayedSystem.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a bridge makes of answers that are played to it: those behaviours of {@link OutsideContract}
 * that this can show, for systems that nobody has here.
 */
abstract class ReplayContract {

  static final String ACCOUNT = "pbsu1";
  static final int JOB = 45;
  private static final OutsideTag TAG = new OutsideTag("c1", "7", 1);

  @TempDir Path home;

  private final HandClock clock = new HandClock();

  /** How the script has ended by its wrapper; empty while nobody has written that. */
  Optional<OutsideEnd> exit = Optional.empty();

  ReplayedSystem replayed;
  private ClusterFile file;
  private RunJournal journal;
  private OutsideBridge bridge;
  private OutsideSystem system;

  abstract OutsideKind kind();

  abstract ReplayedSystem replayed() throws IOException;

  /** Looks at what the inventory says. */
  abstract void inventory(OutsideInventory found);

  /** No wrapper has begun, but where a test says so: what counts is what the system says. */
  private final class NoFolders implements RunFolders {
    @Override
    public Told<Boolean> remove(List<OutsideTag> tags, String account) {
      return Told.of(true);
    }

    @Override
    public Told<RunClaim> close(OutsideTag tag, String account) {
      return Told.of(RunClaim.CLOSED);
    }

    @Override
    public Optional<OutsideId> begunAs(OutsideTag tag, String account) {
      return exit.map(it -> OutsideId.of(JOB));
    }

    @Override
    public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
      return exit;
    }
  }

  @BeforeEach
  void open() throws Exception {
    replayed = replayed();
    Files.createDirectory(home.resolve("accounting"));
    Files.writeString(day(), "");
    file = file(List.of("accounting = " + home.resolve("accounting")));
    journal = RunJournal.open(home.resolve("journal"));
    bridge(file);
    replayed.says("qsub", Said.TAKEN);
    replayed.queueWithoutJobs();
  }

  /** One that reads no accounting. */
  void withoutAccounting() throws Exception {
    bridge(file(List.of()));
  }

  private void bridge(ClusterFile cluster) {
    system = kind().open(cluster, replayed);
    BridgeTerms terms =
        new BridgeTerms(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(20),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            10,
            10,
            10,
            1);
    bridge = new OutsideBridge(new BridgeParts(system, new NoFolders(), journal, terms, clock));
  }

  private ClusterFile file(List<String> more) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = " + kind().name(),
                "server = vm",
                "spool = /spool",
                "user.alice = " + ACCOUNT));
    lines.addAll(more);
    Path properties = Files.write(home.resolve("c1.properties"), lines);
    return ClusterFile.read(properties, List.of(kind()));
  }

  @AfterEach
  void close() throws IOException {
    if (journal != null) {
      journal.close();
    }
  }

  private Path day() {
    return home.resolve("accounting/20261120");
  }

  private void order(Optional<String> queue) throws IOException {
    bridge.order(
        new OutsideSubmission(
            TAG,
            ACCOUNT,
            "h1",
            new OutsideSubmission.OutsidePlace(queue, List.of()),
            SomeAmounts.of(1, 0, Optional.of(100L)),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/")));
  }

  OutsideRun pass(int seconds) throws Exception {
    for (int i = 0; i < seconds; i++) {
      clock.pass(Duration.ofSeconds(1));
      bridge.step();
    }
    return bridge.run(TAG).orElseThrow();
  }

  private OutsideRunState shown(OutsideState state) throws Exception {
    replayed.queue(state);
    return pass(8).state();
  }

  /** The job is submitted and runs. */
  void running() throws Exception {
    order(Optional.empty());
    assertEquals(OutsideRunState.WAITING, shown(OutsideState.HELD));
    assertEquals(OutsideRunState.RUNNING, shown(OutsideState.RUNNING));
  }

  private void write(List<String> lines) throws IOException {
    assertTrue(!lines.isEmpty(), "there are no lines");
    Files.write(day(), lines, StandardOpenOption.APPEND);
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    List<CheckLine> lines = kind().check(file, replayed);
    assertEquals(List.of(), lines.stream().filter(it -> !it.good()).toList());
    assertEquals(6, lines.size());
  }

  @Test
  void theInventory() throws Exception {
    inventory(((Told.Answered<OutsideInventory>) system.inventory()).value());
  }

  @Test
  void aJobsEndComesBackOfAccounting() throws Exception {
    running();
    write(replayed.accounting("E"));
    replayed.queueWithoutJobs();
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(15, run.end().orElseThrow().signal());
    assertEquals(6000, run.end().orElseThrow().usage().orElseThrow().walltimeMs());
  }

  @Test
  void aJobsEndComesBackOfTheQueueAlone() throws Exception {
    withoutAccounting();
    running();
    replayed.queue(OutsideState.ENDED);
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(15, run.end().orElseThrow().signal());
    assertEquals(6000, run.end().orElseThrow().usage().orElseThrow().walltimeMs());
  }

  @Test
  void aQueueThatIsNotThereIsARefusal() throws Exception {
    replayed.says("qsub", Said.NO_QUEUE);
    order(Optional.of("nosuchq"));
    OutsideRun run = pass(2);
    assertEquals(OutsideCause.REFUSED, run.end().orElseThrow().cause());
    assertTrue(run.end().orElseThrow().words().contains("Unknown queue"), run::toString);
  }

  /** The D record is a wish; the job may live on. */
  @Test
  void aRunningJobIsDeleted() throws Exception {
    running();
    replayed.says("qdel", Said.DONE);
    bridge.delete(TAG);
    write(replayed.accounting("D"));
    assertEquals(OutsideRunState.RUNNING, pass(25).state());
    assertTrue(replayed.asked("qdel") >= 2, "again until it is gone: " + replayed.asked("qdel"));
    write(replayed.accounting("E"));
    replayed.says("qdel", Said.GONE);
    replayed.queueWithoutJobs();
    assertEquals(OutsideRunState.ENDED, pass(20).state());
  }

  /** After the R record it waits again. */
  @Test
  void aJobThatIsRequeuedIsNotOver() throws Exception {
    running();
    write(replayed.accounting("R"));
    assertEquals(OutsideRunState.WAITING, shown(OutsideState.HELD));
    assertEquals(OutsideRunState.RUNNING, shown(OutsideState.RUNNING));
  }

  @Test
  void aJobIsHeldReleasedAndRuns() throws Exception {
    order(Optional.empty());
    shown(OutsideState.HELD);
    replayed.says("qhold", Said.DONE);
    replayed.says("qrls", Said.DONE);
    assertInstanceOf(Controlled.Done.class, bridge.control(TAG, OutsideAction.HOLD));
    assertInstanceOf(Controlled.Done.class, bridge.control(TAG, OutsideAction.RELEASE));
    assertEquals(OutsideRunState.RUNNING, shown(OutsideState.RUNNING));
  }

  /** Held from here, and its walltime altered: the words of a refusal are those of the server. */
  @Test
  void aHoldAndAnotherWalltimeAreOrderedAndRefusalsAreTold() throws Exception {
    order(Optional.empty());
    shown(OutsideState.HELD);
    assertTrue(bridge.isHeld(TAG));
    replayed.says("qalter", Said.DONE);
    assertInstanceOf(Controlled.Done.class, bridge.limit(TAG, 50));
    for (String command : List.of("qalter", "qhold", "qdel")) {
      replayed.says(command, Said.NOT_ALLOWED);
    }
    assertTrue(isRefused(bridge.limit(TAG, 500)));
    assertTrue(isRefused(bridge.control(TAG, OutsideAction.HOLD)));
    assertEquals(OutsideRunState.RUNNING, shown(OutsideState.RUNNING));
    assertFalse(bridge.isHeld(TAG));
    bridge.delete(TAG);
    pass(3);
    assertTrue(isRefused(bridge.deletion(TAG).orElseThrow()));
  }

  private static boolean isRefused(Controlled said) {
    return said instanceof Controlled.ControlRefused refused
        && refused.words().contains("Unauthorized Request");
  }

  /** Only operators may suspend. */
  @Test
  void aJobIsSuspended() throws Exception {
    running();
    replayed.says("qsig", Said.NOT_ALLOWED);
    assertInstanceOf(Controlled.ControlRefused.class, bridge.control(TAG, OutsideAction.SUSPEND));
    assertEquals(OutsideRunState.SUSPENDED, shown(OutsideState.SUSPENDED));
  }

  @Test
  void aLostAnswerIsFoundByItsTag() throws Exception {
    replayed.says("qsub", Said.UNREACHABLE);
    order(Optional.empty());
    pass(1);
    OutsideRunState then = shown(OutsideState.HELD);
    assertEquals(OutsideRunState.WAITING, then);
    assertEquals(JOB, bridge.run(TAG).orElseThrow().id().orElseThrow().number());
    assertEquals(1, replayed.asked("qsub"));
  }

  /** It ended so soon that no queue has shown it. */
  @Test
  void aLostAnswerIsFoundInAccounting() throws Exception {
    replayed.says("qsub", Said.UNREACHABLE);
    order(Optional.empty());
    pass(1);
    write(replayed.accounting("E"));
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(JOB, run.id().orElseThrow().number());
    assertEquals(1, replayed.asked("qsub"));
  }

  @Test
  void aServerThatIsSilentEndsNothing() throws Exception {
    running();
    replayed.queueSilent();
    assertEquals(OutsideRunState.NOT_HEARD_OF, pass(120).state());
    assertTrue(bridge.trouble().orElseThrow().startsWith("qstat: "), bridge.trouble()::toString);
    replayed.queue(OutsideState.RUNNING);
    assertEquals(OutsideRunState.RUNNING, pass(90).state(), "asked in pauses of up to 60 s");
  }

  /** Without query_other_jobs a list shows others nothing of it, and says so in no word. */
  @Test
  void aListThatHidesOthersJobsEndsNothing() throws Exception {
    running();
    replayed.listsHideIt();
    for (int i = 0; i < 20; i++) {
      assertNotEquals(OutsideRunState.ENDED, pass(8).state());
    }
    replayed.queueWithoutJobs();
    assertEquals(OutsideRunState.ENDED, pass(90).state());
  }

  @Test
  void aServerThatCannotBeReachedTakesNothing() throws Exception {
    replayed.says("qsub", Said.UNREACHABLE);
    order(Optional.empty());
    assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, pass(3).state());
  }
}
