package io.millrace.server.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The far end of the protocol, frame by frame: each connection follows the next script. */
final class ScriptedGateway implements AutoCloseable {

  /** What to do with one connection after its opening was read. */
  interface Script {
    void play(Peer peer) throws IOException;
  }

  /** One frame. */
  record Frame(int type, byte[] payload) {}

  /** The connection of a client. */
  static final class Peer {
    private final SocketChannel channel;
    private final DataInputStream in;

    Peer(SocketChannel channel) {
      this.channel = channel;
      this.in = new DataInputStream(Channels.newInputStream(channel));
    }

    Frame receive() throws IOException {
      int type = in.readUnsignedByte();
      byte[] payload = new byte[in.readInt()];
      in.readFully(payload);
      return new Frame(type, payload);
    }

    void send(int type, byte... payload) throws IOException {
      sendHeader(type, payload.length);
      ByteBuffer buffer = ByteBuffer.wrap(payload);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    void sendHeader(int type, int length) throws IOException {
      channel.write(ByteBuffer.allocate(5).put((byte) type).putInt(length).flip());
    }

    byte[] readStdin(int most) throws IOException {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      send(Frames.READ_STDIN, ByteBuffer.allocate(4).putInt(most).array());
      Frame answer = receive();
      while (answer.type() == Frames.CHUNK) {
        all.writeBytes(answer.payload());
        send(Frames.READ_STDIN, ByteBuffer.allocate(4).putInt(most).array());
        answer = receive();
      }
      return all.toByteArray();
    }
  }

  private final ServerSocketChannel server;
  private final List<List<Frame>> openings = new CopyOnWriteArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final Thread thread;

  ScriptedGateway(Path socket, Script... scripts) throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    thread = new Thread(() -> playAll(List.of(scripts)), "scripted-gateway");
    thread.start();
  }

  private void playAll(List<Script> scripts) {
    try {
      for (Script script : scripts) {
        try (SocketChannel channel = server.accept()) {
          Peer peer = new Peer(channel);
          openings.add(opening(peer));
          script.play(peer);
        }
      }
    } catch (ClosedChannelException e) {
      openings.add(List.of());
    } catch (IOException | RuntimeException | AssertionError e) {
      failures.add(e);
    }
  }

  private static List<Frame> opening(Peer peer) throws IOException {
    List<Frame> frames = new ArrayList<>();
    Frame frame = peer.receive();
    while (frame.type() != Frames.GO) {
      frames.add(frame);
      frame = peer.receive();
    }
    if (frames.isEmpty()) {
      throw new EOFException("an opening without a hello");
    }
    return frames;
  }

  /** The openings in the order of the connections, without the final go. */
  List<List<Frame>> openings() {
    return openings;
  }

  /** Waits for the scripts to end and tells what went wrong in them. */
  @Override
  public void close() throws IOException, InterruptedException {
    thread.join(10_000);
    server.close();
    thread.join();
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.get(0));
    }
  }
}
