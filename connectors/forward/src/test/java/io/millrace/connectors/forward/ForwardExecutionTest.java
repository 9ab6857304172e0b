package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ForwardExecutionTest {

  private static final OutsideTag TAG = new OutsideTag("c1", "12", 1);
  private static final OutsideId NUMBER = OutsideId.of(77);
  private static final RunId ID = new RunId("12.vm", 1);
  private static final String SELF = System.getProperty("user.name");

  @TempDir Path folder;

  /** Files of a run count when they are its account's. */
  private final ForwardedRun run = new ForwardedRun(ID, TAG, SELF, "origin", 1, PassedOrders.NONE);

  private final BlockingQueue<OutsideAction> passed = new LinkedBlockingQueue<>();
  private final BlockingQueue<Integer> signalled = new LinkedBlockingQueue<>();
  private InstantSource clock = Clock.systemUTC();
  private volatile boolean takes;
  private volatile OutsideState shown = OutsideState.WAITING;

  /** One life of the process: the thread and the journal end with it. */
  private record Life(RunJournal journal, BridgeThread thread, ForwardExecution execution)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      thread.close();
      journal.close();
    }
  }

  private Object answer(String question, Object[] arguments) {
    return switch (question) {
      case "submit" -> takes ? new Submitted.Accepted(NUMBER) : new Submitted.NotSent("it is away");
      case "control" -> {
        passed.add((OutsideAction) arguments[2]);
        yield new Controlled.Done("");
      }
      case "signal" -> {
        signalled.add((Integer) arguments[2]);
        yield new Controlled.Done("");
      }
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot" -> Told.of(List.of(job()));
      case "tagged" -> Told.of(List.of());
      default -> false;
    };
  }

  private OutsideJob job() {
    return new OutsideJob(
        NUMBER,
        "a",
        SELF,
        Optional.of(TAG),
        shown,
        "",
        Optional.empty(),
        "",
        1,
        Optional.empty(),
        "",
        List.of());
  }

  private ClusterFile file() {
    Map<String, String> values =
        Map.of(
            "name", "c1",
            "mode", "forward",
            "spool", folder.resolve("spool") + "",
            "as", "engine",
            "command_limit_s", "1",
            "resource.ngpus", "gres/gpu",
            "output_most_mib", "1");
    return new ClusterFile(null, values, Map.of("alice", SELF));
  }

  private static RunRequest request(String job) {
    return request(job, SomeContext.of("a", "c1", Map.of(), List.of("n1@c1"), 1));
  }

  private static RunRequest request(String job, RunContext context) {
    return new RunRequest(
        new RunId(job, 1),
        new RunOwner("alice", ""),
        new RunProgram.CommandProgram(List.of("true")),
        context,
        new RunFiles("/dev/null", "/dev/null", "n", RunFiles.DEFAULT_UMASK),
        new RunTerms(60, 10, "origin"));
  }

  private OutsideTag started(String job) throws Exception {
    try (Life life = live()) {
      assertTrue(life.execution().start(request(job)));
      return life.execution().tags().stream()
          .filter(it -> it.job().equals(job.replaceFirst("\\..*", "")))
          .findFirst()
          .orElseThrow();
    }
  }

  /** A new home, and one that was restored, give numbers again; the claim is another's then. */
  @Test
  @Timeout(60)
  void theSameNumberOfAnotherHomeIsAnotherRun() throws Exception {
    Files.createDirectories(nodes());
    OutsideTag first = started("13.vm");
    assertEquals(first.home(), started("14.vm").home(), "of the same spool");
    Files.delete(folder.resolve("n1/runs/13.vm.1"));
    Files.delete(folder.resolve("journal/journal"));
    Files.delete(folder.resolve("mark"));
    OutsideTag again = started("13.vm");
    assertEquals(first.job() + " " + first.run(), again.job() + " " + again.run());
    assertNotEquals(first, again);
  }

  /** One job there, with what the run has on each of its hosts; none with hosts of another. */
  @Test
  @Timeout(60)
  void aRunOfSeveralHostsIsOneJobThere() throws Exception {
    RunNodes nodes =
        new RunNodes(
            List.of("n1@c1", "n1@c1", "n2@c1"),
            List.of(
                new RunNodes.NodeHost("n1@c1", 2, 4, 2048, 2, Map.of("ncpus", 4L, "ngpus", 3L)),
                new RunNodes.NodeHost("n2@c1", 1, 2, 1024, 1, Map.of())));
    RunContext context = new RunContext("a", "c1", Map.of(), nodes, 2, RunContext.RunStart.HOME);
    try (Life life = live()) {
      assertTrue(life.execution().start(request("15.vm", context)));
      OutsideTag tag =
          life.execution().tags().stream().filter(it -> it.job().equals("15")).findFirst().get();
      OutsideSubmission order = life.thread().call(bridge -> bridge.run(tag)).orElseThrow().order();
      assertEquals(
          List.of(new OutsideShare(4, 2048, 2, Map.of("ngpus", 3L)), new OutsideShare(2, 1024, 1)),
          order.amounts().hosts());
      for (String other : List.of("n1@c2", "n1")) {
        RunContext mixed = SomeContext.of("a", "c1", Map.of(), List.of("n1@c1", other), 1);
        assertEquals(
            "host " + other + " of the run is none of cluster c1",
            assertThrows(
                    IllegalArgumentException.class,
                    () -> life.execution().start(request("16.vm", mixed)))
                .getMessage());
      }
    }
  }

  private Life live() throws Exception {
    RunJournal journal = RunJournal.open(folder.resolve("journal"));
    SharedRunFolders folders = PlayedBridge.folders(folder.resolve("spool"));
    BridgeThread thread =
        new BridgeThread(PlayedBridge.of(journal, folders, this::answer, clock), trouble -> {});
    thread.start();
    OutsideSubmission order = PlayedBridge.order(TAG, SELF);
    thread.call(bridge -> bridge.order(order));
    ClusterFile file = file();
    OutsideAccounts accounts =
        new OutsideAccounts(
            file,
            command -> new OutsideAnswer(ProcessEnding.EXITED, 0, "1000\n", "", Duration.ZERO));
    RunObserver observer =
        new RunObserver() {
          @Override
          public void started(StartedRun started) {}

          @Override
          public void finished(FinishedRun finished) {}
        };
    ForwardExecution execution =
        ForwardExecution.open(
            new ForwardExecution.ClusterConnection(
                file, thread, accounts, new ForwardOutcome(folders), SpoolMark.of(folder), clock),
            new ForwardNode(folder.resolve("n1"), Map.of()),
            observer);
    return new Life(journal, thread, execution);
  }

  private Path nodes() {
    return folder.resolve("n1/runs");
  }

  private OutsideAction passed() throws InterruptedException {
    return passed.poll(30, TimeUnit.SECONDS);
  }

  /** Of a run that was not submitted yet, in a process that ends before it is. */
  @Test
  @Timeout(60)
  void anOrderToSuspendOutlivesTheProcessAndStandsUntilTheQueueShowsIt() throws Exception {
    Files.createDirectories(nodes());
    run.write(nodes());
    try (Life first = live()) {
      assertTrue(first.execution().order(run.id(), 1, "suspend"));
    }
    assertEquals(
        List.of(run.with(PassedOrders.NONE.standing("suspend"))), ForwardedRun.all(nodes()));
    assertTrue(passed.isEmpty());
    takes = true;
    try (Life second = live()) {
      assertEquals(OutsideAction.HOLD, passed());
      shown = OutsideState.RUNNING;
      assertEquals(OutsideAction.SUSPEND, passed());
      shown = OutsideState.SUSPENDED;
      Path file = nodes().resolve(run.id().directoryName());
      while (Files.readString(file).contains("suspend")) {
        second.thread().call(bridge -> null); // comes between two steps
      }
    }
    assertEquals(List.of(run), ForwardedRun.all(nodes()));
    assertTrue(passed.isEmpty());
  }

  /** It would begin before it could be held there. */
  @Test
  @Timeout(60)
  void aHeldRunIsNotSubmittedByAnotherProcess() throws Exception {
    Files.createDirectories(nodes());
    run.write(nodes());
    try (Life first = live()) {
      assertTrue(first.execution().order(run.id(), 1, "hold"));
    }
    takes = true;
    try (Life second = live()) {
      for (int i = 0; i < 20; i++) {
        second.thread().call(bridge -> null); // comes between two steps
      }
      assertEquals(OutsideRunState.ORDERED, state(second));
      assertTrue(second.execution().order(run.id(), 1, "release"));
      while (state(second) == OutsideRunState.ORDERED) {
        second.thread().call(bridge -> null);
      }
    }
    assertTrue(passed.isEmpty());
  }

  private static OutsideRunState state(Life life) throws Exception {
    return life.thread().call(bridge -> bridge.run(TAG)).orElseThrow().state();
  }

  /** The bridge's clock does not leap: for hours it may differ from that of the host. */
  @Test
  @Timeout(60)
  void anOrderIsDoneBeforeTheClocksAgreeAgain() throws Exception {
    Files.createDirectories(nodes());
    run.write(nodes());
    takes = true;
    shown = OutsideState.RUNNING;
    clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1));
    try (Life life = live()) {
      assertTrue(life.execution().order(run.id(), 1, "suspend"));
      while (passed() != OutsideAction.SUSPEND) {
        assertTrue(passed.isEmpty(), "held once, until it is seen to run");
      }
      shown = OutsideState.SUSPENDED;
      Path file = nodes().resolve(run.id().directoryName());
      while (Files.readString(file).contains("suspend")) {
        life.thread().call(bridge -> null); // comes between two steps
      }
    }
    assertTrue(passed.isEmpty());
  }

  @Test
  @Timeout(60)
  void aTaskOfACampaignIsSubmittedAsItsAttempt() throws Exception {
    Files.createDirectories(nodes());
    RunRequest request =
        new RunRequest(
            new RunId("13.vm", 1),
            new RunOwner("alice", ""),
            new RunProgram.CommandProgram(List.of("true")),
            SomeContext.of("cigri-5-17", "c1", Map.of(), List.of("n1@c1"), 1),
            new RunFiles("/dev/null", "/dev/null", "n", RunFiles.DEFAULT_UMASK),
            new RunTerms(RunLimits.ofWalltime(60), 10, "origin", "", "", "5.17.2"));
    try (Life first = live()) {
      assertTrue(first.execution().start(request));
    }
    OutsideTag tag = new OutsideTag("c1", "13", 1, "5.17.2").of(SpoolMark.of(folder));
    try (Life second = live()) {
      assertEquals(Set.of(tag), second.execution().tags());
      OutsideRun known = second.thread().call(bridge -> bridge.run(tag)).orElseThrow();
      assertEquals("cigri-5-17", known.order().name());
    }
  }

  /** What came before the script began waits for that, and is sent once, whoever dies meanwhile. */
  @Test
  @Timeout(60)
  void signalsGoToAScriptThatHasBegun() throws Exception {
    Files.createDirectories(nodes());
    run.write(nodes());
    takes = true;
    shown = OutsideState.RUNNING;
    try (Life first = live()) {
      assertTrue(first.execution().order(run.id(), 1, "10"));
      assertTrue(first.execution().order(run.id(), 2, "12"));
      assertTrue(first.execution().order(run.id(), 3, "cput99"), "it is in the log");
      first.thread().call(bridge -> null);
    }
    assertTrue(signalled.isEmpty(), "no claim says that it has begun");
    Path claim = folder.resolve("spool/" + SELF + "/" + TAG);
    Files.createDirectories(claim);
    Files.writeString(claim.resolve("claim"), "id=77\nhost=n1\nbegan=1795646850\n");
    try (Life second = live()) {
      assertTrue(second.execution().order(run.id(), 1, "10"), "given again");
      assertEquals(10, signalled.poll(30, TimeUnit.SECONDS));
      assertEquals(12, signalled.poll(30, TimeUnit.SECONDS));
    }
    try (Life third = live()) {
      assertTrue(third.execution().order(run.id(), 2, "12"));
      third.thread().call(bridge -> null);
      third.thread().call(bridge -> null);
    }
    assertTrue(signalled.isEmpty());
  }
}
