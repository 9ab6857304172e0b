package io.millrace.connectors.local.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Looks at processes of this host. */
public final class HostProcesses {
  private static final Path PROC = Path.of("/proc");
  private static final int START_FIELD = 19; // counted from the state, behind the name

  private HostProcesses() {}

  /** Id of the current boot of the host. */
  public static String bootId() throws IOException {
    return Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
  }

  /** What the host has: {@code ncpus}, and {@code mem} in bytes. */
  public static Map<String, Long> measure() throws IOException {
    long memKb = 0;
    for (String line : Files.readAllLines(PROC.resolve("meminfo"))) {
      if (line.startsWith("MemTotal:")) {
        memKb = Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    long ncpus = Runtime.getRuntime().availableProcessors();
    return Map.of("ncpus", ncpus, "mem", memKb * 1024);
  }

  /** Whether the process with this start time is alive; its number may have been reused. */
  public static boolean lives(long pid, long startTicks) {
    try {
      byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/stat"));
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
      return !fields[0].equals("Z") && Long.parseLong(fields[START_FIELD]) == startTicks;
    } catch (IOException e) {
      return false; // no such process
    }
  }
}
