package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.evidence.RequestLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits the jobs through ordinary clients, several at once, and carries out the operations of
 * their plans. Jobs are released in portions, so that kills can be spread over all of them.
 */
public final class Load implements AutoCloseable {
  private static final int SUBMITTERS = 4;
  private static final int DOERS = 3;
  private static final int TRIES_MAX = 20;
  private static final long AGAIN_MS = 500;

  private final CommandClient client;
  private final LoadFolder folder;
  private final RequestLog requestLog;
  private final RunSize size;
  private final QueueChoice destinations;
  private final Semaphore released = new Semaphore(0);
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger submitted = new AtomicInteger();
  private final ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
  private final ScheduledThreadPoolExecutor doers = new ScheduledThreadPoolExecutor(DOERS);
  private final List<Future<?>> work = new ArrayList<>();
  private volatile Exception failure;

  /** Chooses the queues of jobs, and what they do. */
  public interface QueueChoice {
    /** Arguments of qsub besides name and script. */
    List<String> submit(JobPlan plan);

    /** Destination of a qmove; empty when the job is not moved. */
    String move(JobPlan plan);

    /** Writes the script of a job. */
    default Path write(LoadFolder folder, JobPlan plan) throws IOException {
      return folder.write(plan);
    }
  }

  public Load(
      CommandClient client,
      LoadFolder folder,
      RequestLog requestLog,
      RunSize size,
      QueueChoice to) {
    this.client = client;
    this.folder = folder;
    this.requestLog = requestLog;
    this.size = size;
    this.destinations = to;
  }

  public void start() {
    for (int i = 0; i < SUBMITTERS; i++) {
      work.add(submitters.submit(this::submitAll));
    }
  }

  /** Releases further jobs for submission. */
  public void release(int jobs) {
    released.release(jobs);
  }

  /** Number of jobs whose qsub has returned. */
  public int submitted() {
    return submitted.get();
  }

  private void submitAll() {
    try {
      int number = next.getAndIncrement();
      while (number < size.jobs()) {
        released.acquire();
        submit(JobPlan.of(size.seed(), number));
        submitted.incrementAndGet();
        number = next.getAndIncrement();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = e;
    }
  }

  private void submit(JobPlan plan) throws IOException, InterruptedException {
    String token = plan.token();
    String script = destinations.write(folder, plan).toString();
    List<String> arguments = new ArrayList<>(List.of("-N", token, "-j", "oe"));
    arguments.addAll(destinations.submit(plan));
    String to = destinations.move(plan);
    if (!to.isEmpty()) {
      arguments.add("-h"); // a job that waits can be moved
    }
    arguments.add(script);
    requestLog.begun(plan);
    CommandClient.ClientResult answer = sure(token, arguments);
    if (!answer.done()) {
      requestLog.heard(token, "qsub " + answer);
      return;
    }
    String id = answer.out();
    requestLog.submitted(token, id);
    plan.operation().ifPresent(operation -> later(plan, id, operation));
    if (!to.isEmpty()) {
      schedule(plan.operationAfterMs(), () -> moveAndRelease(token, id, to));
    }
  }

  /**
   * Submits, and does so once more where nothing was sent; where nobody knows what came of it, it
   * is repeated under its id until a job is there.
   */
  private CommandClient.ClientResult sure(String token, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> line = arguments;
    CommandClient.ClientResult answer = client.run("qsub", line.toArray(String[]::new));
    Optional<String> open = answer.openCommand();
    for (int tries = 1;
        !answer.done() && (open.isPresent() || answer.sentNothing()) && tries < TRIES_MAX;
        tries++) {
      requestLog.heard(token, "qsub " + answer);
      if (open.isPresent()) {
        line = new ArrayList<>(List.of("--command-id", open.get()));
        line.addAll(arguments);
      }
      answer = client.run("qsub", line.toArray(String[]::new));
      open = open.or(answer::openCommand);
    }
    return answer;
  }

  private void later(JobPlan plan, String id, JobOperation operation) {
    String token = plan.token();
    schedule(
        plan.operationAfterMs(),
        switch (operation) {
          case DELETE -> () -> once(token, operation, "qdel", id);
          case RERUN -> () -> once(token, operation, "qrerun", id);
          case HOLD -> () -> holdAndRelease(token, id);
          case MOVE -> throw new IllegalArgumentException("no plan has this operation");
        });
  }

  private interface LoadStep {
    void run() throws IOException, InterruptedException;
  }

  private void schedule(long afterMs, LoadStep step) {
    synchronized (work) {
      work.add(
          doers.schedule(
              () -> {
                try {
                  step.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } catch (IOException e) {
                  failure = e;
                }
              },
              afterMs,
              TimeUnit.MILLISECONDS));
    }
  }

  private void once(String token, JobOperation operation, String command, String... arguments)
      throws IOException, InterruptedException {
    requestLog.asking(token, operation);
    requestLog.heard(token, command + " " + client.run(command, arguments));
  }

  private void moveAndRelease(String token, String id, String to)
      throws IOException, InterruptedException {
    once(token, JobOperation.MOVE, "qmove", to, id);
    letGo(token, id, TRIES_MAX);
  }

  private void holdAndRelease(String token, String id) throws IOException, InterruptedException {
    once(token, JobOperation.HOLD, "qhold", id);
    schedule(AGAIN_MS, () -> letGo(token, id, TRIES_MAX));
  }

  /**
   * Releases the hold of a job, with retries: a job that stays held would never end, through the
   * harness's own fault.
   */
  private void letGo(String token, String id, int tries) throws IOException, InterruptedException {
    CommandClient.ClientResult answer = client.run("qrls", id);
    requestLog.heard(token, "qrls " + answer);
    boolean over =
        answer.done()
            || answer.err().contains("finished")
            || answer.err().contains("Unknown Job")
            || answer.err().contains("invalid for state");
    if (!over && tries > 1) {
      schedule(AGAIN_MS, () -> letGo(token, id, tries - 1));
    }
  }

  /**
   * Waits until all planned requests were made.
   *
   * @throws IOException when a client could not be run at all
   */
  public void awaitDone() throws IOException, InterruptedException {
    Future<?> pending = pending();
    while (pending != null) {
      try {
        pending.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("the load failed", e.getCause());
      }
      pending = pending();
    }
    if (failure != null) {
      throw new IOException("a client could not be run: " + failure.getMessage(), failure);
    }
  }

  private Future<?> pending() {
    synchronized (work) {
      work.removeIf(Future::isDone);
      return work.isEmpty() ? null : work.get(0);
    }
  }

  @Override
  public void close() {
    submitters.shutdownNow();
    doers.shutdownNow();
  }
}
