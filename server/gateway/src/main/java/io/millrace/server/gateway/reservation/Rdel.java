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
import java.util.Optional;
import java.util.OptionalInt;

/** pbs_rdel: deletes reservations with their jobs, or with those that run. */
final class Rdel implements Command {

  private static final String LETTERS = "q:";
  private static final String USAGE =
      "usage:\tpbs_rdel [-q dest] resv_identifier...\n      \tpbs_rdel --version\n";

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of(LETTERS, USAGE));
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
    WaitingJobsMove move =
        options.has('q') ? WaitingJobsMove.to(call, options.argument('q')) : null;
    int status = 0;
    for (String text : options.operands()) {
      int result = one(call, text, move);
      status = result == 0 ? status : result;
    }
    return status;
  }

  /**
   * @param move takes the jobs that wait to another queue; null to delete them
   */
  private static int one(Call call, String text, WaitingJobsMove move)
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
    int kept = move == null ? 0 : move.from(id.get());
    if (kept != 0) {
      return kept;
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
