package io.millrace.server.client;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** One run of the invocation over one connection: serves requests until the exit status. */
final class Conversation {
  /** Result of {@link #run}: the gateway has no room now. */
  static final int TURNED_AWAY = -2;

  private static final byte[] NOTHING = new byte[0];
  private final GatewayLink gateway;
  private final HeldOutput output;
  private final LocalFiles files;
  private final OpenOutcome outcome;
  private FileToWrite writing;
  private String reason = "";

  Conversation(GatewayLink gateway, HeldOutput output, LocalFiles files, OpenOutcome outcome) {
    this.outcome = outcome;
    this.gateway = gateway;
    this.output = output;
    this.files = files;
  }

  /** Why the gateway turned this invocation away. */
  String reason() {
    return reason;
  }

  /**
   * The exit status 0 to 255, or {@link #TURNED_AWAY}.
   *
   * @throws IOException when the connection broke before the end
   */
  int run(Bytes opening) throws IOException {
    sendOpening(opening);
    while (true) {
      gateway.receive();
      byte[] payload = gateway.payload();
      if (payload.length < least(gateway.type())) {
        throw unknown();
      }
      switch (gateway.type()) {
        case Frames.OUT:
        case Frames.ERR:
          output.add(gateway.type(), payload);
          break;
        case Frames.COMMIT:
          output.commit();
          break;
        case Frames.NOTE:
          outcome.note(Bytes.text(payload, 0));
          break;
        case Frames.UNDER_WAY:
          outcome.underWay(Bytes.text(payload, 0));
          break;
        case Frames.EXIT:
          output.commit();
          return payload[0] & 0xff;
        case Frames.BUSY:
          reason = Bytes.text(payload, 0);
          return TURNED_AWAY;
        default:
          serve(gateway.type(), payload);
          break;
      }
    }
  }

  /** A gateway that turns us away does not read on: its reason still waits to be received. */
  private void sendOpening(Bytes opening) {
    try {
      gateway.sendRaw(opening.array(), opening.length());
    } catch (IOException e) {
      reason = e.getMessage();
    }
  }

  private static int least(int type) {
    switch (type) {
      case Frames.READ_FILE:
      case Frames.READ_STDIN:
        return 4;
      case Frames.READ_CHUNK:
        return 5;
      case Frames.OPEN_FILE:
      case Frames.CLOSE_FILE:
      case Frames.WRITE_BEGIN:
      case Frames.EXIT:
      case Frames.UNDER_WAY:
        return 1;
      default:
        return 0;
    }
  }

  private ProtocolViolation unknown() {
    String type = (gateway.type() < 16 ? "0x0" : "0x") + Integer.toHexString(gateway.type());
    return new ProtocolViolation(
        "the gateway sent an unknown frame (type "
            + type
            + ", "
            + gateway.payload().length
            + " bytes)");
  }

  private void serve(int type, byte[] payload) throws IOException {
    switch (type) {
      case Frames.READ_FILE:
        readFile(Bytes.number(payload, 0), Bytes.text(payload, 4));
        break;
      case Frames.READ_STDIN:
        readInput(Bytes.number(payload, 0));
        break;
      case Frames.OPEN_FILE:
        openFile(payload[0] & 0xff, Bytes.text(payload, 1));
        break;
      case Frames.READ_CHUNK:
        readChunk(payload[0] & 0xff, Bytes.number(payload, 1));
        break;
      case Frames.CLOSE_FILE:
        files.closeHandle(payload[0] & 0xff);
        break;
      case Frames.WRITE_BEGIN:
        abandonWrite();
        writing = new FileToWrite(Bytes.text(payload, 1), payload[0] == 1);
        break;
      case Frames.WRITE_PART:
        if (writing == null) {
          throw unknown();
        }
        writing.add(payload);
        break;
      case Frames.WRITE_END:
        endWrite();
        break;
      default:
        throw unknown();
    }
  }

  private void readFile(int most, String path) throws IOException {
    long limit = most & 0xffffffffL;
    long total = 0;
    IOException failure = null;
    byte[] buffer = files.buffer();
    try (FileInputStream in = files.openToRead(path)) {
      int got = read(in, buffer);
      while (got > 0 && total + got <= limit) {
        total += got;
        gateway.send(Frames.CHUNK, buffer, got);
        got = read(in, buffer);
      }
      gateway.send(got > 0 ? Frames.TOO_LARGE : Frames.END, NOTHING, 0);
    } catch (UnreadableException e) {
      failure = e.reason();
    } catch (java.io.FileNotFoundException e) {
      failure = e;
    }
    if (failure != null) {
      sendFailure(failure);
    }
  }

  /** Tells a failure of the file from one of the connection. */
  private static int read(FileInputStream in, byte[] buffer) throws UnreadableException {
    try {
      return in.read(buffer);
    } catch (IOException e) {
      throw new UnreadableException(e);
    }
  }

  private void readInput(int most) throws IOException {
    int got;
    try {
      got = files.readInput(most);
    } catch (IOException e) {
      sendFailure(e);
      return;
    }
    sendRead(got);
  }

  private void openFile(int handle, String path) throws IOException {
    try {
      files.openHandle(handle, path);
    } catch (IOException e) {
      sendFailure(e);
      return;
    }
    gateway.send(Frames.DONE, NOTHING, 0);
  }

  private void readChunk(int handle, int most) throws IOException {
    int got;
    try {
      got = files.readHandle(handle, most);
    } catch (IOException e) {
      sendFailure(e);
      return;
    }
    sendRead(got);
  }

  private void sendRead(int got) throws IOException {
    if (got > 0) {
      gateway.send(Frames.CHUNK, files.buffer(), got);
    } else {
      gateway.send(Frames.END, NOTHING, 0);
    }
  }

  private void endWrite() throws IOException {
    if (writing == null) {
      throw unknown();
    }
    FileToWrite ended = writing;
    writing = null;
    try {
      ended.end();
    } catch (IOException e) {
      sendFailure(e);
      return;
    }
    gateway.send(Frames.DONE, NOTHING, 0);
  }

  /** Takes back a file that was being written when the connection broke. */
  void abandonWrite() {
    if (writing != null) {
      writing.abandon();
      writing = null;
    }
  }

  private void sendFailure(IOException failure) throws IOException {
    byte[] words = words(failure).getBytes(StandardCharsets.UTF_8);
    gateway.send(Frames.ERROR, words, words.length);
  }

  /** The system's words: what Java puts in parentheses behind the path, or instead of them. */
  static String words(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "Permission denied";
    }
    String message =
        failure instanceof FileSystemException
            ? ((FileSystemException) failure).getReason()
            : failure.getMessage();
    if (message == null) {
      return "Input/output error";
    }
    int from = message.lastIndexOf(" (");
    return from >= 0 && message.endsWith(")")
        ? message.substring(from + 2, message.length() - 1)
        : message;
  }

  /** A read of the file itself failed, not the connection. */
  private static final class UnreadableException extends Exception {
    private static final long serialVersionUID = 1L;
    private final IOException reason;

    UnreadableException(IOException reason) {
      super(reason);
      this.reason = reason;
    }

    IOException reason() {
      return reason;
    }
  }
}
