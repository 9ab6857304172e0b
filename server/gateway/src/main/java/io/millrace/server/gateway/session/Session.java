package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection from the caller's identity to the exit status. */
final class Session implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private final FrameSocket socket;
  private final SessionLimits limits;
  private final SessionSlots slots;
  private final CommandHandler handler;

  Session(FrameSocket socket, SessionLimits limits, SessionSlots slots, CommandHandler handler) {
    this.socket = socket;
    this.limits = limits;
    this.slots = slots;
    this.handler = handler;
  }

  @Override
  public void run() {
    Caller caller = null;
    try {
      caller = Caller.of(socket.channel());
      if (!caller.hasName()) {
        refuse("uid " + caller.user() + " has no name on this host");
      } else if (!slots.enter(caller.user())) {
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
        } finally {
          slots.leave(caller.user());
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

  private void serve(Caller caller, SessionRoom room) throws IOException {
    Opening opening;
    try {
      opening = Opening.read(socket, limits, room);
    } catch (Opening.NoRoom e) {
      turnAway(
          socket,
          "the commands that run here have all the memory that there is for arguments and"
              + " environments; try again when some have ended");
      return;
    } catch (Opening.Refusal e) {
      refuse(e.getMessage());
      return;
    } catch (ProtocolException e) {
      LOG.info("user {} sent what is no opening: {}", caller.user(), e.getMessage());
      refuse("malformed request: " + e.getMessage());
      return;
    }
    SocketInvocation invocation =
        new SocketInvocation(socket, caller, opening, limits.timeouts(), room);
    try {
      invocation.exit(checked(handler.run(invocation)));
    } catch (InterruptedException e) {
      // The gateway stops: no exit status is sent, and the client repeats the command elsewhen.
      Thread.currentThread().interrupt();
    } catch (ClientGoneException e) {
      throw e;
    } catch (IOException e) {
      if (invocation.gone() || !socket.channel().isOpen()) {
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

  private static String incident(Invocation invocation, Throwable thrown) {
    String id = String.format("%08x", ThreadLocalRandom.current().nextInt());
    LOG.error(
        "incident {}: {} {} of {} (command id {})",
        id,
        invocation.command(),
        invocation.args(),
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
  private void refuse(String text) throws IOException {
    socket.send(Frames.ERR, ("millrace: " + text + "\n").getBytes(StandardCharsets.UTF_8));
    socket.send(Frames.EXIT, new byte[] {1});
    socket.flush();
  }

  /** Asks the client to come again; never waits for it. */
  static void turnAway(FrameSocket socket, String reason) throws IOException {
    socket.send(Frames.BUSY, reason.getBytes(StandardCharsets.UTF_8));
    socket.sendAndForget();
  }
}
