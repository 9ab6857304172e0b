package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a known caller, from its opening, which is there, to the exit status. */
final class SocketSession implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketSession.class);

  static final String NO_ROOM =
      "the commands that run here have all the memory that there is for arguments and"
          + " environments; try again when some have ended";

  private final FrameSocket socket;
  private final PendingOpening opening;
  private final SessionLimits limits;
  private final SessionSlot seat;
  private final CommandHandler handler;
  private final SparseLog log;

  SocketSession(
      FrameSocket socket,
      PendingOpening opening,
      SessionLimits limits,
      SessionSlot seat,
      CommandHandler handler,
      SparseLog log) {
    this.socket = socket;
    this.opening = opening;
    this.limits = limits;
    this.seat = seat;
    this.handler = handler;
    this.log = log;
  }

  @Override
  public void run() {
    PeerIdentity caller = opening.caller();
    try (SessionRoom room = opening.room()) {
      serve(caller, room);
    } catch (IOException | ClientGoneException e) {
      if (socket.timedOut()) {
        log.say("gave up a client of " + caller.user() + " in its command: it was silent too long");
      } else {
        LOG.debug("session of {} ended early", caller.user(), e);
      }
    }
  }

  private void serve(PeerIdentity caller, SessionRoom room) throws IOException {
    try {
      new CommandRun(socket, limits, handler, log).run(caller, room, seat);
    } catch (Opening.NoRoomForOpening e) {
      turnAway(socket, NO_ROOM);
    } catch (GatewayBusyException e) {
      turnAway(socket, e.getMessage());
    } catch (InterruptedException e) {
      // The gateway stops: no exit status is sent, and the client repeats the command later.
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the client to try again; does not wait for it. */
  static void turnAway(FrameSocket socket, String reason) throws IOException {
    socket.send(Frames.BUSY, reason.getBytes(StandardCharsets.UTF_8));
    socket.sendAndForget();
  }
}
