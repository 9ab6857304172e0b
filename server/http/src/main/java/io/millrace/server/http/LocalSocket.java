package io.millrace.server.http;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Unix sockets, and their files. */
public final class LocalSocket {

  /** Name of the socket at which a server tells gateways of its host answers. */
  public static final String ANSWERS = "answers.sock";

  private static final Logger LOG = LoggerFactory.getLogger(LocalSocket.class);

  private LocalSocket() {}

  /**
   * Listens there, with a file that is the own account's.
   *
   * @throws IOException in one line when a process listens there already, or nobody can
   */
  public static ServerSocketChannel listen(Path file) throws IOException {
    clear(file);
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(file));
      close(file);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw new IOException("cannot listen at " + file + ": " + e.getMessage(), e);
    }
  }

  /** Whether a process of this process's account or of root is at the other end. */
  public static boolean isOwn(SocketChannel channel) throws IOException {
    UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    return peer != null && new OwnAccount().covers(peer.user());
  }

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
  public static void remove(Path file) {
    if (!file.toFile().delete()) {
      LOG.debug("{} stays", file);
    }
  }

  /** Others get no connection at all; who slips in before this is refused by {@link OwnAccount}. */
  static void close(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
