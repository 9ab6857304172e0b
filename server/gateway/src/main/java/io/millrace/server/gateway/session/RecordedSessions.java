package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import io.millrace.server.http.SparseLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions without a connection: a client says all that it knows, its opening and its answers so
 * far, and gets back what the command says up to the first question that is not answered yet, or to
 * the exit status. It answers and sends everything again under the same command id, under which
 * nothing is carried out twice.
 */
public final class RecordedSessions {
  private static final Logger LOG = LoggerFactory.getLogger(RecordedSessions.class);

  /** Most bytes of one answer to the client. */
  public static final int ANSWER_BYTES_MAX = 8 << 20;

  private final SessionLimits limits;
  private final CommandHandler handler;
  private final SessionSlots slots;
  private final SharedBytes room;
  private final SparseLog log = new SparseLog(LOG::info, System::nanoTime);

  /**
   * @param output in which all output is held until it goes back
   */
  public RecordedSessions(SessionLimits limits, CommandHandler handler, SharedBytes output) {
    this.room = output;
    this.limits = limits;
    this.handler = handler;
    this.slots = new SessionSlots(limits);
  }

  /** The output of a command is larger than an answer may be. */
  public static final class TooMuchOutput extends IOException {
    private static final long serialVersionUID = 1L;

    TooMuchOutput(Throwable cause) {
      super("more than " + ANSWER_BYTES_MAX + " bytes of output", cause);
    }
  }

  /**
   * Runs a command up to the first question without a recorded answer.
   *
   * @param user verified user
   * @param group his primary group
   * @param host gives the name of his host; empty for this one
   * @param frames opening and answers as {@code docs/client-protocol.md} has them
   * @return what the client is to do and to show, in the same frames
   */
  public byte[] run(String user, String group, Supplier<String> host, byte[] frames)
      throws IOException, InterruptedException {
    RecordedChannel channel = new RecordedChannel(frames, ANSWER_BYTES_MAX, room);
    try {
      return run(channel, new PeerIdentity(user, group, host));
    } catch (Opening.NoRoomForOpening e) {
      return busy(SocketSession.NO_ROOM);
    } catch (GatewayBusyException e) {
      return busy(e.getMessage());
    } finally {
      channel.release();
    }
  }

  private byte[] run(RecordedChannel channel, PeerIdentity caller)
      throws IOException, InterruptedException {
    try (SessionRoom memory = new SessionRoom(slots, caller.user());
        SessionSlot seat = SessionSlot.apart(slots, caller.user())) {
      new CommandRun(channel, limits, handler, log).run(caller, memory, seat);
    } catch (RecordedChannel.Unanswered e) {
      throw new IOException("an opening that does not end", e);
    } catch (ClientGoneException e) {
      if (e.getCause() instanceof Opening.NoRoomForOpening full) {
        throw full;
      }
      if (e.getCause() instanceof RecordedChannel.TooMuch) {
        throw new TooMuchOutput(e);
      }
      if (!(e.getCause() instanceof RecordedChannel.Unanswered)) {
        throw new IOException("malformed answers: " + e.getMessage(), e);
      }
    } catch (RecordedChannel.TooMuch e) {
      throw new TooMuchOutput(e);
    }
    return channel.sent();
  }

  private static byte[] busy(String reason) throws IOException {
    RecordedChannel channel =
        new RecordedChannel(new byte[0], ANSWER_BYTES_MAX, new SharedBytes(Long.MAX_VALUE));
    channel.send(Frames.BUSY, reason.getBytes(StandardCharsets.UTF_8));
    return channel.sent();
  }
}
