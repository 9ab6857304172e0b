package io.millrace.server.gateway.plus;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.DeleteTogether;
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
  private static Reply destroy(Call call, PlusName name, boolean transaction)
      throws LinkException, InterruptedException {
    if (name.isWhole()) {
      return call.send(name.shard(), meta -> new DeleteTogether(meta, name.id(), true));
    }
    Reply reply =
        call.send(name.shard(), meta -> new DeleteReservation(meta, name.id(), true, transaction));
    return reply.getCode() == PbsError.UNKNOWN_RESERVATION.code() && !transaction
        ? call.send(name.shard(), meta -> new ForgetReservation(meta, name.id()))
        : reply;
  }

  private static Reply cancel(Call call, PlusName name, boolean transaction)
      throws LinkException, InterruptedException {
    if (name.isWhole()) {
      return call.send(name.shard(), meta -> new DeleteTogether(meta, name.id(), false));
    }
    return call.send(
        name.shard(), meta -> new DeleteReservation(meta, name.id(), false, transaction));
  }

  @Override
  public Map<String, Command> commands() {
    return Map.ofEntries(
        Map.entry("plus_reserve", new PlusReserve()),
        Map.entry("plus_status", new PlusStatus()),
        Map.entry("plus_modify", new PlusModify()),
        Map.entry("plus_cancel", new PlusEnding("plus_cancel", PlusCommands::cancel)),
        Map.entry("plus_destroy", new PlusEnding("plus_destroy", PlusCommands::destroy)),
        Map.entry("plus_availnodes", new PlusAvailable()),
        Map.entry("plus_account", new PlusAccount()),
        Map.entry("plus_commit", new PlusSettle("plus_commit", true)),
        Map.entry("plus_abort", new PlusSettle("plus_abort", false)),
        Map.entry("plus_scheduler", PlusScheduler.start()),
        Map.entry("plus_schedkill", PlusScheduler.stop()));
  }
}
