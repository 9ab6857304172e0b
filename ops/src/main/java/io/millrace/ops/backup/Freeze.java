package io.millrace.ops.backup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Stops processes (SIGSTOP). What they have written by then is what they would leave behind if all
 * of them were killed at that moment.
 *
 * <p>A guard process stops them and lets them go on as soon as this process says so or has ended
 * for whatever reason.
 */
final class Freeze implements AutoCloseable, HomeSnapshot.SnapshotTimeLimit {

  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final String STOPPED = "stopped";
  private static final String GUARD =
      "trap '' INT TERM HUP; kill -STOP \"$@\"; echo " + STOPPED + "; read line; kill -CONT \"$@\"";

  /** Longest freeze; clients wait longer than this before they give up. */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Process guard;
  private final long begunNanos;

  private Freeze(Process guard, long begunNanos) {
    this.guard = guard;
    this.begunNanos = begunNanos;
  }

  /** Stops the processes and returns when every thread of them has stopped or ended. */
  static Freeze of(List<Long> pids) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // In a session of its own: a signal to the terminal's process group must not kill the guard
      // too.
      command.add(SETSID.toString());
    }
    command.addAll(List.of("/bin/sh", "-c", GUARD, "millrace-freeze"));
    pids.forEach(pid -> command.add(Long.toString(pid)));
    long begunNanos = System.nanoTime(); // before the first of them is stopped
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    Freeze freeze = new Freeze(process, begunNanos);
    try {
      BufferedReader said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
      if (!STOPPED.equals(said.readLine())) {
        throw new IOException("the parts cannot be stopped for a moment");
      }
      for (long pid : pids) {
        freeze.awaitStill(Path.of("/proc/" + pid + "/task"));
      }
      return freeze;
    } catch (IOException | InterruptedException e) {
      freeze.close();
      throw e;
    }
  }

  private void awaitStill(Path threads) throws IOException, InterruptedException {
    while (!still(threads)) {
      if (System.nanoTime() - begunNanos > STILL_NANOS) {
        throw new IOException("a part does not stand still: its disk may hang");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static boolean still(Path threads) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
      for (Path thread : all) {
        String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
        if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
          return false;
        }
      }
      return true;
    } catch (NoSuchFileException e) {
      return !Files.exists(threads); // a thread that ended; or all of them
    }
  }

  @Override
  public void check() throws IOException {
    if (System.nanoTime() - begunNanos > STILL_NANOS) {
      throw new IOException(
          "the parts would stand still for more than "
              + TimeUnit.NANOSECONDS.toSeconds(STILL_NANOS)
              + " s: back up after ./millrace down");
    }
  }

  /** Milliseconds since the processes were stopped. */
  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    guard.getOutputStream().close();
    guard.waitFor();
  }
}
