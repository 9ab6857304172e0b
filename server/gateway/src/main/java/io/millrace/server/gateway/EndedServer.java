package io.millrace.server.gateway;

import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Site;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * While qterm waits for the end of runs nothing starts. When a gateway begins that is over: the
 * server has ended and was started again, or the gateway in which qterm waited is no more.
 */
final class EndedServer {
  private static final Logger LOG = LoggerFactory.getLogger(EndedServer.class);
  private static final String USER = "gateway";

  private EndedServer() {}

  /** Has everything start again; before the first caller, who may be another qterm. */
  static void begin(Site site) throws InterruptedException {
    if (site.serverAttribute(AttributeTable.TERMINATING).isEmpty()) {
      return;
    }
    String why;
    try {
      Reply reply =
          new GatewayCommands(site, USER, USER, Role.MANAGER)
              .unsetServer(AttributeTable.TERMINATING)
              .get();
      if (reply.getCode() == 0) {
        LOG.info("what qterm had stopped starts again");
        return;
      }
      why = String.join(" ", reply.getLines());
    } catch (ExecutionException e) {
      why = e.getCause().getMessage();
    }
    LOG.warn(
        "nothing starts before qmgr -c \"unset server {}\": {}", AttributeTable.TERMINATING, why);
  }
}
