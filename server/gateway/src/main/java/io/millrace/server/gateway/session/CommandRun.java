package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One command of a known caller, from its opening to its exit status. */
final class CommandRun {
  private static final Logger LOG = LoggerFactory.getLogger(CommandRun.class);

  private final FrameChannel channel;
  private final SessionLimits limits;
  private final CommandHandler handler;
  private final SparseLog strange;

  /**
   * @param strange hears who sends what is no opening
   */
  CommandRun(
      FrameChannel channel, SessionLimits limits, CommandHandler handler, SparseLog strange) {
    this.channel = channel;
    this.limits = limits;
    this.handler = handler;
    this.strange = strange;
  }

  /**
   * Carries out the command and sends its output, the exit status last.
   *
   * @throws Opening.NoRoomForOpening when the caller is to come again
   * @throws GatewayBusyException when there is no session slot for the command
   * @throws IOException when the connection is lost
   * @throws ClientGoneException the same, found by the command
   * @throws InterruptedException when the gateway stops: no exit status is sent
   */
  void run(PeerIdentity caller, SessionRoom room, SessionSlot seat)
      throws IOException, InterruptedException {
    Opening opening;
    try {
      opening = Opening.read(channel, limits, room);
    } catch (Opening.OpeningRefusal e) {
      refuse(e.getMessage());
      return;
    } catch (ProtocolException e) {
      strange.say("user " + caller.user() + " sent what is no opening");
      refuse("malformed request: " + e.getMessage());
      return;
    }
    SocketInvocation invocation =
        new SocketInvocation(channel, caller, opening, limits, room, seat);
    try {
      invocation.exit(checked(handler.run(invocation)));
    } catch (ClientGoneException | GatewayBusyException e) {
      throw e;
    } catch (IOException e) {
      if (invocation.gone() || !channel.isOpen()) {
        throw e;
      }
      fail(invocation, e.getMessage());
    } catch (RuntimeException | Error e) {
      fail(invocation, incident(invocation, e));
    }
  }

  private static int checked(int status) {
    if (status < 0 || status > 255) {
      throw new IllegalStateException("exit status " + status + " is not in 0..255");
    }
    return status;
  }

  /** The log does not name arguments: they may have variables and arguments of a job. */
  private static String incident(Invocation invocation, Throwable thrown) {
    String id = String.format("%08x", ThreadLocalRandom.current().nextInt());
    LOG.error(
        "incident {}: {} with {} arguments of {} (command id {})",
        id,
        invocation.command(),
        invocation.args().size(),
        invocation.user(),
        invocation.commandId(),
        thrown);
    return "internal error, incident " + id + ": the gateway's log tells more";
  }

  private static void fail(SocketInvocation invocation, String text) throws IOException {
    invocation.err(invocation.command() + ": " + text + "\n");
    invocation.exit(1);
  }

  /** One line and exit status 1; what the client still sends is not read. */
  void refuse(String text) throws IOException {
    channel.send(Frames.ERR, ("millrace: " + text + "\n").getBytes(StandardCharsets.UTF_8));
    channel.send(Frames.EXIT, new byte[] {1});
    channel.flush();
  }
}
