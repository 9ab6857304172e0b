package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.RunsOfSite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** plus_account: what of nodes was reserved, used, not used and cancelled. */
final class PlusAccount implements Command {

  private static final int DAYS_MAX = 36_500;
  private static final int DAYS = 30;
  private static final String ROW = "%-20s %5s %12s %12s %12s %12s\n";

  private static final Syntax HOW =
      Syntax.of(
              "",
              """
              usage: plus_account [-s startTime] [-e endTime] [-d days] [-o [owner]] [-n [nodes]]
                                  [-l] [-S]
              """)
          .with("-s startTime", "-e endTime", "-d days", "-o [owner]", "-n [nodes]", "-l", "-S")
          .refusing(Map.of('f', "what was reserved is in the ledger, not in a log file"));

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(HOW);
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, HOW);
    NodeTime.NodeTimePeriod period = period(call, options);
    Set<String> nodes = names(options, "-n");
    Set<String> owners = names(options, "-o");
    List<NodeTime> all = new ArrayList<>();
    Map<String, List<Job>> jobs = jobs(call);
    for (PastReservation each : call.site().queries().pastReservations()) {
      all.addAll(NodeTime.of(each.getReservation(), each.getEndedMs(), period, jobs));
    }
    for (Reservation each : call.site().queries().reservations()) {
      all.addAll(NodeTime.of(each, Long.MAX_VALUE, period, jobs));
    }
    all.removeIf(
        it ->
            !(owners.isEmpty() || owners.contains(it.owner()))
                || !(nodes.isEmpty() || nodes.contains(it.node())));
    call.out(text(options, all));
    return 0;
  }

  /** Of -s, -e and -d; the last 30 days if nothing else is said. */
  private static NodeTime.NodeTimePeriod period(Call call, PlusOptions options) throws Failure {
    Long start = PlusTimes.time(call, options, "-s");
    Long end = PlusTimes.time(call, options, "-e");
    if (options.has("-s") && options.has("-e") && options.has("-d")) {
      throw options.wrong("two of the options -s, -e and -d are enough");
    }
    long days = TimeUnit.DAYS.toMillis(options.number("-d", DAYS_MAX, DAYS));
    long nowMs = call.site().clock().millis();
    long to = end != null ? end : start != null && options.has("-d") ? start + days : nowMs;
    long from = start != null ? start : to - days;
    if (to <= from) {
      throw call.failure(PbsError.BAD_TIMES.text(), PlusAnswer.REFUSED);
    }
    return new NodeTime.NodeTimePeriod(from, to, nowMs);
  }

  private static Set<String> names(PlusOptions options, String word) {
    String text = options.value(word);
    return text == null || text.isEmpty() ? Set.of() : new HashSet<>(List.of(text.split(",")));
  }

  /** Jobs in queues of reservations, by the queue; finished ones as long as they have a history. */
  private static Map<String, List<Job>> jobs(Call call)
      throws QueryException, InterruptedException {
    Map<String, List<Job>> jobs = new HashMap<>();
    RunsOfSite.each(
        call,
        true,
        job -> job.getSpec().getQueue().matches("[RSM]\\d+"),
        job -> jobs.computeIfAbsent(job.getSpec().getQueue(), it -> new ArrayList<>()).add(job));
    return jobs;
  }

  private static String text(PlusOptions options, List<NodeTime> all) {
    if (options.has("-S")) {
      return head("") + row("all", all);
    }
    StringBuilder out = new StringBuilder();
    if (options.has("-l")) {
      out.append(head("Reservation"));
      grouped(all, it -> it.reservation() + " " + it.owner())
          .forEach((k, v) -> out.append(row(k, v)));
    } else if (options.has("-n")) {
      out.append(head("Node"));
      grouped(all, NodeTime::node).forEach((k, v) -> out.append(row(k, v)));
    } else {
      out.append(head("Owner"));
      grouped(all, NodeTime::owner).forEach((k, v) -> out.append(row(k, v)));
    }
    return out.toString();
  }

  private static Map<String, List<NodeTime>> grouped(
      List<NodeTime> all, Function<NodeTime, String> by) {
    Map<String, List<NodeTime>> groups = new TreeMap<>(Comparator.naturalOrder());
    all.forEach(it -> groups.computeIfAbsent(by.apply(it), k -> new ArrayList<>()).add(it));
    return groups;
  }

  private static String head(String first) {
    return String.format(ROW, first, "Count", "Reserved", "Used", "Unused", "Cancelled");
  }

  private static String row(String name, List<NodeTime> some) {
    long count = some.stream().map(NodeTime::reservation).distinct().count();
    return String.format(
        ROW,
        name,
        count,
        hours(some.stream().mapToLong(NodeTime::reservedMs).sum()),
        hours(some.stream().mapToLong(NodeTime::usedMs).sum()),
        hours(some.stream().mapToLong(NodeTime::unusedMs).sum()),
        hours(some.stream().mapToLong(NodeTime::cancelledMs).sum()));
  }

  /** Hours of a node, with two digits. */
  private static String hours(long ms) {
    return String.format(Locale.ENGLISH, "%.2f", ms / 3_600_000.0);
  }
}
