package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures start delays with jobs whose script writes the time as its first instruction, submitted
 * at a given rate. The delay is counted from the call of qsub inside the gateway to that
 * instruction; the client's own start, a few milliseconds in C, is measured by "bench qsub".
 */
public final class StartDelays {

  private static final int SUBMITTERS = 16;
  private static final int PATIENCE_S = 60;
  private static final int LOOK_MS = 50;

  /** How a job is submitted. */
  @FunctionalInterface
  public interface StartSubmission {
    /**
     * @param number of the job, from 0
     * @param line of {@code qsub}
     */
    void submit(int number, List<String> line) throws IOException, InterruptedException;
  }

  private final StartSubmission submission;
  private final Path folder;
  private final Path log;
  private final Path script;
  private final List<String> request;

  /**
   * @param request options of qsub for all jobs
   */
  public StartDelays(BenchSite site, String name, List<String> request) throws IOException {
    this(site.folder(name), request, site);
  }

  private StartDelays(Path folder, List<String> request, BenchSite site) throws IOException {
    this(folder, (number, line) -> site.command(folder, "qsub", line), request);
  }

  /**
   * @param folder that any job may write to
   * @param request options of qsub for all jobs
   */
  public StartDelays(Path folder, StartSubmission submission, List<String> request)
      throws IOException {
    this.submission = submission;
    this.request = request;
    this.folder = folder;
    this.log = folder.resolve("started");
    this.script = folder.resolve("start.sh");
    Files.writeString(
        script, "#!/bin/bash\necho \"$TAG ${EPOCHREALTIME//[.,]/}\" >> " + log + "\n");
  }

  /**
   * Submits at a rate and waits until all have started.
   *
   * @return milliseconds from submission to start, in the order of submission
   */
  public double[] measure(int jobs, double perSecond) throws IOException, InterruptedException {
    Files.deleteIfExists(log);
    Files.createFile(log);
    Map<Integer, Long> submitted = new ConcurrentHashMap<>();
    AtomicReference<Exception> failure = new AtomicReference<>();
    ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
    long begin = System.nanoTime();
    for (int job = 0; job < jobs; job++) {
      long due = begin + (long) (job * 1e9 / perSecond);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      int tag = job;
      submitters.execute(() -> submit(tag, submitted, failure));
    }
    submitters.shutdown();
    if (!submitters.awaitTermination(PATIENCE_S, TimeUnit.SECONDS) || failure.get() != null) {
      throw new IOException("not all jobs were submitted", failure.get());
    }
    Map<Integer, Long> started = awaitStarts(jobs);
    double[] millis = new double[jobs];
    for (int job = 0; job < jobs; job++) {
      millis[job] = (started.get(job) - submitted.get(job)) / 1000.0;
    }
    return millis;
  }

  private void submit(int tag, Map<Integer, Long> submitted, AtomicReference<Exception> failure) {
    List<String> args = new ArrayList<>(request);
    args.addAll(List.of("-v", "TAG=" + tag, "-j", "oe", "-o", folder + "/", "-S", "/bin/bash"));
    args.add(script.toString());
    try {
      submitted.put(tag, nowMicros());
      submission.submit(tag, args);
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long nowMicros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
  }

  private Map<Integer, Long> awaitStarts(int jobs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      Map<Integer, Long> started = new HashMap<>();
      for (String line : Files.readAllLines(log)) {
        String[] parts = line.split(" ");
        if (parts.length == 2) {
          started.putIfAbsent(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        }
      }
      if (started.size() == jobs) {
        return started;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException(started.size() + " of " + jobs + " jobs have started");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }
}
