package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.load.CommandClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Background activity of an administrator: moves a queue and a node between partitions, and a
 * partition between scheduler objects, one directive after the other, until told to stop. Many of
 * the directives arrive while a server is down.
 */
final class PartitionMoves implements AutoCloseable {
  private static final int PAUSE_MS_MAX = 1500;
  private static final int TRIES_MAX = 60;
  private static final long AGAIN_MS = 1000;

  private final CommandClient client;
  private final SplittableRandom random;
  private final Thread thread;
  private final List<String> refusals = new ArrayList<>();
  private int done;
  private volatile boolean stopped;
  private IOException failure;

  PartitionMoves(CommandClient client, long seed) {
    this.client = client;
    this.random = new SplittableRandom(seed);
    this.thread = new Thread(this::move, "partition-moves");
    thread.setDaemon(true);
    thread.start();
  }

  private void move() {
    try {
      while (!stopped) {
        for (String directive : next()) {
          CommandClient.ClientResult answer = client.run("qmgr", "-c", directive);
          if (answer.done()) {
            done++;
          } else {
            refusals.add(directive + ": " + answer);
          }
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MS_MAX));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = e;
    }
  }

  private List<String> next() {
    String partition = "p" + (1 + random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> partitionTo(random.nextBoolean() ? "s1" : "s2");
      case 1 -> List.of(node(partition));
      default -> List.of(queue(partition));
    };
  }

  private static String node(String partition) {
    return "set node " + ThreePartitions.wanderingNode() + " partition = " + partition;
  }

  private static String queue(String partition) {
    return "set queue " + ThreePartitions.WANDERING_QUEUE + " partition = " + partition;
  }

  /**
   * Directives that move the partition to a scheduler; a partition belongs to one scheduler only,
   * so it is taken from the other one first.
   */
  private static List<String> partitionTo(String scheduler) {
    String other = scheduler.equals("s1") ? "s2" : "s1";
    return List.of(
        "set sched " + other + " partition -= p3", "set sched " + scheduler + " partition += p3");
  }

  /** Ends the moves and leaves the cluster in a state in which every job can run. */
  void settle() throws IOException, InterruptedException {
    close();
    thread.join();
    if (failure != null) {
      throw failure;
    }
    client.run("qmgr", "-c", "set sched s2 partition -= p3");
    for (String directive : List.of("set sched s1 partition += p3", queue("p1"), node("p3"))) {
      insist(directive);
    }
  }

  /** Repeats a directive until it is accepted, since a node that runs jobs cannot be moved. */
  private void insist(String directive) throws IOException, InterruptedException {
    CommandClient.ClientResult answer = client.run("qmgr", "-c", directive);
    for (int tries = 1; !answer.done() && tries < TRIES_MAX; tries++) {
      TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
      answer = client.run("qmgr", "-c", directive);
    }
    if (!answer.done()) {
      throw new IOException("'" + directive + "' was refused to the end: " + answer);
    }
  }

  /** Refused directives, for the evidence; read after {@link #settle}. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  int done() {
    return done;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
