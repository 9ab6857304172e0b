package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.load.LoadFolder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Refuses the credentials of all commands for a while, once a job runs that lasts longer than that.
 */
final class CredentialOutage implements AutoCloseable {
  private static final long LOOK_MS = 200;
  private static final long BEGIN_PATIENCE_MS = 300_000;
  private static final long LASTS_MS = 60_000;

  private final FaultyCommands commands;
  private final LoadFolder folder;
  private final String token;
  private final Thread thread = new Thread(this::run, "outage");
  private volatile IOException failure;

  /**
   * @param token name of the job that lasts
   */
  CredentialOutage(FaultyCommands commands, LoadFolder folder, String token) {
    this.commands = commands;
    this.folder = folder;
    this.token = token;
    thread.setDaemon(true);
    thread.start();
  }

  /** From now on, as long as no job begins. */
  private static long deadline() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BEGIN_PATIENCE_MS);
  }

  private void run() {
    try {
      long deadline = deadline();
      List<JobLine> lines = JobLine.readAll(folder.lines());
      while (lines.stream().noneMatch(it -> it.token().equals(token))) {
        if (System.nanoTime() > deadline) {
          return; // the report then says that no command was refused
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        List<JobLine> more = JobLine.readAll(folder.lines());
        deadline = more.size() > lines.size() ? deadline() : deadline;
        lines = more;
      }
      commands.outage(true);
      TimeUnit.MILLISECONDS.sleep(LASTS_MS);
      commands.outage(false);
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until it is over.
   *
   * @throws IOException when the commands' folder or the jobs' lines cannot be had
   */
  void awaitOver() throws IOException, InterruptedException {
    thread.join();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
