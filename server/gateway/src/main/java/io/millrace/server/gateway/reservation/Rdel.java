package io.millrace.server.gateway.reservation;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** pbs_rdel: deletes reservations with their jobs. */
final class Rdel implements Command {

  private static final String LETTERS = "q:";
  private static final String USAGE =
      "usage:\tpbs_rdel [-q dest] resv_identifier...\n      \tpbs_rdel --version\n";
  private static final Map<Character, String> REFUSED =
      Map.of('q', "jobs of a deleted reservation are deleted; qmove them before");

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE).refusing(REFUSED));
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    GetOpt options = call.options(LETTERS);
    if (options.has('q') && options.argument('q').isEmpty()) {
      call.complain("illegal -q value");
      throw call.usage(USAGE);
    }
    if (options.wrong() || options.operands().isEmpty()) {
      throw call.usage(USAGE);
    }
    if (options.has('q')) {
      throw call.refused("-q", REFUSED.get('q'));
    }
    int status = 0;
    for (String text : options.operands()) {
      int result = one(call, text);
      status = result == 0 ? status : result;
    }
    return status;
  }

  private static int one(Call call, String text)
      throws LinkException, QueryException, InterruptedException {
    Optional<String> id = ReservationNames.parse(text, call.site().server());
    if (id.isEmpty()) {
      call.complain("illegally formed reservation identifier: " + text);
      return JobList.ILL_FORMED;
    }
    OptionalInt shard = shard(call, id.get());
    if (shard.isEmpty()) {
      call.complain(PbsError.UNKNOWN_RESERVATION.text() + " " + id.get());
      return PbsError.UNKNOWN_RESERVATION.exitStatus();
    }
    Reply reply =
        call.send(shard.getAsInt(), meta -> new DeleteReservation(meta, id.get(), false, false));
    return JobList.told(call, reply, id.get());
  }

  /** The shard that gave the number; empty when no reservation has this name. */
  static OptionalInt shard(Call call, String id) throws QueryException, InterruptedException {
    long number = ReservationNames.number(id);
    return number < 0 ? OptionalInt.empty() : call.site().queries().birth(number);
  }
}
