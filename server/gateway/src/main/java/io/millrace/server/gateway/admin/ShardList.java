package io.millrace.server.gateway.admin;

import io.millrace.schemas.output.ShardOwner;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Command;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.help.Syntax;
import io.millrace.server.gateway.print.Times;
import java.util.Optional;

/** shards: who owns each shard now, for the launcher's status. */
final class ShardList implements Command {

  private static final String USAGE = "usage: shards\n";

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public Optional<Syntax> syntax() {
    return Optional.of(Syntax.of("", USAGE));
  }

  @Override
  public int run(Call call) throws Failure {
    if (!call.args().isEmpty()) {
      throw call.usage(USAGE);
    }
    Times times = new Times(call.zone());
    for (int shard : call.site().cluster().shards()) {
      Optional<ShardOwner> owner = call.site().cluster().owner(shard);
      call.out(
          "shard "
              + shard
              + ": "
              + owner
                  .map(o -> o.getQueryAddress() + " since " + times.ctime(o.getSinceMs()))
                  .orElse("no owner")
              + "\n");
    }
    return 0;
  }
}
