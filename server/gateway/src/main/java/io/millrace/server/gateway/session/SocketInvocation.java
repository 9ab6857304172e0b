package io.millrace.server.gateway.session;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An invocation whose client speaks in frames: turns calls into requests to the client. */
final class SocketInvocation implements Invocation {
  private static final int PIECE = 64 * 1024;
  private static final int OUTPUT_FRAME = 16 * 1024;
  private static final byte[] NOTHING = new byte[0];

  /** Longest standard input that is kept in memory; longer input is read line by line. */
  private static final long INPUT_KEPT = 1 << 20;

  private final FrameChannel socket;
  private final PeerIdentity caller;
  private final Opening opening;
  private final SessionLimits limits;
  private final SessionTimeouts timeouts;
  private final SessionRoom room;
  private final SessionSlot seat;
  private final boolean[] handleUsed = new boolean[Frames.HANDLES];
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private final InputStream stdin;
  private int pendingType = Frames.OUT;
  private boolean streaming;
  private boolean gone;

  SocketInvocation(
      FrameChannel socket,
      PeerIdentity caller,
      Opening opening,
      SessionLimits limits,
      SessionRoom room,
      SessionSlot seat) {
    this.socket = socket;
    this.caller = caller;
    this.opening = opening;
    this.limits = limits;
    this.timeouts = limits.timeouts();
    this.room = room;
    this.seat = seat;
    this.stdin = new RequestedStream(new StdinSource());
  }

  @Override
  public String command() {
    return opening.hello().command();
  }

  @Override
  public List<String> args() {
    return opening.args();
  }

  @Override
  public Map<String, String> environment() {
    return opening.environment();
  }

  @Override
  public String directory() {
    return opening.directory();
  }

  @Override
  public int umask() {
    return opening.hello().umask();
  }

  @Override
  public String user() {
    return caller.user();
  }

  @Override
  public String group() {
    return caller.group();
  }

  @Override
  public String host() {
    return caller.host().get();
  }

  @Override
  public UUID commandId() {
    return opening.hello().commandId();
  }

  @Override
  public boolean stdinIsTerminal() {
    return (opening.hello().flags() & Frames.STDIN_TERMINAL) != 0;
  }

  @Override
  public boolean stdoutIsTerminal() {
    return (opening.hello().flags() & Frames.STDOUT_TERMINAL) != 0;
  }

  @Override
  public int columns() {
    return opening.hello().columns();
  }

  @Override
  public void lasts() throws GatewayBusyException {
    if (!seat.last()) {
      throw new GatewayBusyException(
          "the gateway serves "
              + limits.lastingPerUser()
              + " commands at once of one user that may last for hours, and "
              + limits.lasting()
              + " of all, which is the most; try again when some have ended");
    }
  }

  @Override
  public void out(String text) {
    output(Frames.OUT, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void err(String text) {
    output(Frames.ERR, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void print(byte[] bytes, boolean error) {
    output(error ? Frames.ERR : Frames.OUT, bytes);
  }

  private void output(int type, byte[] bytes) {
    guarded(
        () -> {
          if (type != pendingType || pending.size() >= OUTPUT_FRAME) {
            framePending();
          }
          pendingType = type;
          pending.writeBytes(bytes);
          if (streaming) {
            flush();
          }
        });
  }

  private void framePending() throws IOException {
    byte[] bytes = pending.toByteArray();
    for (int at = 0; at < bytes.length; at += Frames.PAYLOAD_MAX) {
      socket.send(pendingType, bytes, at, Math.min(Frames.PAYLOAD_MAX, bytes.length - at));
    }
    pending.reset();
  }

  private void flush() throws IOException {
    framePending();
    socket.flush();
  }

  @Override
  public void streaming() {
    if (!streaming) {
      streaming = true;
      guarded(
          () -> {
            framePending();
            socket.send(Frames.COMMIT, NOTHING);
            socket.flush();
          });
    }
  }

  @Override
  public void note(String line) {
    tell(Frames.NOTE, line);
  }

  @Override
  public void underWay(UUID id) {
    tell(Frames.UNDER_WAY, id.toString());
  }

  @Override
  public boolean repeated() {
    return (opening.hello().flags() & Frames.WAS_UNDER_WAY) != 0;
  }

  private void tell(int type, String text) {
    guarded(
        () -> {
          framePending();
          socket.send(type, text.getBytes(StandardCharsets.UTF_8));
          socket.flush();
        });
  }

  @Override
  public byte[] readFile(String path, int maxBytes) throws IOException {
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes: " + maxBytes);
    }
    byte[] name = pathBytes(path);
    byte[] request = ByteBuffer.allocate(4 + name.length).putInt(maxBytes).put(name).array();
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    FrameChannel.Frame answer = ask(Frames.READ_FILE, request, timeouts.answer());
    boolean kept = room.input(0);
    while (answer.type() == Frames.CHUNK) {
      if (answer.payload().length > maxBytes - content.size()) {
        throw breach("more of a file than was asked for");
      }
      kept = kept && room.input(content.size() + answer.payload().length);
      if (kept) {
        content.writeBytes(answer.payload());
      }
      answer = next(timeouts.answer()); // the answer comes even if it is not wanted any more
    }
    if (!kept) {
      throw noRoom();
    }
    return switch (answer.type()) {
      case Frames.END -> content.toByteArray();
      case Frames.TOO_LARGE -> throw new FileTooLargeException(path, maxBytes);
      default -> throw failure(answer);
    };
  }

  @Override
  public InputStream openFile(String path) throws IOException {
    int handle = 0;
    while (handle < handleUsed.length && handleUsed[handle]) {
      handle++;
    }
    if (handle == handleUsed.length) {
      throw new IOException("Too many open files");
    }
    byte[] name = pathBytes(path);
    byte[] request = ByteBuffer.allocate(1 + name.length).put((byte) handle).put(name).array();
    FrameChannel.Frame answer = ask(Frames.OPEN_FILE, request, timeouts.answer());
    if (answer.type() != Frames.DONE) {
      throw failure(answer);
    }
    handleUsed[handle] = true;
    return new RequestedStream(new FileSource(handle));
  }

  @Override
  public InputStream stdin() {
    return stdin;
  }

  @Override
  public void writeFile(String path, byte[] content, boolean append) throws IOException {
    byte[] name = pathBytes(path);
    byte mode = (byte) (append ? 1 : 0);
    byte[] request = ByteBuffer.allocate(1 + name.length).put(mode).put(name).array();
    guarded(
        () -> {
          framePending();
          socket.send(Frames.WRITE_BEGIN, request);
          for (int at = 0; at < content.length; at += Frames.PAYLOAD_MAX) {
            int length = Math.min(Frames.PAYLOAD_MAX, content.length - at);
            socket.send(Frames.WRITE_PART, content, at, length);
          }
        });
    FrameChannel.Frame answer = ask(Frames.WRITE_END, NOTHING, timeouts.answer());
    if (answer.type() != Frames.DONE) {
      throw failure(answer);
    }
  }

  @Override
  public boolean servesTerminal() {
    return (opening.hello().flags() & Frames.SERVES_TERMINAL) != 0;
  }

  @Override
  public String listen() throws IOException {
    FrameSocket.Frame answer = ask(Frames.LISTEN, NOTHING, timeouts.answer());
    if (answer.type() != Frames.CHUNK) {
      throw failure(answer);
    }
    return new String(answer.payload(), StandardCharsets.UTF_8);
  }

  @Override
  public void attend(String jobId) {
    streaming();
    guarded(
        () -> {
          socket.send(Frames.ATTEND, jobId.getBytes(StandardCharsets.UTF_8));
          socket.flush();
        });
  }

  @Override
  public boolean clientGone() {
    gone = gone || socket.peerClosed();
    return gone;
  }

  /** Sends all output that is still held, then the exit status. */
  void exit(int status) throws IOException {
    framePending();
    socket.send(Frames.EXIT, new byte[] {(byte) status});
    socket.flush();
  }

  /** Whether the connection was found broken. */
  boolean gone() {
    return gone;
  }

  private static byte[] pathBytes(String path) throws IOException {
    byte[] name = path.getBytes(StandardCharsets.UTF_8);
    if (path.isEmpty()) {
      throw new IOException("No such file or directory");
    }
    if (path.indexOf('\0') >= 0) {
      throw new IOException("Invalid argument");
    }
    if (name.length > Frames.PAYLOAD_MAX - 8) {
      throw new IOException("File name too long");
    }
    return name;
  }

  private FrameChannel.Frame ask(int type, byte[] request, Duration limit) {
    guarded(
        () -> {
          framePending();
          socket.send(type, request);
          socket.flush();
        });
    return next(limit);
  }

  private FrameChannel.Frame next(Duration limit) {
    FrameChannel.Frame[] frame = new FrameChannel.Frame[1];
    guarded(() -> frame[0] = socket.receive(limit));
    return frame[0];
  }

  private byte[] piece(int type, byte[] request, int most, Duration limit) throws IOException {
    FrameChannel.Frame answer = ask(type, request, limit);
    if (answer.type() == Frames.END) {
      return NOTHING;
    }
    if (answer.type() != Frames.CHUNK) {
      throw failure(answer);
    }
    if (answer.payload().length == 0 || answer.payload().length > most) {
      throw breach("a piece of " + answer.payload().length + " bytes, asked for " + most);
    }
    return answer.payload();
  }

  private static IOException noRoom() {
    return new IOException(
        "the commands that run here have all the memory that there is for scripts; try again when"
            + " some have ended");
  }

  private IOException failure(FrameChannel.Frame answer) {
    if (answer.type() == Frames.ERROR) {
      return new IOException(new String(answer.payload(), StandardCharsets.UTF_8));
    }
    throw breach("frame type " + answer.type() + " is no answer");
  }

  private ClientGoneException breach(String what) {
    gone = true;
    return new ClientGoneException(what, new ProtocolException(what));
  }

  /** An exchange with the client; its failure means that the client is gone. */
  private interface Exchange {
    void run() throws IOException;
  }

  private void guarded(Exchange exchange) {
    if (gone) {
      throw new ClientGoneException("the client is gone", new IOException("the client is gone"));
    }
    try {
      exchange.run();
    } catch (IOException e) {
      gone = true;
      throw new ClientGoneException(e.getMessage(), e);
    }
  }

  private final class StdinSource implements RequestedStream.PieceSource {
    private long read;

    @Override
    public byte[] next() throws IOException {
      byte[] request = ByteBuffer.allocate(4).putInt(PIECE).array();
      byte[] piece = piece(Frames.READ_STDIN, request, PIECE, timeouts.input());
      read += piece.length;
      if (!room.input(Math.min(read, INPUT_KEPT))) {
        throw noRoom();
      }
      return piece;
    }

    @Override
    public void close() {
      // The client keeps its own standard input open until it exits.
    }
  }

  private final class FileSource implements RequestedStream.PieceSource {
    private final byte handle;

    FileSource(int handle) {
      this.handle = (byte) handle;
    }

    @Override
    public byte[] next() throws IOException {
      byte[] request = ByteBuffer.allocate(5).put(handle).putInt(PIECE).array();
      return piece(Frames.READ_CHUNK, request, PIECE, timeouts.answer());
    }

    @Override
    public void close() {
      handleUsed[handle] = false;
      if (!gone) {
        guarded(() -> socket.send(Frames.CLOSE_FILE, new byte[] {handle}));
      }
    }
  }
}
