package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.reservations.TransactionAnswer.ClientKnows;
import io.millrace.ops.faults.reservations.TransactionPlan.TransactionWay;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that reserve, and others that submit jobs meanwhile, from the command line. */
final class TransactionLoad implements AutoCloseable {
  /** Begins what a shard says that has decided. */
  private static final String DENIED = "plus_reserve: denied: ";

  private static final int CLIENTS = 4;
  private static final int TRIES_MAX = 90;
  private static final long AGAIN_MS = 1000;
  private static final long JOB_EACH_MS = 1500;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final CommandClient client;
  private final int transactions;
  private final long seed;
  private final int partitions;
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + 1);
  private final List<Future<?>> work = new ArrayList<>();
  private final Semaphore released = new Semaphore(0);
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final ConcurrentLinkedQueue<TransactionAnswer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger submitted = new AtomicInteger();
  private Future<?> jobs;
  private volatile boolean over;

  /**
   * What was asked for.
   *
   * @param submitted jobs of which the client got a number
   */
  record LoadResult(List<TransactionAnswer> answers, int submitted) {
    ReservationVerdict verdict(LedgerReservations here, LedgerReservations far) {
      return ReservationVerdict.of(here, far, answers, submitted);
    }
  }

  /**
   * @param partitions of the first installation, each with a queue
   */
  TransactionLoad(CommandClient client, int transactions, long seed, int partitions) {
    this.client = client;
    this.transactions = transactions;
    this.seed = seed;
    this.partitions = partitions;
  }

  void start() {
    for (int i = 0; i < CLIENTS; i++) {
      work.add(threads.submit(this::reserveAll));
    }
    jobs = threads.submit(this::submitJobs);
  }

  void release(int more) {
    released.release(more);
  }

  int done() {
    return done.get();
  }

  /** Waits until all have been told what became of theirs. */
  LoadResult awaitDone() throws IOException, InterruptedException {
    try {
      for (Future<?> each : work) {
        each.get();
      }
      over = true;
      jobs.get();
    } catch (ExecutionException e) {
      throw new IOException("a client cannot go on: " + e.getCause().getMessage(), e);
    }
    return new LoadResult(List.copyOf(answers), submitted.get());
  }

  private Void reserveAll() throws IOException, InterruptedException {
    int number = next.getAndIncrement();
    while (number < transactions) {
      released.acquire();
      answers.add(carryOut(TransactionPlan.of(seed, number, partitions)));
      done.incrementAndGet();
      number = next.getAndIncrement();
    }
    return null;
  }

  /** Short jobs with a walltime, which start beside what is booked and never into it. */
  private Void submitJobs() throws IOException, InterruptedException {
    int number = 0;
    do {
      int which = number++ % partitions;
      String queue = which == 0 ? "workq" : "q" + which;
      CommandClient.ClientResult job =
          client.run(
              "qsub",
              "-q",
              queue,
              "-l",
              "select=1:ncpus=1,walltime=15",
              "-o",
              "/dev/null",
              "-j",
              "oe",
              "--",
              "/bin/sleep",
              "2");
      submitted.addAndGet(job.done() ? 1 : 0);
      TimeUnit.MILLISECONDS.sleep(JOB_EACH_MS);
    } while (!over);
    return null;
  }

  private TransactionAnswer carryOut(TransactionPlan plan)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    List<String> reserve = new ArrayList<>(List.of("plus_reserve"));
    Instant start = plan.start(Instant.now());
    reserve.addAll(plan.arguments(start));
    CommandClient.ClientResult made = sure(reserve, words);
    String name = made.out().strip();
    if (!made.done()) {
      return new TransactionAnswer(
          plan, "", isRefused(made) ? ClientKnows.GONE : ClientKnows.NOTHING, 0, words);
    }
    if (plan.way() == TransactionWay.MODIFIED) {
      return modified(plan, name, start, words);
    }
    ClientKnows told =
        switch (plan.way()) {
          case COMMITTED -> settled(List.of("plus_commit", "-r", name), ClientKnows.THERE, words);
          case ABORTED -> settled(List.of("plus_abort", "-r", name), ClientKnows.GONE, words);
          case ENDED -> ended("plus_cancel", name, words);
          case DESTROYED ->
              plan.cancelled()
                  ? gone(List.of("plus_destroy", "-r", name), words)
                  : ended("plus_destroy", name, words);
          case TOGETHER, MODIFIED -> ClientKnows.THERE;
        };
    if (plan.cancelled() && told == ClientKnows.THERE && plan.way() == TransactionWay.TOGETHER) {
      told = gone(List.of("plus_cancel", "-r", name), words);
    }
    return new TransactionAnswer(plan, name, told, start.toEpochMilli(), words);
  }

  /** A refused end leaves it there. */
  private ClientKnows gone(List<String> command, List<String> words)
      throws IOException, InterruptedException {
    CommandClient.ClientResult end = sure(command, words);
    return end.done() ? ClientKnows.GONE : isRefused(end) ? ClientKnows.THERE : ClientKnows.NOTHING;
  }

  /** What it is and what it is to be are both held, until one of them is settled upon. */
  private TransactionAnswer modified(
      TransactionPlan plan, String name, Instant start, List<String> words)
      throws IOException, InterruptedException {
    List<String> change = new ArrayList<>(List.of("plus_modify"));
    change.addAll(TransactionPlan.change(name, start));
    CommandClient.ClientResult result = sure(change, words);
    boolean moved = false;
    if (result.done()) {
      result = sure(List.of(plan.cancelled() ? "plus_abort" : "plus_commit", "-r", name), words);
      moved = result.done() && !plan.cancelled();
    }
    boolean told = result.done() || isRefused(result); // it stays as it was when that is refused
    Instant begins = moved ? TransactionPlan.moved(start) : start;
    return new TransactionAnswer(
        plan, name, told ? ClientKnows.THERE : ClientKnows.NOTHING, begins.toEpochMilli(), words);
  }

  /** A refused settlement comes after the transaction has ended by itself: nothing is there. */
  private ClientKnows settled(List<String> command, ClientKnows whenDone, List<String> words)
      throws IOException, InterruptedException {
    CommandClient.ClientResult result = sure(command, words);
    return result.done() ? whenDone : isRefused(result) ? ClientKnows.GONE : ClientKnows.NOTHING;
  }

  private ClientKnows ended(String command, String name, List<String> words)
      throws IOException, InterruptedException {
    CommandClient.ClientResult held = sure(List.of(command, "-T", "-r", name), words);
    if (!held.done()) {
      return isRefused(held) ? ClientKnows.THERE : ClientKnows.NOTHING;
    }
    return gone(List.of("plus_commit", "-r", name), words);
  }

  /** Repeats a command under the same id until it is known what it has done. */
  private CommandClient.ClientResult sure(List<String> command, List<String> words)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("--command-id", id().toString()));
    arguments.addAll(command.subList(1, command.size()));
    CommandClient.ClientResult result = null;
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      result = client.run(command.get(0), arguments.toArray(String[]::new));
      if (result.done() || isRefused(result)) {
        break;
      }
      words.add(String.join(" ", command) + " -> " + result);
      TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
    }
    words.add(String.join(" ", command) + " -> " + result);
    return result;
  }

  private static boolean isRefused(CommandClient.ClientResult result) {
    // What another installation is not sure of, or that it cannot be connected to, is told by the
    // shard that has denied it.
    boolean denied = result.err().contains(DENIED);
    boolean open = result.err().contains("may still") || result.err().contains("cannot connect");
    return (result.status() == 1 || result.status() == 2) && (denied || !open);
  }

  private static UUID id() {
    long high = System.currentTimeMillis() << 16 | 0x7000 | RANDOM.nextInt(1 << 12);
    return new UUID(high, RANDOM.nextLong() & 0x3fffffffffffffffL | 0x8000000000000000L);
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    threads.shutdownNow();
    threads.awaitTermination(1, TimeUnit.MINUTES);
  }
}
