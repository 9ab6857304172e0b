package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.order.DispatchPosition;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A process that a test kills: takes on runs {@code 1.vm} to {@code N.vm}, writes each end into the
 * file {@code reports} and then forgets the run. Its position stands for the one in Kafka.
 *
 * <p>Arguments: directory, supervisor, N.
 */
public final class KillableExecution implements RunObserver {
  private final Path directory;
  private final BlockingQueue<FinishedRun> ends = new LinkedBlockingQueue<>();

  private KillableExecution(Path directory) {
    this.directory = directory;
  }

  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    int count = Integer.parseInt(args[2]);
    KillableExecution process = new KillableExecution(directory);
    LocalSettings settings =
        new LocalSettings(
            directory.resolve("spool"),
            Path.of(args[1]),
            directory,
            true,
            false,
            LocalSettings.LocalRunBounds.DEFAULT);
    try (LocalExecution execution = LocalExecution.open(settings, process);
        DispatchPosition position = DispatchPosition.open(settings.spool(), "test", 0, false)) {
      for (long next = position.read().orElse(1); next <= count; next++) {
        execution.start(process.request((int) next));
        position.write(next + 1);
        process.settle(execution, position, false);
      }
      process.settle(execution, position, true);
    }
    System.exit(0);
  }

  @Override
  public void started(StartedRun started) {
    // only ends are counted
  }

  @Override
  public void finished(FinishedRun finished) {
    ends.add(finished);
  }

  /** Reports and forgets what ended; to the last run when told so. */
  private void settle(LocalExecution execution, DispatchPosition position, boolean all)
      throws IOException, InterruptedException {
    while (all ? !execution.runs().isEmpty() : !ends.isEmpty()) {
      FinishedRun end = ends.take();
      String line = end.id().jobId() + " " + end.outcome().exitStatus() + "\n";
      Files.writeString(
          directory.resolve("reports"), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (!position.covers(Long.parseLong(end.origin()))) {
        throw new UncheckedIOException(new IOException("not written: " + end));
      }
      execution.release(end.id());
    }
  }

  private RunRequest request(int number) {
    String script =
        "echo $PBS_JOBID >>"
            + directory
            + "/jobs; sleep 0.0"
            + number % 10
            + "; exit "
            + number % 7;
    return new RunRequest(
        new RunId(number + ".vm", 1),
        new RunOwner(ExecutionFolder.USER, ""),
        new RunProgram.Script(script.getBytes(StandardCharsets.UTF_8), "/bin/sh"),
        SomeContext.of("kill", "workq", Map.of(), List.of("here"), 1),
        new RunFiles("/dev/null", "/dev/null", "n", RunFiles.DEFAULT_UMASK),
        new RunTerms(0, 10, Integer.toString(number)));
  }
}
