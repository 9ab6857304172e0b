package io.millrace.ops.bench;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What an installation has taken of the processors. On a machine whose speed and load change from
 * minute to minute it tells more of a change than a rate does.
 */
final class ProcessorTime {

  /** Places of utime and stime in proc(5), counted after the command's closing parenthesis. */
  private static final int USER_FIELD = 11;

  private static final int SYSTEM_FIELD = 12;

  /** Linux counts in hundredths of a second towards programs, whatever it uses itself. */
  private static final long TICK_US = 10_000;

  private ProcessorTime() {}

  /** Used so far by all parts and by this process, which stands in for a client. */
  static double micros(BenchSite site) throws IOException {
    long ticks = ticks(ProcessHandle.current().pid());
    Home home = site.home();
    for (String part : site.installation().parts()) {
      Path mark = home.pid(part);
      if (Files.exists(mark)) {
        ticks += ticks(Long.parseLong(Files.readString(mark).split(" ")[0]));
      }
    }
    return ticks * (double) TICK_US;
  }

  private static long ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]);
  }
}
