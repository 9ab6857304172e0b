package io.millrace.server.gateway.plus;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.ForgetReservation;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.PbsCommandSet;
import io.millrace.server.gateway.link.LinkException;
import java.util.Map;

/** The commands of PluS. */
public final class PlusCommands implements PbsCommandSet {

  /** One that has ended is forgotten, any other ends and leaves nothing. */
  private static Reply destroy(Call call, PlusName name)
      throws LinkException, InterruptedException {
    Reply reply = call.send(name.shard(), meta -> new DeleteReservation(meta, name.id(), true));
    return reply.getCode() == PbsError.UNKNOWN_RESERVATION.code()
        ? call.send(name.shard(), meta -> new ForgetReservation(meta, name.id()))
        : reply;
  }

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("plus_reserve", new PlusReserve()),
        Map.entry("plus_status", new PlusStatus()),
        Map.entry("plus_modify", new PlusModify()),
        Map.entry(
            "plus_cancel",
            new PlusEnding(
                "plus_cancel",
                (call, name) ->
                    call.send(
                        name.shard(), meta -> new DeleteReservation(meta, name.id(), false)))),
        Map.entry("plus_destroy", new PlusEnding("plus_destroy", PlusCommands::destroy)));
  }
}
