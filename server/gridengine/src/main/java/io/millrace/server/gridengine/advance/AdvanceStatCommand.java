package io.millrace.server.gridengine.advance;

import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** sge/qrstat: shows advance reservations. */
public final class AdvanceStatCommand implements Command {

  private static final Map<String, Integer> OPTIONS =
      Map.of("-ar", 1, "-explain", 0, "-help", 0, "-u", 1, "-xml", 0);

  private static final Map<String, Integer> RESERVING = ReserveCommand.known();

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public int run(Call call) throws Failure, QueryException, InterruptedException {
    if (call.args().contains("-help")) {
      call.out(UsageTexts.QRSTAT);
      return 0;
    }
    AdvanceOptions options = AdvanceOptions.of(call.args(), OPTIONS);
    if (!options.operands().isEmpty()) {
      throw AdvanceOptions.invalid(options.operands().get(0));
    }
    List<Long> numbers = numbers(options);
    Cell cell = Cell.of(call);
    List<Reservation> chosen = new ArrayList<>();
    List<Long> unknown = new ArrayList<>();
    if (options.has("-ar")) {
      for (long number : numbers) {
        Optional<Reservation> found = CellReservations.find(call, cell, number);
        found.ifPresent(chosen::add);
        if (found.isEmpty()) {
          unknown.add(number);
        }
      }
    } else {
      List<String> users =
          options.has("-u") ? options.list("-u") : List.of(call.invocation().user());
      chosen.addAll(CellReservations.all(call, cell));
      chosen.removeIf(it -> !users.contains("*") && !users.contains(it.getSpec().getOwner()));
    }
    List<AdvanceText> texts = new ArrayList<>();
    for (Reservation each : chosen) {
      texts.add(text(call, cell, each));
    }
    call.out(options.has("-xml") ? xml(options, texts, unknown) : plain(options, texts, unknown));
    return unknown.isEmpty() ? 0 : 1;
  }

  private static List<Long> numbers(AdvanceOptions options) throws Failure {
    List<Long> numbers = new ArrayList<>();
    for (String each : options.list("-ar")) {
      if (!each.matches("\\d{1,12}")) {
        throw new Failure("error: ERROR! invalid id, must be an unsigned integer\n", 1);
      }
      numbers.add(Long.parseLong(each));
    }
    return numbers;
  }

  /** With the options of qrsub, of which a reservation of another command has none. */
  private static AdvanceText text(Call call, Cell cell, Reservation reservation) throws Failure {
    List<String> words =
        reservation.getSpec().getGridEngine() == null
            ? List.of()
            : reservation.getSpec().getGridEngine().getOptions();
    return new AdvanceText(cell, reservation, AdvanceOptions.of(words, RESERVING), call.zone());
  }

  private static String plain(AdvanceOptions options, List<AdvanceText> texts, List<Long> unknown) {
    StringBuilder out = new StringBuilder();
    boolean explained = options.has("-explain");
    if (options.has("-ar")) {
      texts.forEach(it -> out.append(it.full(explained)));
    } else if (!texts.isEmpty()) {
      out.append(AdvanceText.HEAD);
      texts.forEach(it -> out.append(it.row(explained)));
    }
    if (!unknown.isEmpty()) {
      out.append("Following advance reservations do not exist:\n");
      unknown.forEach(it -> out.append(it).append('\n'));
    }
    return out.toString();
  }

  private static String xml(AdvanceOptions options, List<AdvanceText> texts, List<Long> unknown) {
    AdvanceXml xml = new AdvanceXml();
    texts.forEach(it -> it.xml(xml, options.has("-ar"), options.has("-explain")));
    for (long number : unknown) {
      xml.open("ar_unknown");
      xml.element("id", Long.toString(number));
      xml.close("ar_unknown");
    }
    return xml.end();
  }
}
