package io.millrace.ops.bench.peers;

import io.millrace.ops.bench.site.ProcessorTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Processor time in milliseconds.
 *
 * @param daemonsMs of a batch system's processes and of those that they have waited for
 * @param machineMs of everything on the machine, which on a quiet one is also what the clients, the
 *     scripts and who looks after them use
 */
record SystemTime(double daemonsMs, double machineMs) {

  /** Places in the first line of proc(5)'s stat: user, nice, system, then two idle ones. */
  private static final int IDLE_FIRST = 4;

  private static final int IDLE_LAST = 5;
  private static final int STEAL = 8;

  /** Linux counts in hundredths of a second. */
  private static final double TICK_MS = 10;

  static SystemTime now(BatchSystem system) throws IOException {
    double micros = 0;
    for (long pid : system.daemons().pids()) {
      micros += ProcessorTime.withChildren(pid);
    }
    return new SystemTime(micros / 1000, busyMs());
  }

  SystemTime since(SystemTime before) {
    return new SystemTime(daemonsMs - before.daemonsMs, machineMs - before.machineMs);
  }

  private static double busyMs() throws IOException {
    String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
    double ms = 0;
    for (int field = 1; field < STEAL; field++) {
      boolean idle = field >= IDLE_FIRST && field <= IDLE_LAST;
      ms += idle ? 0 : Long.parseLong(fields[field]) * TICK_MS;
    }
    return ms;
  }

  /** Processes by their names, of which the kernel keeps 15 letters. */
  static List<Long> named(Set<String> names) throws IOException {
    List<Long> found = new ArrayList<>();
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      try {
        String name = Files.readString(Path.of("/proc/" + process.pid() + "/comm")).strip();
        if (names.contains(name)) {
          found.add(process.pid());
        }
      } catch (NoSuchFileException e) {
        continue; // it has ended meanwhile
      }
    }
    return found;
  }
}
