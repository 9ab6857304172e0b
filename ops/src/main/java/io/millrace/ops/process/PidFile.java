package io.millrace.ops.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process that can be told from any later one with the same number: the kernel's start time in
 * ticks since boot, and the id of the boot.
 *
 * @param ticks field 22 of /proc/PID/stat
 */
public record PidFile(long pid, long ticks, String boot) {

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** Index of the start time, counted after the command's closing parenthesis. */
  private static final int START_FIELD = 19;

  /** The identity of a live process; empty when there is none or it is a zombie. */
  public static Optional<PidFile> of(long pid) throws IOException {
    Optional<Long> ticks = startTicks(pid);
    return ticks.isEmpty()
        ? Optional.empty()
        : Optional.of(new PidFile(pid, ticks.get(), Files.readString(BOOT_ID).strip()));
  }

  private static Optional<Long> startTicks(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      // A zombie has ended; its parent has only not waited for it yet.
      return fields[0].equals("Z")
          ? Optional.empty()
          : Optional.of(Long.parseLong(fields[START_FIELD]));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The process in a pid file, if that very process is still alive. */
  static Optional<PidFile> alive(Path file) throws IOException {
    Optional<PidFile> marked = read(file);
    return marked.isPresent() && of(marked.get().pid).equals(marked) ? marked : Optional.empty();
  }

  static Optional<PidFile> read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String[] parts = Files.readString(file).strip().split(" ");
    try {
      return parts.length == 3
          ? Optional.of(new PidFile(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2]))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
