package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.Ending;
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
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.testkit.RecordedOpenPbs.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a real OpenPBS has said, played to a bridge: those behaviours of {@link OutsideContract}
 * that this can show. Those that need a live one are {@link OpenPbsContractIT}'s.
 */
class OpenPbsReplayTest {

  private static final String ACCOUNT = "pbsu1";
  private static final String JOB = "45.vm";
  private static final OutsideTag TAG = new OutsideTag("c1", "7", 1);

  @TempDir Path home;

  private final HandClock clock = new HandClock();
  private RecordedOpenPbs pbs;
  private ClusterFile file;
  private RunJournal journal;
  private OutsideBridge bridge;
  private OutsideSystem system;

  /** No wrapper has begun: what counts is what OpenPBS says. */
  private static final class NoFolders implements RunFolders {
    @Override
    public Told<Claim> close(OutsideTag tag, String account) {
      return Told.of(Claim.CLOSED);
    }

    @Override
    public Optional<Long> begunAs(OutsideTag tag, String account) {
      return Optional.empty();
    }

    @Override
    public Optional<OutsideEnd> exit(OutsideTag tag, String account) {
      return Optional.empty();
    }
  }

  @BeforeEach
  void open() throws Exception {
    assumeTrue(
        Files.isDirectory(RecordedOpenPbs.RECORDED),
        "no recordings at " + RecordedOpenPbs.RECORDED);
    pbs = new RecordedOpenPbs();
    Files.createDirectory(home.resolve("accounting"));
    Files.writeString(day(), "");
    Path properties = home.resolve("c1.properties");
    Files.write(
        properties,
        List.of(
            "name = c1",
            "system = openpbs",
            "server = vm",
            "spool = /spool",
            "accounting = " + home.resolve("accounting"),
            "user.alice = " + ACCOUNT));
    file = ClusterFile.read(properties, List.of(new PbsKind()));
    system = new PbsKind().open(file, pbs);
    journal = RunJournal.open(home.resolve("journal"));
    BridgeTerms terms =
        new BridgeTerms(
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            10,
            10,
            10);
    bridge = new OutsideBridge(new BridgeParts(system, new NoFolders(), journal, terms, clock));
    pbs.show("qsub", pbs.first("qsub -N h1 -h").answer());
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
            queue,
            1,
            Optional.of(100L),
            new OutsideSubmission.Work(new byte[0], List.of(), Map.of(), "/")));
  }

  private OutsideRun pass(int seconds) throws Exception {
    for (int i = 0; i < seconds; i++) {
      clock.pass(Duration.ofSeconds(1));
      bridge.step();
    }
    return bridge.run(TAG).orElseThrow();
  }

  /** The recorded job 45, when it was in a state. */
  private Exchange in(String state) {
    return pbs.all("qstat -f 45").stream()
        .filter(it -> it.out().contains("job_state = " + state + "\n"))
        .findFirst()
        .orElseThrow();
  }

  private Exchange whole() {
    return pbs.all("qstat -f 45").stream()
        .filter(it -> !it.command().contains("|"))
        .findFirst()
        .orElseThrow();
  }

  private OutsideRunState shown(String state) throws Exception {
    pbs.showJob(in(state));
    return pass(8).state();
  }

  /** The job is submitted and runs. */
  private void running() throws Exception {
    order(Optional.empty());
    pbs.showJob(whole());
    assertEquals(OutsideRunState.WAITING, pass(8).state());
    assertEquals(OutsideRunState.RUNNING, shown("R"));
  }

  private void write(List<String> lines) throws IOException {
    assertTrue(!lines.isEmpty(), "nothing was recorded");
    Files.write(day(), lines, StandardOpenOption.APPEND);
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    List<CheckLine> lines = new PbsKind().check(file, pbs);
    assertEquals(List.of(), lines.stream().filter(it -> !it.good()).toList());
    assertEquals(5, lines.size());
  }

  @Test
  void theInventory() throws Exception {
    OutsideInventory found = ((Told.Answered<OutsideInventory>) system.inventory()).value();
    assertEquals("vm", found.hosts().get(0).name());
    assertEquals(64, found.hosts().get(0).cpus());
    assertEquals(List.of("workq", "wq1", "wq2", "r1"), found.queues());
  }

  @Test
  void aJobsEndComesBackOfAccounting() throws Exception {
    running();
    write(pbs.accounting(JOB, "E"));
    pbs.showNoJob();
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(15, run.end().orElseThrow().signal());
    assertEquals(6000, run.end().orElseThrow().usage().orElseThrow().walltimeMs());
  }

  @Test
  void aJobsEndComesBackOfTheHistory() throws Exception {
    running();
    pbs.showJob(pbs.first("qstat -xf 45"));
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    assertEquals(OutsideCause.CANCELLED, run.end().orElseThrow().cause());
  }

  @Test
  void aQueueThatIsNotThereIsARefusal() throws Exception {
    pbs.show("qsub", pbs.first("qsub -q nosuchq").answer());
    order(Optional.of("nosuchq"));
    OutsideRun run = pass(2);
    assertEquals(OutsideCause.REFUSED, run.end().orElseThrow().cause());
    assertEquals("qsub: Unknown queue", run.end().orElseThrow().words());
  }

  /** The D record is a wish; the job may live on. */
  @Test
  void aRunningJobIsDeleted() throws Exception {
    running();
    pbs.show(
        "qdel",
        pbs.all("qdel 45").stream()
            .filter(it -> it.status() == 0)
            .findFirst()
            .orElseThrow()
            .answer());
    bridge.delete(TAG);
    write(pbs.accounting(JOB, "D"));
    assertEquals(OutsideRunState.RUNNING, pass(25).state());
    assertTrue(pbs.asked("qdel") >= 2, "again until it is gone: " + pbs.asked("qdel"));
    write(pbs.accounting(JOB, "E"));
    pbs.show("qdel", pbs.all("qdel 45").get(2).answer());
    pbs.showNoJob();
    assertEquals(OutsideRunState.ENDED, pass(20).state());
  }

  /** After the R record it waits again. */
  @Test
  void aJobThatIsRequeuedIsNotOver() throws Exception {
    running();
    write(pbs.accounting(JOB, "R"));
    assertEquals(OutsideRunState.WAITING, shown("H"));
    assertEquals(OutsideRunState.RUNNING, shown("R"));
  }

  @Test
  void aJobIsHeldReleasedAndRuns() throws Exception {
    order(Optional.empty());
    pbs.showJob(whole());
    pass(8);
    pbs.show("qhold", pbs.first("qhold -h u 45").answer());
    pbs.show("qrls", pbs.all("qrls 45").get(1).answer());
    assertInstanceOf(Controlled.Done.class, bridge.control(TAG, OutsideAction.HOLD));
    assertInstanceOf(Controlled.Done.class, bridge.control(TAG, OutsideAction.RELEASE));
    assertEquals(OutsideRunState.RUNNING, shown("R"));
  }

  /** Only operators may suspend. */
  @Test
  void aJobIsSuspended() throws Exception {
    running();
    pbs.show("qsig", pbs.all("qsig -s suspend 45").get(0).answer());
    assertInstanceOf(Controlled.Refused.class, bridge.control(TAG, OutsideAction.SUSPEND));
    assertEquals(OutsideRunState.SUSPENDED, shown("S"));
  }

  @Test
  void aLostAnswerIsFoundByItsTag() throws Exception {
    pbs.show("qsub", new OutsideAnswer(Ending.TIMED_OUT, -1, "", "", Duration.ofSeconds(20)));
    order(Optional.empty());
    pass(1);
    pbs.showJob(whole());
    OutsideRun run = pass(8);
    assertEquals(45, run.id().orElseThrow().number());
    assertEquals(1, pbs.asked("qsub"));
  }

  @Test
  void aServerThatIsSilentEndsNothing() throws Exception {
    running();
    pbs.showTrouble(pbs.first("qstat @nosuchserver"));
    assertEquals(OutsideRunState.NOT_HEARD_OF, pass(120).state());
    assertTrue(bridge.trouble().orElseThrow().startsWith("qstat: "), bridge.trouble()::toString);
    pbs.showJob(in("R"));
    assertEquals(OutsideRunState.RUNNING, pass(90).state(), "asked in pauses of up to 60 s");
  }

  @Test
  void aServerThatCannotBeReachedTakesNothing() throws Exception {
    pbs.show("qsub", pbs.first("qsub -q workq@nosuchserver").answer());
    order(Optional.empty());
    assertEquals(OutsideRunState.ABOUT_TO_SUBMIT, pass(3).state());
  }
}
