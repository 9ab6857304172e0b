package io.millrace.ops.e2e;

import io.millrace.ops.process.PidFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/** The processes of this machine, by what the kernel tells of them. */
final class Machine {

  private static final Path PROC = Path.of("/proc");
  private static final int STATE = 0;
  private static final int SESSION = 3;

  /** How long a killed process may take to end on a machine that is short of memory or disk. */
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private Machine() {}

  /**
   * Whether this very process has ended. A zombie counts as ended; it may stay one where the first
   * process of a container does not reap orphans.
   */
  static boolean gone(ProcessHandle process) {
    try {
      return !process.isAlive() || PidFile.of(process.pid()).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGKILL to processes and returns when they are gone. */
  static void kill(List<ProcessHandle> processes) throws InterruptedException {
    processes.forEach(ProcessHandle::destroyForcibly);
    Site.await(
        PATIENCE,
        "killed processes are gone: " + processes,
        () -> processes.stream().allMatch(it -> gone(it) && !hasThreads(it)));
  }

  /** The last thread of a killed process closes its sockets, which may take others until then. */
  private static boolean hasThreads(ProcessHandle process) {
    String[] threads = PROC.resolve(process.pid() + "/task").toFile().list();
    return threads != null && threads.length > 1;
  }

  /** Kills all processes of a user until none is left, since they may fork meanwhile. */
  static void killAllOf(long user) throws InterruptedException {
    Site.await(PATIENCE, "no process of user " + user, () -> killed(pid -> runsAs(pid, user)));
  }

  /**
   * Kills all processes that belong to a folder: they work in it, or their command line or
   * environment names it.
   */
  static void killAllOf(Path folder) throws InterruptedException {
    Site.await(PATIENCE, "no process of " + folder, () -> killed(pid -> isOf(pid, folder)));
  }

  /** Kills the matching processes; true when there were none. */
  private static boolean killed(LongPredicate wanted) {
    List<ProcessHandle> found = all(wanted);
    found.forEach(ProcessHandle::destroyForcibly);
    return found.isEmpty();
  }

  private static List<ProcessHandle> all(LongPredicate wanted) {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        if (pid != ProcessHandle.current().pid() && wanted.test(pid)) {
          ProcessHandle.of(pid).filter(it -> !gone(it)).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Whether a session has processes and all of them are stopped. */
  static boolean standsStill(long session) {
    // The second check sees processes that were forked during the first.
    return allStopped(session) && allStopped(session);
  }

  private static boolean allStopped(long session) {
    List<ProcessHandle> its = all(pid -> stat(pid, SESSION).equals(Long.toString(session)));
    return !its.isEmpty() && its.stream().allMatch(it -> stat(it.pid(), STATE).equals("T"));
  }

  /**
   * A field of /proc/PID/stat, counted behind the command's name; empty when the process has ended.
   */
  private static String stat(long pid, int field) {
    String told = told(pid, "stat");
    return told.isEmpty() ? "" : told.substring(told.lastIndexOf(')') + 2).split(" ")[field];
  }

  /**
   * Compares the real, effective and saved user, since a process that has changed its user still
   * belongs to him.
   */
  private static boolean runsAs(long pid, long user) {
    return told(pid, "status")
        .lines()
        .filter(line -> line.startsWith("Uid:"))
        .anyMatch(line -> List.of(line.split("\t")).contains(Long.toString(user)));
  }

  /** Whether an ancestor of this process would be taken for a process of the folder. */
  static boolean isOfAnAncestor(Path folder) {
    return Stream.iterate(
            ProcessHandle.current().parent(), Optional::isPresent, it -> it.get().parent())
        .anyMatch(it -> isOf(it.get().pid(), folder));
  }

  private static boolean isOf(long pid, Path folder) {
    return works(pid, folder)
        || told(pid, "cmdline").contains(folder + "/")
        || told(pid, "environ").contains(folder + "/");
  }

  private static boolean works(long pid, Path folder) {
    try {
      return Files.readSymbolicLink(PROC.resolve(pid + "/cwd")).startsWith(folder);
    } catch (IOException e) {
      return false;
    }
  }

  /** Content of a file in /proc/PID; empty when the process has ended or may not be inspected. */
  static String told(long pid, String file) {
    try {
      return Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
