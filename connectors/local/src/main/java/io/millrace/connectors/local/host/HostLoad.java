package io.millrace.connectors.local.host;

import io.millrace.schemas.NodeLoads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What this host's kernel says about its load. */
public final class HostLoad {

  private static final Path PROC = Path.of("/proc");

  /** The kernel's names of what is reported. */
  private static final Map<String, String> MEMORY =
      Map.of(
          "MemTotal", "mem_total",
          "MemAvailable", "mem_free",
          "SwapTotal", "swap_total",
          "SwapFree", "swap_free");

  private HostLoad() {}

  /** Load values by their names in reports. */
  public static Map<String, Long> read() throws IOException {
    Map<String, Long> loads = new HashMap<>();
    String[] averages = Files.readString(PROC.resolve("loadavg")).split(" ");
    put(loads, "load_short", millionths(averages[0]));
    put(loads, "load_medium", millionths(averages[1]));
    put(loads, "load_long", millionths(averages[2]));
    put(loads, "num_proc", Runtime.getRuntime().availableProcessors());
    for (String line : Files.readAllLines(PROC.resolve("meminfo"))) {
      String name = MEMORY.get(line.substring(0, Math.max(0, line.indexOf(':'))));
      if (name != null) {
        put(loads, name, Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
      }
    }
    return loads;
  }

  private static void put(Map<String, Long> loads, String name, long amount) {
    loads.put(NodeLoads.PREFIX + name, amount);
  }

  private static long millionths(String average) {
    return Math.round(Double.parseDouble(average) * 1e6);
  }
}
