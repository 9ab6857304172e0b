package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Measures how fast this host starts /bin/true: {@code StartRate SUPERVISOR SPOOL RUNS
 * [OUTPUT_DIRECTORY]}. Prints starts per second with 32 runs under way, and the time from the call
 * to the claim with one at a time.
 */
final class StartRate implements RunObserver {
  private static final int UNDER_WAY = 32;

  private final Semaphore window = new Semaphore(UNDER_WAY);
  private final Map<RunId, RunOutcome> ended = new ConcurrentHashMap<>();
  private final Path output;
  private LocalExecution execution;

  private StartRate(Path output) {
    this.output = output;
  }

  /** Without an output directory nothing is delivered, which spares a fork. */
  private String path(String jobId, String suffix) {
    return output == null ? "/dev/null" : output.resolve(jobId + "." + suffix).toString();
  }

  public static void main(String[] args) throws Exception {
    Path spool = Files.createDirectories(Path.of(args[1]));
    StartRate rate =
        new StartRate(args.length > 3 ? Files.createDirectories(Path.of(args[3])) : null);
    LocalSettings base = LocalSettings.of(spool, Path.of(args[0]));
    LocalSettings settings =
        new LocalSettings(base.spool(), base.supervisor(), base.tmp(), true, false, base.bounds());
    try (LocalExecution execution = LocalExecution.open(settings, rate)) {
      rate.execution = execution;
      int runs = Integer.parseInt(args[2]);
      for (int round = 0; round < 3; round++) {
        rate.burst(round, runs);
      }
      rate.oneByOne(200);
    }
  }

  @Override
  public void started(StartedRun started) {
    // the outcome tells the same
  }

  @Override
  public void finished(FinishedRun finished) {
    try {
      ended.put(finished.id(), finished.outcome());
      execution.release(finished.id());
      window.release();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void burst(int round, int runs) throws Exception {
    long begin = System.nanoTime();
    for (int i = 0; i < runs; i++) {
      window.acquire();
      execution.start(request("b" + round + "x" + i + ".vm", List.of("/bin/true")));
    }
    window.acquire(UNDER_WAY);
    window.release(UNDER_WAY);
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%d runs in %.2f s: %.0f/s%n", runs, seconds, runs / seconds);
  }

  /** From the call to the claim, which directly precedes the exec. */
  private void oneByOne(int runs) throws Exception {
    double[] millis = new double[runs];
    for (int i = 0; i < runs; i++) {
      String id = "s" + i + ".vm";
      window.acquire(UNDER_WAY);
      long before = System.currentTimeMillis();
      execution.start(request(id, List.of("/bin/true")));
      window.acquire();
      window.release(UNDER_WAY);
      RunOutcome outcome = ended.get(new RunId(id, 1));
      millis[i] = outcome.times().startedMs() - before;
    }
    Arrays.sort(millis);
    System.out.printf(
        "one at a time, call to claim: p50 %.0f ms, p99 %.0f ms%n",
        millis[runs / 2], millis[runs * 99 / 100]);
  }

  private RunRequest request(String jobId, List<String> words) {
    return new RunRequest(
        new RunId(jobId, 1),
        new RunOwner(ExecutionFolder.USER, ""),
        new RunProgram.CommandProgram(words),
        SomeContext.of("rate", "workq", Map.of(), List.of("here"), 1),
        new RunFiles(path(jobId, "o"), path(jobId, "e"), "n", RunFiles.DEFAULT_UMASK),
        new RunTerms(0, 10, ""));
  }
}
