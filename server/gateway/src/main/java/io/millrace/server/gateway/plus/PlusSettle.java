package io.millrace.server.gateway.plus;

import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobList;
import io.millrace.server.gateway.query.QueryException;
import java.util.Optional;

/** plus_commit and plus_abort: settle what was done with -T. */
final class PlusSettle implements Command {

  private final Syntax how;
  private final boolean commit;

  PlusSettle(String name, boolean commit) {
    this.how = Syntax.of("", "usage: " + name + " -r reservationID\n").with("-r reservationID");
    this.commit = commit;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(how);
  }

  @Override
  public int run(Call call) throws Failure, LinkException, QueryException, InterruptedException {
    PlusName name = PlusName.of(call, PlusOptions.read(call, how).must("-r"));
    Reply reply =
        call.send(name.shard(), meta -> new SettleReservation(meta, name.id(), commit, false));
    String shown = PlusAnswer.shortName(name.id());
    if (reply.getCode() != 0) {
      throw call.failure(JobList.text(reply) + " " + shown, PlusAnswer.REFUSED);
    }
    call.out(shown + "\n");
    return 0;
  }
}
