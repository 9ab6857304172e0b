package io.millrace.ops.bench.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Processor time that processes have used. On a machine whose speed and load vary from minute to
 * minute it shows the effect of a change better than a rate does.
 */
public final class ProcessorTime {

  /** Places of utime and stime in proc(5), counted after the command's closing parenthesis. */
  private static final int USER_FIELD = 11;

  private static final int SYSTEM_FIELD = 12;

  /** The same of children that have ended and were waited for. */
  private static final int CHILDREN_USER_FIELD = 13;

  private static final int CHILDREN_SYSTEM_FIELD = 14;

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
  static double ofProcess(long pid) throws IOException {
    String[] fields = fields(pid);
    return TICK_US * (double) (ticks(fields, USER_FIELD) + ticks(fields, SYSTEM_FIELD));
  }

  /** Microseconds that a process and its children that have ended used; zero when it is gone. */
  public static double withChildren(long pid) throws IOException {
    try {
      String[] fields = fields(pid);
      long children = ticks(fields, CHILDREN_USER_FIELD) + ticks(fields, CHILDREN_SYSTEM_FIELD);
      return TICK_US
          * (double) (ticks(fields, USER_FIELD) + ticks(fields, SYSTEM_FIELD) + children);
    } catch (NoSuchFileException e) {
      return 0;
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
