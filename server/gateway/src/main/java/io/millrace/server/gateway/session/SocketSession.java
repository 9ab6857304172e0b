package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection from the caller's identity to the exit status. */
final class SocketSession implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(SocketSession.class);

  static final String NO_ROOM =
      "the commands that run here have all the memory that there is for arguments and"
          + " environments; try again when some have ended";

  private final FrameSocket socket;
  private final SessionLimits limits;
  private final SessionSlots slots;
  private final SessionSlot seat;
  private final CommandHandler handler;

  SocketSession(
      FrameSocket socket,
      SessionLimits limits,
      SessionSlots slots,
      SessionSlot seat,
      CommandHandler handler) {
    this.socket = socket;
    this.limits = limits;
    this.slots = slots;
    this.seat = seat;
    this.handler = handler;
  }

  @Override
  public void run() {
    PeerIdentity caller = null;
    try {
      caller = PeerIdentity.of(socket.channel());
      if (!caller.hasName()) {
        new CommandRun(socket, limits, handler)
            .refuse("uid " + caller.user() + " has no name on this host");
      } else if (!seat.of(caller.user())) {
        turnAway(
            socket,
            "user "
                + caller.user()
                + " has "
                + limits.sessionsPerUser()
                + " commands running here, which is the most; try again when some have ended");
      } else {
        try (SessionRoom room = new SessionRoom(slots, caller.user())) {
          serve(caller, room);
        }
      }
    } catch (IOException | ClientGoneException e) {
      String who = caller == null ? "an unknown caller" : caller.user();
      if (socket.timedOut()) {
        LOG.info("gave up the client of {}: it was silent for too long", who);
      } else {
        LOG.debug("session of {} ended early", who, e);
      }
    }
  }

  private void serve(PeerIdentity caller, SessionRoom room) throws IOException {
    try {
      new CommandRun(socket, limits, handler).run(caller, room, seat);
    } catch (Opening.NoRoom e) {
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
