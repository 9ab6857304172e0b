package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** pbs_rstat: shows reservations. */
final class Rstat implements Command {

  private static final String LETTERS = "fFBSG";
  private static final String JSON = "--json";
  private static final String FROM = "--from";
  private static final String TO = "--to";
  private static final String USAGE =
      "Usage:\n\tpbs_rstat [-fFBS] [reservation-id]\n\tpbs_rstat --version\n";

  /** The forms of a list; the last option counts, as in PBS. */
  private enum RstatForm {
    ROWS,
    NAMES,
    FULL,
    CHART,
    JSON
  }

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE).with(JSON, FROM + " time", TO + " time"));
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    List<String> args = new ArrayList<>(call.args());
    Map<String, String> words = words(args);
    GetOpt options = GetOpt.parse(LETTERS, args, false, call::complain);
    if (options.wrong()) {
      throw new Failure(USAGE, 1);
    }
    RstatForm form = RstatForm.ROWS;
    for (GetOpt.GivenOption option : options.options()) {
      form =
          switch (option.letter()) {
            case 'f', 'F' -> RstatForm.FULL;
            case 'B' -> RstatForm.NAMES;
            case 'G' -> RstatForm.CHART;
            default -> RstatForm.ROWS;
          };
    }
    form = words.containsKey(JSON) ? RstatForm.JSON : form;
    if (form != RstatForm.CHART && (words.containsKey(FROM) || words.containsKey(TO))) {
      throw new Failure(USAGE, 1);
    }
    Long fromMs = time(call, words, FROM);
    Long toMs = time(call, words, TO);
    List<Reservation> chosen = new ArrayList<>();
    boolean rows = form == RstatForm.ROWS || form == RstatForm.NAMES;
    int status = chosen(call, options.operands(), rows, chosen);
    if (form == RstatForm.CHART) {
      boolean all = options.operands().isEmpty();
      int refused = PbsError.BAD_TIMES.exitStatus();
      NodeCharts.print(call, fromMs, toMs, all ? null : NodeCharts.nodes(chosen), refused);
    } else {
      print(call, form, chosen);
    }
    return status;
  }

  /** Takes the options that are words out of the arguments, each with its value. */
  private static Map<String, String> words(List<String> args) throws Failure {
    Map<String, String> words = new HashMap<>();
    for (int i = 0; i < args.size() && !args.get(i).equals("--"); ) {
      String word = args.get(i);
      boolean valued = word.equals(FROM) || word.equals(TO);
      if (valued && i + 1 == args.size()) {
        throw new Failure(USAGE, 1);
      }
      if (valued || word.equals(JSON)) {
        args.remove(i);
        words.put(word, valued ? args.remove(i) : "");
      } else {
        i++;
      }
    }
    return words;
  }

  /** The time that a word gives, milliseconds since 1970; null without the word. */
  private static Long time(Call call, Map<String, String> words, String word) throws Failure {
    String text = words.get(word);
    if (text == null) {
      return null;
    }
    return ReservationSyntax.time(call, text)
        .orElseThrow(() -> call.failure("illegal " + word + " time value", 1));
  }

  /**
   * As with PBS a reservation that does not exist is told of and no failure.
   *
   * @param rows whether what a row shows is enough
   */
  private static int chosen(
      Call call, List<String> operands, boolean rows, List<Reservation> chosen)
      throws QueryException, InterruptedException {
    if (operands.isEmpty()) {
      Queries queries = call.site().queries();
      chosen.addAll(rows ? queries.reservationRows() : queries.reservations());
      // As they came: each shard has numbers of its own.
      chosen.sort(
          Comparator.comparingLong(Reservation::getCreatedMs)
              .thenComparingLong(Reservation::getNumber));
      return 0;
    }
    int status = 0;
    for (String text : operands) {
      Optional<String> id = ReservationNames.parse(text, call.site().server());
      if (id.isEmpty()) {
        call.complain("illegally formed reservation identifier: " + text);
        status = 1;
        continue;
      }
      Optional<Reservation> found = find(call, id.get());
      if (found.isEmpty()) {
        call.complain(PbsError.UNKNOWN_RESERVATION.text());
      }
      found.ifPresent(chosen::add);
    }
    return status;
  }

  /** The reservation of exactly this name. */
  static Optional<Reservation> find(Call call, String id)
      throws QueryException, InterruptedException {
    long number = ReservationNames.number(id);
    return number < 0
        ? Optional.empty()
        : call.site().queries().reservation(number).filter(it -> it.getId().equals(id));
  }

  private static void print(Call call, RstatForm form, List<Reservation> chosen) {
    StringBuilder out = new StringBuilder();
    boolean manager = call.role() == Role.MANAGER;
    ReservationText text =
        new ReservationText(
            call.site().server(), form == RstatForm.JSON ? null : new Times(call.zone()), manager);
    long nowMs = call.site().clock().millis();
    if (form == RstatForm.JSON) {
      Json json = new Json(out);
      json.head(nowMs / 1000, Version.text(), call.site().server()).open("resvs");
      chosen.forEach(it -> text.json(json, it));
      json.close().close();
    } else if (form == RstatForm.ROWS && !chosen.isEmpty()) {
      out.append(ReservationText.HEAD);
      chosen.forEach(it -> out.append(ReservationText.row(it, nowMs, call.zone())));
    } else if (form == RstatForm.NAMES) {
      chosen.forEach(it -> out.append("Resv ID: ").append(it.getId()).append('\n'));
    } else {
      chosen.forEach(it -> out.append(text.full(it)));
    }
    call.out(out.toString());
  }
}
