package io.millrace.ops.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits the jobs through ordinary clients, several at once, and does to some of them what their
 * plans say. Jobs are let go in portions, so that kills can be spread over all of them.
 */
final class Load implements AutoCloseable {
  private static final int SUBMITTERS = 4;
  private static final int DOERS = 3;
  private static final int TRIES_MAX = 20;
  private static final long AGAIN_MS = 500;

  private final Clients clients;
  private final Workplace place;
  private final Book book;
  private final FaultSettings.Size size;
  private final Destinations destinations;
  private final Semaphore released = new Semaphore(0);
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger submitted = new AtomicInteger();
  private final ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);
  private final ScheduledThreadPoolExecutor doers = new ScheduledThreadPoolExecutor(DOERS);
  private final List<Future<?>> work = new ArrayList<>();
  private volatile Exception failure;

  /** Where jobs go. */
  interface Destinations {
    /** Arguments of qsub besides name and script. */
    List<String> submit(ErrandPlan plan);

    /** Destination of a qmove; empty when the job is not moved. */
    String move(ErrandPlan plan);
  }

  Load(Clients clients, Workplace place, Book book, FaultSettings.Size size, Destinations to) {
    this.clients = clients;
    this.place = place;
    this.book = book;
    this.size = size;
    this.destinations = to;
  }

  void start() {
    for (int i = 0; i < SUBMITTERS; i++) {
      work.add(submitters.submit(this::submitAll));
    }
  }

  /** Lets further jobs go. */
  void release(int jobs) {
    released.release(jobs);
  }

  /** Jobs whose qsub has come back. */
  int submitted() {
    return submitted.get();
  }

  private void submitAll() {
    try {
      int number = next.getAndIncrement();
      while (number < size.jobs()) {
        released.acquire();
        submit(ErrandPlan.of(size.seed(), number));
        submitted.incrementAndGet();
        number = next.getAndIncrement();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = e;
    }
  }

  private void submit(ErrandPlan plan) throws IOException, InterruptedException {
    String token = plan.token();
    String script = place.write(plan).toString();
    List<String> arguments = new ArrayList<>(List.of("-N", token, "-j", "oe"));
    arguments.addAll(destinations.submit(plan));
    String to = destinations.move(plan);
    if (!to.isEmpty()) {
      arguments.add("-h"); // a job that waits can be moved
    }
    arguments.add(script);
    book.begun(plan);
    Clients.Answer answer = clients.run("qsub", arguments.toArray(String[]::new));
    for (int tries = 1; answer.sentNothing() && tries < TRIES_MAX; tries++) {
      book.heard(token, "qsub " + answer);
      answer = clients.run("qsub", arguments.toArray(String[]::new));
    }
    if (!answer.done()) {
      book.heard(token, "qsub " + answer);
      return;
    }
    String id = answer.out();
    book.submitted(token, id);
    plan.deed().ifPresent(deed -> later(plan, id, deed));
    if (!to.isEmpty()) {
      schedule(plan.deedAfterMs(), () -> moveAndRelease(token, id, to));
    }
  }

  private void later(ErrandPlan plan, String id, Deed deed) {
    String token = plan.token();
    schedule(
        plan.deedAfterMs(),
        switch (deed) {
          case DELETE -> () -> once(token, deed, "qdel", id);
          case RERUN -> () -> once(token, deed, "qrerun", id);
          case HOLD -> () -> holdAndRelease(token, id);
          case MOVE -> throw new IllegalArgumentException("no plan has this deed");
        });
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  private void schedule(long afterMs, Step step) {
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

  private void once(String token, Deed deed, String command, String... arguments)
      throws IOException, InterruptedException {
    book.asking(token, deed);
    book.heard(token, command + " " + clients.run(command, arguments));
  }

  private void moveAndRelease(String token, String id, String to)
      throws IOException, InterruptedException {
    once(token, Deed.MOVE, "qmove", to, id);
    letGo(token, id, TRIES_MAX);
  }

  private void holdAndRelease(String token, String id) throws IOException, InterruptedException {
    once(token, Deed.HOLD, "qhold", id);
    schedule(AGAIN_MS, () -> letGo(token, id, TRIES_MAX));
  }

  /** A job that stays held would never end, and nobody but this harness would be to blame. */
  private void letGo(String token, String id, int tries) throws IOException, InterruptedException {
    Clients.Answer answer = clients.run("qrls", id);
    book.heard(token, "qrls " + answer);
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
   * Waits until everything was asked for that was planned.
   *
   * @throws IOException when a client could not be run at all
   */
  void awaitDone() throws IOException, InterruptedException {
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
