package io.millrace.connectors.local.execution;

import static org.awaitility.Awaitility.await;

import io.millrace.connectors.local.run.CpuLimits;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.MemoryLimits;
import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunLimits;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.Staging;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.pbs.jobs.StagingPair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A directory, an execution on it, and what it reported. */
public final class ExecutionFolder implements AutoCloseable {
  public static final String USER = System.getProperty("user.name");

  final Path directory;
  final Path spool;
  final Queue<StartedRun> started = new ConcurrentLinkedQueue<>();
  final Queue<FinishedRun> finished = new ConcurrentLinkedQueue<>();
  private final LocalSettings settings;
  private LocalExecution execution;

  ExecutionFolder(Path directory, Path spool, Path supervisor, boolean allowRootJobs)
      throws IOException {
    this.directory = directory;
    this.spool = spool;
    // JUnit's directories are closed to others; a job of another user must get through.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path tmp = Files.createDirectories(directory.resolve("tmp"));
    Files.setPosixFilePermissions(tmp, PosixFilePermissions.fromString("rwxr-xr-x"));
    this.settings =
        new LocalSettings(
            spool, supervisor, tmp, allowRootJobs, false, LocalSettings.LocalRunBounds.DEFAULT);
  }

  LocalExecution open() throws IOException {
    return open(spool -> Optional.empty());
  }

  LocalExecution open(LocalExecution.GroupOffer groups) throws IOException {
    execution =
        LocalExecution.open(
            settings,
            new RunObserver() {
              @Override
              public void started(StartedRun report) {
                started.add(report);
              }

              @Override
              public void finished(FinishedRun report) {
                finished.add(report);
              }
            },
            groups);
    return execution;
  }

  LocalSettings settings() {
    return settings;
  }

  Path out(String jobId) {
    return directory.resolve(jobId + ".o");
  }

  Path err(String jobId) {
    return directory.resolve(jobId + ".e");
  }

  RunRequest script(String jobId, String text) {
    return request(
        jobId, new RunProgram.Script(text.getBytes(StandardCharsets.UTF_8), "/bin/bash"));
  }

  RunRequest request(String jobId, RunProgram program) {
    return new RunRequest(
        new RunId(jobId, 1),
        new RunOwner(USER, ""),
        program,
        SomeContext.of("test", "workq", Map.of("GREETING", "hello world"), List.of("here"), 2),
        new RunFiles("here:" + out(jobId), "here:" + err(jobId), "n", RunFiles.DEFAULT_UMASK),
        new RunTerms(0, 10, "42"));
  }

  static RunRequest withTerms(RunRequest r, long walltimeS, long killDelayS) {
    RunTerms terms = new RunTerms(walltimeS, killDelayS, r.terms().origin());
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  static RunRequest withSoftWalltime(RunRequest r, long softWalltimeS) {
    RunLimits limits = new RunLimits(0, softWalltimeS, CpuLimits.NONE, MemoryLimits.NONE, 0, 0);
    RunTerms terms = new RunTerms(limits, 1, r.terms().origin(), "", "", "");
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  /** A request whose directory, output files and shell are looked for before its start. */
  static RunRequest withCheckedStart(RunRequest r, String directory, String shell) {
    RunContext context =
        new RunContext(
            r.context().jobName(),
            r.context().queue(),
            r.context().variables(),
            r.context().nodes(),
            r.context().ncpus(),
            new RunContext.RunStart(directory, "", true));
    RunProgram program = r.program();
    if (program instanceof RunProgram.Script script) {
      program = new RunProgram.Script(script.text(), shell, script.arguments(), script.login());
    }
    return new RunRequest(r.id(), r.owner(), program, context, r.files(), r.terms());
  }

  static RunRequest withCpuLimits(RunRequest r, CpuLimits cpu) {
    RunTerms terms =
        new RunTerms(
            new RunLimits(0, 0, cpu, MemoryLimits.NONE, 0, 0), 1, r.terms().origin(), "", "", "");
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  static RunRequest withMemory(RunRequest r, MemoryLimits memory) {
    RunLimits limits = new RunLimits(0, 0, CpuLimits.NONE, memory, 0, 0);
    RunTerms terms = new RunTerms(limits, 1, r.terms().origin(), "", "", "");
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  static RunRequest withOutput(RunRequest r, long outputKb) {
    RunLimits limits = new RunLimits(0, 0, CpuLimits.NONE, MemoryLimits.NONE, outputKb, 0);
    RunTerms terms = new RunTerms(limits, 1, r.terms().origin(), "", "", "");
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  /** A request of a run that has as many processors for itself. */
  static RunRequest withProcessors(RunRequest r, int processors) {
    RunLimits limits = new RunLimits(0, 0, CpuLimits.NONE, MemoryLimits.NONE, 0, processors);
    RunTerms terms = new RunTerms(limits, 1, r.terms().origin(), "", "", "");
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), r.files(), terms);
  }

  static RunRequest withFiles(RunRequest r, RunFiles files) {
    return new RunRequest(r.id(), r.owner(), r.program(), r.context(), files, r.terms());
  }

  static RunRequest withOwner(RunRequest r, RunOwner owner) {
    return new RunRequest(r.id(), owner, r.program(), r.context(), r.files(), r.terms());
  }

  /**
   * The same for a user without a profile. What the tester's own does when he logs in is nothing
   * that a test may wait for: one that waits for a lock takes a minute.
   */
  RunRequest withoutProfile(RunRequest r) throws IOException {
    if (!USER.equals("root")) {
      return r;
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    return withOwner(r, new RunOwner("daemon", ""));
  }

  static Staging staging(String node, boolean own, List<String> in, List<String> out) {
    return new Staging(
        node, own, StagingPair.list(String.join(",", in)), StagingPair.list(String.join(",", out)));
  }

  RunOutcome outcome(String jobId) {
    await()
        .alias("the end of " + jobId)
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> finished.stream().anyMatch(f -> f.id().jobId().equals(jobId)));
    return finished.stream()
        .filter(f -> f.id().jobId().equals(jobId))
        .findFirst()
        .orElseThrow()
        .outcome();
  }

  FinishedRun end(RunId id) {
    await()
        .alias("the end of " + id.directoryName())
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> finished.stream().anyMatch(f -> f.id().equals(id)));
    return finished.stream().filter(f -> f.id().equals(id)).findFirst().orElseThrow();
  }

  void awaitFile(Path file) {
    await()
        .alias("the file " + file)
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> Files.exists(file) && Files.size(file) > 0);
  }

  @Override
  public void close() throws IOException {
    if (execution != null) {
      for (RunId id : execution.runs()) {
        execution.kill(id, 9);
      }
      await()
          .atMost(Duration.ofSeconds(180))
          .until(() -> finished.size() >= execution.runs().size());
      execution.close();
    }
  }
}
