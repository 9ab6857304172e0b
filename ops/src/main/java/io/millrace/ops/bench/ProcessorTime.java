package io.millrace.ops.bench;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that an installation has used. On a machine whose speed and load vary from minute
 * to minute it shows the effect of a change better than a rate does.
 */
final class ProcessorTime {

  /** Places of utime and stime in proc(5), counted after the command's closing parenthesis. */
  private static final int USER_FIELD = 11;

  private static final int SYSTEM_FIELD = 12;

  /** Linux reports times to programs in hundredths of a second, whatever it uses internally. */
  private static final long TICK_US = 10_000;

  private ProcessorTime() {}

  /** Processor time used so far by all parts and by this process, which acts as the client. */
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
