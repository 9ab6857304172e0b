package io.millrace.server.web.credential;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each credential that was refused, in a file of bounded size with some older ones
 * beside it. No line holds a credential, or what somebody else chose without bound.
 */
public final class AuditLog implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final int PATH_CHARS_MAX = 120;

  private final Path file;
  private final long bytesMax;
  private final int older;
  private final Clock clock;
  private FileChannel channel;

  /**
   * @param bytesMax size at which a new file is begun
   * @param older files that are kept beside it
   */
  public AuditLog(Path file, long bytesMax, int older, Clock clock) throws IOException {
    this.file = file;
    this.bytesMax = bytesMax;
    this.older = older;
    this.clock = clock;
    this.channel = open();
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
  }

  /** Writes down a refusal. A disk that does not take it changes nothing about the refusal. */
  public synchronized void refused(CredentialRefused why, AuthenticationRequest request) {
    String line =
        clock.instant()
            + " refused kind="
            + why.kind().word()
            + " reason="
            + why.reason()
            + " peer="
            + request.peer()
            + " request="
            + plain(request.method())
            + ","
            + plain(path(request.target()))
            + "\n";
    try {
      if (!channel.isOpen()) {
        channel = open();
      }
      if (channel.size() + line.length() > bytesMax) {
        rotate();
      }
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      LOG.error("{} cannot be written: {}; {}", file, e.getMessage(), line.strip());
    }
  }

  /** The old file stays in use until there is a new one: a line in it is better than none. */
  private void rotate() {
    try {
      begin();
    } catch (IOException e) {
      LOG.error("{} grows beyond {} bytes: {}", file, bytesMax, e.toString());
    }
  }

  private void begin() throws IOException {
    for (int i = older; i >= 1; i--) {
      Path from = i == 1 ? file : numbered(i - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    try (FileChannel old = channel) {
      channel = open();
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /** What stands behind the question mark is nobody's business here. */
  private static String path(String target) {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), PATH_CHARS_MAX); i++) {
      char c = text.charAt(i);
      plain.append(c > ' ' && c < 127 && c != ',' && c != '"' ? c : '_');
    }
    return plain.toString();
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
  }
}
