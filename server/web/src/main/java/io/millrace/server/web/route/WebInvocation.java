package io.millrace.server.web.route;

import io.millrace.server.gateway.session.FileTooLargeException;
import io.millrace.server.gateway.session.OfflineInvocation;
import io.millrace.server.gateway.session.SharedBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A command whose files, input and output travel in one request and one answer. */
final class WebInvocation extends OfflineInvocation {

  /** What an answer may hold of output and files together. */
  static final int OUTPUT_BYTES_MAX = 8 << 20;

  /** More output than an answer may hold. */
  static final class TooMuchWebOutput extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** The output of all commands that run now takes all the memory there is for it. */
  static final class NoRoomForOutput extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Output is there in a buffer that grows, as text, and as the answer. */
  private static final int COPIES = 4;

  private final RouteRequest asked;
  private final String command;
  private final CommandBody body;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, WrittenFile> written = new LinkedHashMap<>();
  private final InputStream stdin;
  private final SharedBytes room;
  private long held;

  /** A file that the command wrote, for the caller to keep. */
  record WrittenFile(byte[] content, boolean append) {}

  /**
   * @param room in which its output is held until {@link #release}
   */
  WebInvocation(RouteRequest asked, String command, CommandBody body, SharedBytes room) {
    this.room = room;
    this.asked = asked;
    this.command = command;
    this.body = body;
    this.stdin = new ByteArrayInputStream(bytes(body.stdin()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String command() {
    return command;
  }

  @Override
  public List<String> args() {
    return body.arguments();
  }

  @Override
  public Map<String, String> environment() {
    return body.environment();
  }

  @Override
  public String directory() {
    return body.directory();
  }

  @Override
  public int umask() {
    return body.umask();
  }

  @Override
  public String user() {
    return asked.principal().user();
  }

  @Override
  public String group() {
    return asked.principal().group();
  }

  /** Asked once for a command: the name has to be looked up. */
  @Override
  public String host() {
    return PeerNames.host(asked.peer());
  }

  @Override
  public UUID commandId() {
    return asked.commandId();
  }

  /** The key may be one that was used before. */
  @Override
  public boolean repeated() {
    return true;
  }

  @Override
  public void out(String text) {
    keep(out, text);
  }

  @Override
  public void err(String text) {
    keep(err, text);
  }

  private void keep(ByteArrayOutputStream where, String text) {
    byte[] bytes = bytes(text);
    hold(bytes.length);
    where.writeBytes(bytes);
  }

  private void hold(long bytes) {
    if (held + bytes > OUTPUT_BYTES_MAX) {
      throw new TooMuchWebOutput();
    }
    if (!room.take(COPIES * bytes)) {
      throw new NoRoomForOutput();
    }
    held += bytes;
  }

  void release() {
    room.give(COPIES * held);
    held = 0;
  }

  @Override
  public byte[] readFile(String path, int maxBytes) throws IOException {
    byte[] content = content(path);
    if (content.length > maxBytes) {
      throw new FileTooLargeException(path, maxBytes);
    }
    return content;
  }

  @Override
  public InputStream openFile(String path) throws IOException {
    return new ByteArrayInputStream(content(path));
  }

  private byte[] content(String path) throws IOException {
    String content = body.files().get(path);
    if (content == null) {
      throw new IOException("No such file or directory");
    }
    return bytes(content);
  }

  @Override
  public InputStream stdin() {
    return stdin;
  }

  @Override
  public void writeFile(String path, byte[] content, boolean append) {
    hold(content.length);
    WrittenFile before = written.get(path);
    if (append && before != null) {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.writeBytes(before.content());
      whole.writeBytes(content);
      written.put(path, new WrittenFile(whole.toByteArray(), before.append()));
    } else {
      written.put(path, new WrittenFile(content, append));
    }
  }

  String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  Map<String, WrittenFile> written() {
    return written;
  }
}
