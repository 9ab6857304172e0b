package io.millrace.server.http;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of a Unix socket. */
final class LocalSocket {

  private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);

  private LocalSocket() {}

  /**
   * Removes the file that a killed process has left.
   *
   * @throws IOException in one line when a process still listens there, or it is no socket
   */
  static void clear(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(file)) {
      throw new IOException("cannot listen at " + file + ": it is no socket");
    }
    if (answers(file)) {
      throw new IOException("cannot listen at " + file + ": another process does");
    }
    Files.deleteIfExists(file);
  }

  /** Whether a process listens there. */
  static boolean answers(Path file) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false; // its process is gone
    }
  }

  /** Removes the file of a socket that is closed; one that stays is cleared by the next start. */
  static void remove(Path file) {
    if (!file.toFile().delete()) {
      LOG.debug("{} stays", file);
    }
  }

  /** Others get no connection at all; who slips in before this is refused by {@link OwnAccount}. */
  static void close(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
