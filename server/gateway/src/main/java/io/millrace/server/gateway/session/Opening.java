package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The frames that a client sends before its command runs. Nothing in them identifies the caller.
 */
record Opening(Hello hello, List<String> args, Map<String, String> environment, String directory) {
  private static final int FIXED = 23;
  private static final int COMMAND_MAX = 64;

  /** A bearer token: qsub -V must not write it into a job. */
  private static final String SECRET = "MILLRACE_TOKEN=";

  /** The first frame of a session. */
  record Hello(UUID commandId, int flags, int columns, int umask, String command) {}

  /** A request that is well formed and still cannot be served; the message is for the user. */
  static final class OpeningRefusal extends IOException {
    private static final long serialVersionUID = 1L;

    OpeningRefusal(String message) {
      super(message);
    }
  }

  /** There is no memory for it now: the client may try again. */
  static final class NoRoomForOpening extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Reads up to the frame that ends the opening.
   *
   * @throws NoRoomForOpening when other sessions hold so much that this one does not fit beside
   *     them
   * @throws OpeningRefusal of another protocol version, of too much, of text that is not UTF-8
   * @throws ProtocolException of anything that is no opening
   */
  static Opening read(FrameChannel socket, SessionLimits limits, SessionRoom room)
      throws IOException {
    socket.arm(limits.timeouts().opening());
    Hello hello = hello(socket.receive());
    List<String> args = new ArrayList<>();
    Map<String, String> environment = new LinkedHashMap<>();
    String directory = null;
    long bytes = 0;
    FrameChannel.Frame frame = socket.receive();
    while (frame.type() != Frames.GO) {
      bytes += Frames.HEADER + frame.payload().length;
      if (bytes > limits.openingBytes()) {
        throw new OpeningRefusal(
            "arguments and environment are larger than " + limits.openingBytes() + " bytes");
      }
      if (!room.take(Frames.HEADER + frame.payload().length)) {
        throw new NoRoomForOpening();
      }
      switch (frame.type()) {
        case Frames.ARG -> args.add(text(frame.payload(), "argument " + (args.size() + 1)));
        case Frames.ENV -> addVariable(environment, frame.payload());
        case Frames.DIRECTORY -> directory = text(frame.payload(), "the current directory");
        default -> throw new ProtocolException("frame type " + frame.type() + " in an opening");
      }
      frame = socket.receive();
    }
    socket.disarm();
    if (directory == null || !directory.startsWith("/")) {
      throw new ProtocolException("an opening without an absolute directory");
    }
    return new Opening(
        hello,
        Collections.unmodifiableList(args),
        Collections.unmodifiableMap(environment),
        directory);
  }

  private static Hello hello(FrameChannel.Frame frame) throws IOException {
    byte[] payload = frame.payload();
    if (frame.type() != Frames.HELLO || payload.length <= FIXED) {
      throw new ProtocolException("no hello: frame type " + frame.type());
    }
    ByteBuffer in = ByteBuffer.wrap(payload);
    int version = in.getShort() & 0xffff;
    if (version != Frames.VERSION) {
      throw new OpeningRefusal(
          "this client speaks protocol version "
              + version
              + " and the gateway version "
              + Frames.VERSION
              + ": use the client of the gateway's release");
    }
    UUID id = new UUID(in.getLong(), in.getLong());
    int flags = in.get();
    int columns = in.getShort() & 0xffff;
    int umask = in.getShort() & 0777;
    byte[] name = new byte[in.remaining()];
    in.get(name);
    String command = text(name, "the command's name");
    // Commands of a family whose names other families also use have the family as a prefix.
    if (!command.matches("(sge/)?[A-Za-z0-9._-]{1," + COMMAND_MAX + "}")) {
      throw new ProtocolException("a command name that is none");
    }
    return new Hello(id, flags, columns == 0 ? 80 : columns, umask, command);
  }

  /**
   * The first of a name counts, as in {@code getenv}. A variable that is not text is left out: a
   * job's environment travels as text, and one stray variable must not stop every command.
   */
  private static void addVariable(Map<String, String> environment, byte[] payload) {
    String entry;
    try {
      entry = text(payload, "");
    } catch (OpeningRefusal e) {
      return;
    }
    int equals = entry.indexOf('=');
    if (equals > 0 && !entry.startsWith(SECRET)) {
      environment.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
    }
  }

  private static String text(byte[] bytes, String what) throws OpeningRefusal {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new OpeningRefusal(what + " is not UTF-8 text");
    }
  }
}
