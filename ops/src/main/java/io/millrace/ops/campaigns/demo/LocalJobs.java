package io.millrace.ops.campaigns.demo;

import io.millrace.ops.campaigns.BestEffortSite;
import io.millrace.ops.installation.HomeClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Local users: jobs that come and go in all partitions, and need half a node or more. */
final class LocalJobs implements AutoCloseable {

  private static final int PAUSE_MS_MIN = 500;
  private static final int PAUSE_MS_MAX = 3_000;
  private static final int RUN_S_MAX = 6;

  private final HomeClient client;
  private final Path folder;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Thread thread;
  private volatile boolean stopped;
  private volatile IOException failure;
  private volatile int submitted;

  LocalJobs(HomeClient client, Path folder) {
    this.client = client;
    this.folder = folder;
    this.thread = new Thread(this::submit, "local-jobs");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void submit() {
    try {
      while (!stopped) {
        String queue = BestEffortSite.LOCAL.get(random.nextInt(BestEffortSite.LOCAL.size()));
        int half = BestEffortSite.CPUS / 2;
        int cpus = half + random.nextInt(half + 1);
        client.ask(
            folder,
            "qsub",
            "-q",
            queue,
            "-N",
            "local",
            "-o",
            "/dev/null",
            "-e",
            "/dev/null",
            "-l",
            "select=1:ncpus=" + cpus,
            "--",
            "/bin/sleep",
            Integer.toString(1 + random.nextInt(RUN_S_MAX)));
        submitted++;
        TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE_MS_MIN, PAUSE_MS_MAX));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failure = e;
    }
  }

  int submitted() {
    return submitted;
  }

  /**
   * @throws IOException in one line, when one could not be submitted
   */
  void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.interrupt();
    thread.join();
  }
}
