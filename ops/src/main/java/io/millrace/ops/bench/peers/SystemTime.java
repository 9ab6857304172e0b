package io.millrace.ops.bench.peers;

import io.millrace.ops.bench.site.ProcessorTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Processor time in milliseconds.
 *
 * @param residents of each process of a batch system that lives now, without those that have ended;
 *     the daemons and all that descend from them
 * @param machineMs of everything on the machine, which on a quiet one is also what the clients, the
 *     scripts and who looks after them use
 */
record SystemTime(Map<Long, Double> residents, double machineMs) {

  /** Places in the first line of proc(5)'s stat: user, nice, system, then two idle ones. */
  private static final int IDLE_FIRST = 4;

  private static final int IDLE_LAST = 5;
  private static final int STEAL = 8;

  /** Linux counts in hundredths of a second. */
  private static final double TICK_MS = 10;

  static SystemTime now(BatchSystem system) throws IOException {
    Set<Long> pids = new HashSet<>();
    for (long daemon : system.daemons().pids()) {
      pids.add(daemon);
      ProcessHandle.of(daemon)
          .ifPresent(it -> it.descendants().map(ProcessHandle::pid).forEach(pids::add));
    }
    Map<Long, Double> residents = new HashMap<>();
    for (long pid : pids) {
      ProcessorTime.ofLiving(pid).ifPresent(micros -> residents.put(pid, micros / 1000));
    }
    return new SystemTime(residents, busyMs());
  }

  /**
   * What those used that live now and lived then. A process for one job does not count, whatever
   * the system: some leave it to their daemons to wait for these, others to nobody, so that no sum
   * would have all of them. Only the machine's time has.
   */
  double daemonsMsSince(SystemTime before) {
    return residents.entrySet().stream()
        .filter(each -> before.residents.containsKey(each.getKey()))
        .mapToDouble(each -> each.getValue() - before.residents.get(each.getKey()))
        .sum();
  }

  double machineMsSince(SystemTime before) {
    return machineMs - before.machineMs;
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
