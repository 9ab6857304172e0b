package io.millrace.server.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One connection to the gateway of this host. */
final class GatewayConnection implements GatewayLink {
  private final SocketChannel channel;
  private final ByteBuffer out = ByteBuffer.allocateDirect(64 * 1024);
  private final ByteBuffer in = ByteBuffer.allocateDirect(64 * 1024).flip();
  private int type;
  private byte[] payload = new byte[0];

  private GatewayConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects at once or fails at once: a full queue of callers is a refusal, never a wait.
   *
   * @throws IOException with the system's words
   */
  static GatewayConnection open(UnixDomainSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.configureBlocking(false);
      if (!channel.connect(address)) {
        throw new ConnectException("Connection refused");
      }
      channel.configureBlocking(true);
      return new GatewayConnection(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void sendRaw(byte[] bytes, int length) throws IOException {
    int at = 0;
    while (at < length) {
      out.clear();
      int part = Math.min(out.capacity(), length - at);
      out.put(bytes, at, part).flip();
      at += part;
      drain();
    }
  }

  @Override
  public void send(int frameType, byte[] bytes, int length) throws IOException {
    out.clear();
    out.put((byte) frameType).putInt(length);
    int at = Math.min(out.remaining(), length);
    out.put(bytes, 0, at).flip();
    drain();
    while (at < length) {
      out.clear();
      int part = Math.min(out.capacity(), length - at);
      out.put(bytes, at, part).flip();
      at += part;
      drain();
    }
  }

  private void drain() throws IOException {
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  @Override
  public void receive() throws IOException {
    byte[] head = new byte[Frames.HEADER];
    read(head);
    type = head[0] & 0xff;
    int length = Bytes.number(head, 1);
    if (length < 0 || length > Frames.PAYLOAD_MAX) {
      throw new ProtocolViolation(
          "the gateway sent a frame of " + (length & 0xffffffffL) + " bytes");
    }
    payload = new byte[length];
    read(payload);
  }

  private void read(byte[] into) throws IOException {
    int at = 0;
    while (at < into.length) {
      if (!in.hasRemaining()) {
        in.clear();
        int got = channel.read(in);
        in.flip();
        if (got < 0) {
          throw new EOFException();
        }
      }
      int part = Math.min(in.remaining(), into.length - at);
      in.get(into, at, part);
      at += part;
    }
  }

  @Override
  public int type() {
    return type;
  }

  @Override
  public byte[] payload() {
    return payload;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
