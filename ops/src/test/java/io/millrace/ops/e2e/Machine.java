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

  /** On a machine that is short of memory or disk even SIGKILL takes its time. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Machine() {}

  /**
   * Whether this very process has ended. A zombie has: it stays one where the first process of a
   * container does not look after children that others have left.
   */
  static boolean gone(ProcessHandle process) {
    try {
      return !process.isAlive() || PidFile.of(process.pid()).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL to these; comes back when they are gone. */
  static void kill(List<ProcessHandle> processes) throws InterruptedException {
    processes.forEach(ProcessHandle::destroyForcibly);
    Site.await(
        PATIENCE,
        "killed processes are gone: " + processes,
        () -> processes.stream().allMatch(Machine::gone));
  }

  /** SIGKILL to all that run as this user, until none is left: they may fork meanwhile. */
  static void killAllOf(long user) throws InterruptedException {
    Site.await(PATIENCE, "no process of user " + user, () -> killed(pid -> runsAs(pid, user)));
  }

  /**
   * The same to all that were started for what is in a folder: it is where they work, or their
   * command line or their environment names it.
   */
  static void killAllOf(Path folder) throws InterruptedException {
    Site.await(PATIENCE, "no process of " + folder, () -> killed(pid -> isOf(pid, folder)));
  }

  /** Kills those; true when there was none. */
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

  /** Whether all processes of a session are stopped, and there is one. */
  static boolean standsStill(long session) {
    // The second look sees who was forked during the first.
    return allStopped(session) && allStopped(session);
  }

  private static boolean allStopped(long session) {
    List<ProcessHandle> its = all(pid -> stat(pid, SESSION).equals(Long.toString(session)));
    return !its.isEmpty() && its.stream().allMatch(it -> stat(it.pid(), STATE).equals("T"));
  }

  /**
   * A field of what the kernel tells, counted behind the name; empty when the process has ended.
   */
  private static String stat(long pid, int field) {
    String told = told(pid, "stat");
    return told.isEmpty() ? "" : told.substring(told.lastIndexOf(')') + 2).split(" ")[field];
  }

  /** Real, effective or saved: one that has changed its user is still his. */
  private static boolean runsAs(long pid, long user) {
    return told(pid, "status")
        .lines()
        .filter(line -> line.startsWith("Uid:"))
        .anyMatch(line -> List.of(line.split("\t")).contains(Long.toString(user)));
  }

  /** Whether a process that this one comes from would be taken for one of the folder's. */
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

  /** A file of the kernel's; empty when it has ended, or is another's whom we may not look at. */
  static String told(long pid, String file) {
    try {
      return Files.readString(PROC.resolve(pid + "/" + file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
