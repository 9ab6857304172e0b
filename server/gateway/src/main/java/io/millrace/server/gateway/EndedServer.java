package io.millrace.server.gateway;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Site;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While qterm waits for the end of runs nothing starts. When a gateway begins that is over: the
 * server has ended and was started again, or the gateway in which qterm waited is no more.
 */
final class EndedServer {
  private static final Logger LOG = LoggerFactory.getLogger(EndedServer.class);
  private static final String USER = "gateway";

  /** Longer than anybody leaves a shard without an owner. */
  private static final Duration PATIENCE = Duration.ofDays(30);

  private EndedServer() {}

  /**
   * Has everything start again. It is sent before what the first caller sends, who may be another
   * qterm; nobody waits for the answer of a shard that is not there yet.
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
