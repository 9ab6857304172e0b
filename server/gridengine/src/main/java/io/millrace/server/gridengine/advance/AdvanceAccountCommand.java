package io.millrace.server.gridengine.advance;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** sge/qacct: what the jobs of advance reservations have used. */
public final class AdvanceAccountCommand implements Command {

  private static final String OPTION = "-ar";

  /** Number of those jobs that are in no reservation. */
  private static final long NONE = 0;

  /** What jobs have used together. */
  record UsedTime(long seconds, long cpuSeconds) {
    UsedTime plus(UsedTime other) {
      return new UsedTime(seconds + other.seconds, cpuSeconds + other.cpuSeconds);
    }
  }

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    List<String> words = call.args();
    if (words.contains("-help")) {
      call.out(UsageTexts.QACCT);
      return 0;
    }
    if (words.isEmpty() || !words.get(0).equals(OPTION)) {
      String what = words.isEmpty() ? "without options" : "option " + words.get(0);
      throw new Failure("error: " + what + " is not supported: only " + OPTION + " is\n", 1);
    }
    if (words.size() > 2) {
      throw AdvanceOptions.invalid(words.get(2));
    }
    long number = words.size() == 2 ? number(words.get(1)) : NONE;
    TreeMap<Long, UsedTime> used = new TreeMap<>();
    CellJobs.eachFinished(
        call,
        job -> {
          long its = reservation(job);
          if (number == NONE || its == number) {
            used.merge(its, used(job), UsedTime::plus);
          }
        });
    if (number != NONE && used.isEmpty()) {
      throw new Failure("error: ar id " + number + " not found\n", 1);
    }
    call.out(table(used, number != NONE));
    return 0;
  }

  private static long number(String word) throws Failure {
    if (!word.matches("[1-9]\\d{0,11}")) {
      throw new Failure("error: ERROR! invalid id, must be an unsigned integer\n", 1);
    }
    return Long.parseLong(word);
  }

  private static long reservation(Job job) {
    String queue = job.getSpec().getQueue();
    return ReservationIds.isReserved(queue) ? ReservationIds.number(queue) : NONE;
  }

  private static UsedTime used(Job job) {
    Usage used = job.getUsed();
    return used == null ? new UsedTime(0, 0) : new UsedTime(used.getWalltimeS(), used.getCputS());
  }

  /** Grid Engine's table; hosts report neither system time nor what it counts besides. */
  static String table(SortedMap<Long, UsedTime> used, boolean one) {
    String format = (one ? "%-5s" : "%-6s") + "%13s%14s%14s%14s%19s%19s%19s\n";
    String head =
        String.format(format, "AR", "WALLCLOCK", "UTIME", "STIME", "CPU", "MEMORY", "IO", "IOW");
    StringBuilder table = new StringBuilder(head);
    table.append("=".repeat(head.length() - 1)).append('\n');
    String none = seconds(0);
    used.forEach(
        (number, its) -> {
          String cpu = seconds(its.cpuSeconds());
          table.append(
              String.format(
                  format,
                  String.format("%5d", number),
                  its.seconds(),
                  cpu,
                  none,
                  cpu,
                  none,
                  none,
                  none));
        });
    return table.toString();
  }

  private static String seconds(long seconds) {
    return String.format(Locale.ROOT, "%d.000", seconds);
  }
}
