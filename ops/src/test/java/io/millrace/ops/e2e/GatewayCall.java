package io.millrace.ops.e2e;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that only looks, asked of the gateway by this process: without the shell and the client
 * that a line of shell starts, which take two thirds of the processor time of a look.
 */
final class GatewayCall {
  private static final int COLUMNS = 80;
  private static final int UMASK = 022;

  private final DataOutputStream out;

  private GatewayCall(DataOutputStream out) {
    this.out = out;
  }

  /**
   * What the command printed; empty when it failed, for whatever reason, which the real client then
   * tells.
   *
   * @param words the command and its arguments
   */
  static Optional<String> ask(Path socket, String... words) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      // One buffer to write from: each write of a channel's stream is a call of the system.
      ByteArrayOutputStream opening = new ByteArrayOutputStream();
      new GatewayCall(new DataOutputStream(opening)).open(words);
      Channels.newOutputStream(channel).write(opening.toByteArray());
      return answer(new DataInputStream(Channels.newInputStream(channel)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void open(String... words) throws IOException {
    ByteArrayOutputStream hello = new ByteArrayOutputStream();
    DataOutputStream fields = new DataOutputStream(hello);
    fields.writeShort(Frames.VERSION);
    // Nothing is changed under this id, so it needs no time in it.
    UUID id = UUID.randomUUID();
    fields.writeLong(id.getMostSignificantBits());
    fields.writeLong(id.getLeastSignificantBits());
    fields.writeByte(0);
    fields.writeShort(COLUMNS);
    fields.writeShort(UMASK);
    fields.write(words[0].getBytes(StandardCharsets.UTF_8));
    frame(Frames.HELLO, hello.toByteArray());
    for (int i = 1; i < words.length; i++) {
      frame(Frames.ARG, words[i].getBytes(StandardCharsets.UTF_8));
    }
    frame(Frames.DIRECTORY, "/".getBytes(StandardCharsets.UTF_8));
    frame(Frames.GO, new byte[0]);
  }

  private void frame(int type, byte[] payload) throws IOException {
    out.writeByte(type);
    out.writeInt(payload.length);
    out.write(payload);
  }

  private static Optional<String> answer(DataInputStream in) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    while (true) {
      int type = in.readUnsignedByte();
      byte[] payload = in.readNBytes(in.readInt());
      switch (type) {
        case Frames.OUT -> printed.writeBytes(payload);
        case Frames.COMMIT, Frames.NOTE, Frames.ERR -> {}
        case Frames.EXIT -> {
          boolean well = payload.length == 1 && payload[0] == 0;
          return well ? Optional.of(printed.toString(StandardCharsets.UTF_8)) : Optional.empty();
        }
        default -> {
          return Optional.empty();
        }
      }
    }
  }
}
