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
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** pbs_rstat: shows reservations. */
final class Rstat implements Command {

  private static final String LETTERS = "fFBS";
  private static final String JSON = "--json";
  private static final String USAGE =
      "Usage:\n\tpbs_rstat [-fFBS] [reservation-id]\n\tpbs_rstat --version\n";

  /** The forms of a list; the last option counts, as in PBS. */
  private enum Form {
    ROWS,
    NAMES,
    FULL,
    JSON
  }

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE).with(JSON));
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    List<String> args = new ArrayList<>(call.args());
    int end = args.indexOf("--");
    int json = args.indexOf(JSON);
    boolean asJson = json >= 0 && (end < 0 || json < end) && args.remove(JSON);
    GetOpt options = GetOpt.parse(LETTERS, args, false, call::complain);
    if (options.wrong()) {
      throw new Failure(USAGE, 1);
    }
    Form form = Form.ROWS;
    for (GetOpt.Option option : options.options()) {
      form =
          switch (option.letter()) {
            case 'f', 'F' -> Form.FULL;
            case 'B' -> Form.NAMES;
            default -> Form.ROWS;
          };
    }
    List<Reservation> chosen = new ArrayList<>();
    int status = chosen(call, options.operands(), chosen);
    print(call, asJson ? Form.JSON : form, chosen);
    return status;
  }

  /** As with PBS a reservation that does not exist is told of and no failure. */
  private static int chosen(Call call, List<String> operands, List<Reservation> chosen)
      throws QueryException, InterruptedException {
    if (operands.isEmpty()) {
      chosen.addAll(call.site().queries().reservations());
      chosen.sort(Comparator.comparingLong(Reservation::getNumber));
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

  private static void print(Call call, Form form, List<Reservation> chosen) {
    StringBuilder out = new StringBuilder();
    boolean manager = call.role() == Role.MANAGER;
    ReservationText text =
        new ReservationText(
            call.site().server(), form == Form.JSON ? null : new Times(call.zone()), manager);
    long nowMs = call.site().clock().millis();
    if (form == Form.JSON) {
      Json json = new Json(out);
      json.head(nowMs / 1000, Version.text(), call.site().server()).open("resvs");
      chosen.forEach(it -> text.json(json, it));
      json.close().close();
    } else if (form == Form.ROWS && !chosen.isEmpty()) {
      out.append(ReservationText.HEAD);
      chosen.forEach(it -> out.append(ReservationText.row(it, nowMs, call.zone())));
    } else if (form == Form.NAMES) {
      chosen.forEach(it -> out.append("Resv ID: ").append(it.getId()).append('\n'));
    } else {
      chosen.forEach(it -> out.append(text.full(it)));
    }
    call.out(out.toString());
  }
}
