package io.millrace.server.gateway.plus;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.NodeCharts;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** plus_status: shows reservations, on request some that have ended. */
final class PlusStatus implements Command {

  private static final int EXPIRED_MAX = 100_000;
  private static final String ROW = "%-10s %-12s %-17s %-19s  %-19s %5s%s\n";

  private static final Syntax HOW =
      Syntax.of(
              "",
              """
              usage: plus_status [-r rsvID] [-o owner] [-n] [-s startTime] [-e endTime]
                                 [-ne numShowExpired] [-x]
                     plus_status -G [--from time] [--to time] [-r rsvID] [-o owner]
                                 [-s startTime] [-e endTime]
                     plus_status --schema
              """)
          .with(
              "-r rsvID",
              "-o owner",
              "-n",
              "-s startTime",
              "-e endTime",
              "-ne numShowExpired",
              "-x",
              "-G",
              "--from time",
              "--to time",
              "--schema");

  private static final List<String> OF_LISTS = List.of("-n", "-ne", "-x");
  private static final List<String> OF_CHARTS = List.of("--from", "--to");
  private static final List<String> CHOOSING = List.of("-r", "-o", "-s", "-e");

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(HOW);
  }

  @Override
  public int run(Call call) throws Failure, QueryException, IOException, InterruptedException {
    PlusOptions options = PlusOptions.read(call, HOW);
    if (options.has("--schema")) {
      call.out(PlusXml.schema());
      return 0;
    }
    for (String word : options.has("-G") ? OF_LISTS : OF_CHARTS) {
      if (options.has(word)) {
        throw options.wrong("option " + word + (options.has("-G") ? " with -G" : " without -G"));
      }
    }
    StatusChoice choice = choice(call, options);
    List<Reservation> present = new ArrayList<>(call.site().queries().reservations());
    present.removeIf(it -> !choice.takes(it));
    present.sort(Comparator.comparingLong(Reservation::getNumber));
    List<ReservationWhole> wholes = new ArrayList<>(call.site().queries().wholes());
    wholes.removeIf(it -> !choice.takes(it) || !WholeRows.hasSites(it));
    List<PastReservation> past = past(call, options, choice);
    if (options.has("-r") && present.isEmpty() && past.isEmpty() && wholes.isEmpty()) {
      throw PlusName.unknown(call, options.value("-r"));
    }
    if (options.has("-G")) {
      boolean some = CHOOSING.stream().anyMatch(options::has);
      Long fromMs = PlusTimes.time(call, options, "--from");
      Long toMs = PlusTimes.time(call, options, "--to");
      Set<String> nodes = some ? NodeCharts.nodes(present) : null;
      NodeCharts.print(call, fromMs, toMs, nodes, PlusAnswer.REFUSED);
    } else if (options.has("-x")) {
      PlusXml xml = new PlusXml();
      past.forEach(xml::past);
      present.forEach(xml::present);
      wholes.forEach(xml::elsewhere);
      call.out(xml.end());
    } else {
      boolean part = options.has("-r") && !PlusName.ofAny(call, options.value("-r")).isWhole();
      WholeRows rows = new WholeRows(part ? List.of() : present, wholes);
      call.out(rows(past, present, rows, options.has("-n"), call.zone()));
    }
    return 0;
  }

  /**
   * Which are shown; null takes all.
   *
   * @param start those that end later
   * @param end those that begin before
   */
  private record StatusChoice(String id, String owner, Long start, Long end) {

    boolean takes(Reservation it) {
      boolean named = id == null || it.getId().equals(id) || id.equals(WholeRows.of(it));
      ReservationSpec spec = it.getSpec();
      return named && takes(spec.getOwner(), spec.getStartMs(), spec.getEndMs());
    }

    boolean takes(ReservationWhole it) {
      boolean named = id == null || it.getId().equals(id);
      return named && takes(it.getOwner(), it.getStartMs(), it.getEndMs());
    }

    private boolean takes(String by, long startMs, long endMs) {
      return (owner == null || by.equals(owner))
          && (start == null || endMs > start)
          && (end == null || startMs < end);
    }
  }

  private static StatusChoice choice(Call call, PlusOptions options)
      throws Failure, QueryException, InterruptedException {
    String id = options.has("-r") ? PlusName.ofAny(call, options.value("-r")).id() : null;
    Long start = PlusTimes.time(call, options, "-s");
    return new StatusChoice(id, options.value("-o"), start, PlusTimes.time(call, options, "-e"));
  }

  /** The last that have ended, in the order of their ends. */
  private static List<PastReservation> past(Call call, PlusOptions options, StatusChoice choice)
      throws Failure, QueryException, InterruptedException {
    if (!options.has("-ne")) {
      return List.of();
    }
    int most = options.number("-ne", EXPIRED_MAX, 1);
    List<PastReservation> past = new ArrayList<>(call.site().queries().pastReservations());
    past.removeIf(it -> !choice.takes(it.getReservation()));
    past.sort(
        Comparator.comparingLong(PastReservation::getEndedMs)
            .thenComparing(it -> it.getReservation().getNumber()));
    return past.subList(Math.max(0, past.size() - most), past.size());
  }

  private static String rows(
      List<PastReservation> past,
      List<Reservation> present,
      WholeRows wholes,
      boolean names,
      ZoneId zone) {
    Map<RowPlace, String> shown = new TreeMap<>(RowPlace.ORDER);
    for (Reservation each : present) {
      shown.put(RowPlace.of(each), row(each, names, zone));
    }
    for (WholeRows.WholeRow each : wholes.rows()) {
      shown.put(new RowPlace(each.span().number(), each.part()), row(each, names, zone));
    }
    if (past.isEmpty() && shown.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    String last = names ? "  Names" : "";
    out.append(String.format(ROW, "ID", "Owner", "State", "Start", "End", "Nodes", last));
    past.forEach(it -> out.append(row(it.getReservation(), names, zone)));
    shown.values().forEach(out::append);
    return out.toString();
  }

  /** Where a line stands: by numbers, with the parts of a whole behind it. */
  private record RowPlace(long number, int part) {
    static final Comparator<RowPlace> ORDER =
        Comparator.comparingLong(RowPlace::number).thenComparingInt(RowPlace::part);

    static RowPlace of(Reservation it) {
      return it.getWhole() == null
          ? new RowPlace(it.getNumber(), -1)
          : new RowPlace(it.getWhole().getNumber(), it.getWhole().getPart());
    }
  }

  private static String row(Reservation reservation, boolean names, ZoneId zone) {
    ReservationSpec spec = reservation.getSpec();
    return String.format(
        ROW,
        reservation.getQueue(),
        spec.getOwner(),
        state(reservation),
        PlusTimes.shown(spec.getStartMs(), zone),
        PlusTimes.shown(spec.getEndMs(), zone),
        nodeCount(spec),
        names ? "  " + String.join(",", nodeNames(reservation)) : "");
  }

  private static String row(WholeRows.WholeRow row, boolean names, ZoneId zone) {
    String lost = row.lost().isEmpty() ? "" : "  lost: " + String.join(", ", row.lost());
    return String.format(
        ROW,
        row.name(),
        row.span().owner(),
        row.state(),
        PlusTimes.shown(row.span().startMs(), zone),
        PlusTimes.shown(row.span().endMs(), zone),
        row.nodes(),
        names ? lost : "");
  }

  /** Its state, with what is held until it is settled. */
  private static String state(Reservation reservation) {
    ReservationTransaction open = reservation.getPending();
    String pending = open == null ? "" : "+" + open.getKind().name().toLowerCase(Locale.ROOT);
    return reservation.getState() + pending;
  }

  static int nodeCount(ReservationSpec spec) {
    return spec.getRequest().getChunks().stream().mapToInt(it -> it.getCount()).sum();
  }

  static List<String> nodeNames(Reservation reservation) {
    return reservation.getShares().stream().map(NodeShare::getNode).distinct().toList();
  }
}
