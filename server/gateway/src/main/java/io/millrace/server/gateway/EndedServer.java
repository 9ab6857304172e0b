package io.millrace.server.gateway;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Site;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears the attribute by which qterm stops all starts while it waits for the end of runs. When a
 * gateway starts, such a qterm is over: the server was restarted, or the gateway in which qterm
 * waited is gone.
 */
final class EndedServer {
  private static final Logger LOG = LoggerFactory.getLogger(EndedServer.class);
  private static final String USER = "gateway";

  /** Longer than a shard can be expected to be without an owner. */
  private static final Duration PATIENCE = Duration.ofDays(30);

  private EndedServer() {}

  /**
   * Allows starts again. Sent before any command of a caller, who may be another qterm; the answer
   * is not awaited, as the shard may not have an owner yet.
   */
  static void begin(Site site) throws InterruptedException {
    if (site.serverAttribute(AttributeTable.TERMINATING).isEmpty()) {
      return;
    }
    new GatewayCommands(site, USER, USER, Role.MANAGER)
        .unsetServer(AttributeTable.TERMINATING, PATIENCE)
        .whenComplete(EndedServer::told);
  }

  private static void told(Reply reply, Throwable failure) {
    if (failure == null && reply.getCode() == 0) {
      LOG.info("what qterm had stopped starts again");
    } else {
      LOG.warn(
          "nothing starts before qmgr -c \"unset server {}\": {}",
          AttributeTable.TERMINATING,
          failure == null ? String.join(" ", reply.getLines()) : failure.getMessage());
    }
  }
}
