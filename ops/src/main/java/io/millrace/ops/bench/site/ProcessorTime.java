package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Processor time that processes have used. On a machine whose speed and load vary from minute to
 * minute it shows the effect of a change better than a rate does.
 */
public final class ProcessorTime {

  /** Places of utime and stime in proc(5), counted after the command's closing parenthesis. */
  private static final int USER_FIELD = 11;

  private static final int SYSTEM_FIELD = 12;

  /** Linux reports times to programs in hundredths of a second, whatever it uses internally. */
  private static final long TICK_US = 10_000;

  private ProcessorTime() {}

  /** Processor time used so far by all parts and by this process, which acts as the client. */
  public static double micros(BenchSite site) throws IOException {
    double micros = ofProcess(ProcessHandle.current().pid());
    for (String part : site.installation().parts()) {
      OptionalLong pid = site.pid(part);
      if (pid.isPresent()) {
        micros += ofProcess(pid.getAsLong());
      }
    }
    return micros;
  }

  /** Microseconds that a process has used; its children's are not among them. */
  public static double ofProcess(long pid) throws IOException {
    String[] fields = fields(pid);
    return TICK_US * (double) (ticks(fields, USER_FIELD) + ticks(fields, SYSTEM_FIELD));
  }

  /** The same; nothing when the process has gone. */
  public static OptionalDouble ofLiving(long pid) throws IOException {
    try {
      return OptionalDouble.of(ofProcess(pid));
    } catch (IOException e) {
      if (Files.exists(Path.of("/proc/" + pid))) {
        throw e;
      }
      return OptionalDouble.empty(); // also when it went between opening and reading
    }
  }

  private static String[] fields(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
  }

  private static long ticks(String[] fields, int field) {
    return Long.parseLong(fields[field]);
  }
}
