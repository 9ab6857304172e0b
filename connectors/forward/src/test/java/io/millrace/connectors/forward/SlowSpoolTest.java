package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks at the spool for runs that wait: some now and then, not each run with each step. */
class SlowSpoolTest {

  private static final int RUNS = 9;

  @TempDir Path folder;

  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger steps = new AtomicInteger();
  private final Map<OutsideTag, OutsideJob> queue = new ConcurrentHashMap<>();
  private IOException found = new FileUnread(FileUnread.UnreadCause.SLOW, "no answer within 20 s");
  private volatile boolean silent;

  /** What each look finds is no file. */
  private final class SlowHost implements CommandRunner {
    @Override
    public OutsideAnswer run(OutsideCommand command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public OutsideFiles files() {
      return (OutsideFiles)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {OutsideFiles.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("isFar")) {
                  return false;
                }
                looks.incrementAndGet();
                throw found;
              });
    }
  }

  private Object answer(String question, Object[] arguments) {
    return switch (question) {
      case "submit" -> {
        OutsideSubmission order = (OutsideSubmission) arguments[0];
        OutsideId number = OutsideId.of(Long.parseLong(order.tag().job()));
        queue.put(order.tag(), job(number, order));
        yield new Submitted.Accepted(number);
      }
      case "changes" -> {
        steps.incrementAndGet();
        yield Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      }
      case "snapshot" -> silent ? Told.nothing("no answer") : Told.of(List.copyOf(queue.values()));
      default -> false;
    };
  }

  private static OutsideJob job(OutsideId number, OutsideSubmission order) {
    return new OutsideJob(
        number,
        "a",
        order.account(),
        Optional.of(order.tag()),
        OutsideState.RUNNING,
        "",
        Optional.empty(),
        "",
        1,
        Optional.empty(),
        "",
        List.of());
  }

  private static final RunObserver NOBODY =
      new RunObserver() {
        @Override
        public void started(StartedRun started) {}

        @Override
        public void finished(FinishedRun finished) {}
      };

  private interface SpoolTrial {
    void of(BridgeThread thread) throws Exception;
  }

  /** Has all runs ordered, and followed by an execution. */
  private void followed(SpoolTrial trial) throws Exception {
    AccountCommands commands =
        new AccountCommands(Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(1), 1);
    SharedRunFolders folders =
        new SharedRunFolders(folder.resolve("spool") + "", new SlowHost(), commands);
    Path nodes = Files.createDirectories(folder.resolve("n1/runs"));
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"));
        BridgeThread thread =
            new BridgeThread(PlayedBridge.of(journal, folders, this::answer), trouble -> {})) {
      thread.start();
      for (int i = 1; i <= RUNS; i++) {
        OutsideTag tag = new OutsideTag("c1", i + "", 1);
        String account = "u" + i;
        new ForwardedRun(new RunId(i + ".vm", 1), tag, account, "origin", 1, PassedOrders.NONE)
            .write(nodes);
        OutsideSubmission order = PlayedBridge.order(tag, account);
        boolean taken = thread.call(bridge -> bridge.order(order));
        assertTrue(taken);
      }
      ForwardExecution.open(
          new ForwardExecution.ClusterConnection(
              new ClusterFile(null, Map.of("name", "c1"), Map.of()),
              thread,
              null,
              new ForwardOutcome(folders),
              "",
              Clock.systemUTC()),
          new ForwardNode(folder.resolve("n1"), Map.of()),
          NOBODY);
      trial.of(thread);
    }
  }

  private void steps(BridgeThread thread, int count) throws Exception {
    for (int before = steps.get(); steps.get() < before + count; ) {
      thread.call(bridge -> null); // comes between two steps
    }
  }

  /** A spool that hangs costs the bridge's thread a time limit for all of them together. */
  @Test
  @Timeout(60)
  void oneLookForAllRunsThatWait() throws Exception {
    followed(
        thread -> {
          long begin = System.nanoTime();
          while (queue.size() < RUNS || looks.get() == 0) {
            steps(thread, 1);
          }
          steps(thread, 5);
          long pauses = Duration.ofNanos(System.nanoTime() - begin).toSeconds() / 5;
          assertTrue(looks.get() <= 1 + pauses, () -> looks + " looks, " + pauses + " pauses");
        });
  }

  /** Nothing of them is in the spool, and nobody says what they do. */
  @Test
  @Timeout(60)
  void runsOfASilentClusterAreNotLookedForWithEachStep() throws Exception {
    found = new NoSuchFileException("claim");
    followed(
        thread -> {
          while (queue.size() < RUNS) {
            steps(thread, 1);
          }
          silent = true;
          boolean unheard = false;
          while (!unheard) {
            steps(thread, 1);
            unheard =
                thread.call(
                    bridge ->
                        bridge.runs().stream()
                            .allMatch(it -> it.state() == OutsideRunState.NOT_HEARD_OF));
          }
          long begin = System.nanoTime();
          int before = looks.get();
          steps(thread, 20);
          long seconds = 1 + Duration.ofNanos(System.nanoTime() - begin).toSeconds();
          int more = looks.get() - before;
          assertTrue(more <= RUNS * (1 + seconds), more + " looks in " + seconds + " s");
        });
  }
}
