package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.OtherWords;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellReservations;
import io.millrace.server.gridengine.cell.UsageTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** sge/qrdel: deletes advance reservations, with their jobs. */
public final class AdvanceDeleteCommand implements Command {

  private static final Map<String, Integer> OPTIONS = Map.of("-f", 0, "-help", 0, "-u", 1);

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    if (call.args().contains("-help")) {
      call.out(UsageTexts.QRDEL);
      return 0;
    }
    // A reservation goes without asking its hosts here, forced or not.
    AdvanceOptions options = AdvanceOptions.of(call.args(), OPTIONS);
    List<String> names = new ArrayList<>();
    options.operands().forEach(it -> names.addAll(AdvanceOptions.parts(it)));
    if (names.isEmpty() && options.list("-u").isEmpty()) {
      throw new Failure(UsageTexts.QRDEL + "ERROR! no option argument\n", 1);
    }
    Cell cell = Cell.of(call);
    List<Reservation> all = CellReservations.all(call, cell);
    int status = 0;
    for (String user : options.list("-u")) {
      List<Reservation> theirs =
          all.stream()
              .filter(it -> user.equals("*") || it.getSpec().getOwner().equals(user))
              .toList();
      String nobody =
          "There is no advance_reservation registered for the following users: " + user + "\n";
      status = Math.max(status, delete(call, theirs, nobody));
    }
    for (String name : names) {
      List<Reservation> meant = all.stream().filter(it -> means(call, name, it)).toList();
      String nobody = "denied: advance_reservation \"" + name + "\" does not exist\n";
      status = Math.max(status, delete(call, meant, nobody));
    }
    return status;
  }

  /** Numbers mean anybody's, names and patterns one's own. */
  private static boolean means(Call call, String name, Reservation reservation) {
    if (name.matches("\\d{1,12}")) {
      return reservation.getNumber() == Long.parseLong(name);
    }
    return reservation.getSpec().getOwner().equals(call.invocation().user())
        && WildcardPattern.of(name).fits(reservation.getSpec().getName());
  }

  private static int delete(Call call, List<Reservation> meant, String nobody)
      throws LinkException, QueryException, InterruptedException {
    if (meant.isEmpty()) {
      call.out(nobody);
      return 1;
    }
    int status = 0;
    for (Reservation each : meant) {
      status = Math.max(status, delete(call, each));
    }
    return status;
  }

  private static int delete(Call call, Reservation reservation)
      throws LinkException, QueryException, InterruptedException {
    String user = call.invocation().user();
    long number = reservation.getNumber();
    OptionalInt shard = OtherWords.shard(call, reservation.getId());
    if (shard.isEmpty()) {
      call.out("denied: advance_reservation \"" + number + "\" does not exist\n");
      return 1;
    }
    Reply reply =
        call.send(
            shard.getAsInt(),
            meta -> new DeleteReservation(meta, reservation.getId(), false, false));
    if (reply.getCode() == 0) {
      call.out(user + " has deleted advance_reservation " + number + "\n");
      return 0;
    }
    if (reply.getCode() == PbsError.UNAUTHORIZED.code()) {
      call.out(
          user
              + " - you do not have the necessary privileges to delete the advance_reservation \""
              + number
              + "\"\n");
    } else if (reply.getCode() == PbsError.UNKNOWN_RESERVATION.code()) {
      call.out("denied: advance_reservation \"" + number + "\" does not exist\n");
    } else {
      call.out("denied: " + String.join(" ", reply.getLines()).strip() + "\n");
    }
    return 1;
  }
}
