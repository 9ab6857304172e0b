package io.millrace.server.gateway.session;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The socket's file and its lock. The lock beside it tells a live gateway from a dead one's
 * leftovers; the file appears with its final rights in one step.
 */
final class SocketFile implements AutoCloseable {
  private static final int PATH_MAX = 107;
  private static final int BACKLOG = 1024;
  private static final String NEW = ".new";

  private final Path path;
  private final FileChannel lockFile;
  private final ServerSocketChannel server;

  private SocketFile(Path path, FileChannel lockFile, ServerSocketChannel server) {
    this.path = path;
    this.lockFile = lockFile;
    this.server = server;
  }

  /**
   * Makes the directory when there is none, takes the lock, and listens.
   *
   * @throws IOException with one line that says why this gateway cannot listen there
   */
  static SocketFile take(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    int length = absolute.toString().getBytes(StandardCharsets.UTF_8).length + NEW.length();
    if (length > PATH_MAX) {
      throw new IOException(
          "socket path longer than " + (PATH_MAX - NEW.length()) + " bytes: " + absolute);
    }
    Path directory = absolute.getParent();
    prepare(directory);
    FileChannel lockFile = lock(absolute);
    try {
      if (answers(absolute)) {
        throw new IOException("another gateway answers at " + absolute);
      }
      return new SocketFile(absolute, lockFile, listen(absolute));
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  /**
   * Others must reach the socket and must not be able to replace it. An existing directory that
   * others can write to, such as /tmp, is refused, not changed.
   */
  private static void prepare(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    } else if (othersMayWrite(Files.getPosixFilePermissions(directory))) {
      throw new IOException(
          "others may write in "
              + directory
              + " and could put a socket of their own there;"
              + " use a directory of the gateway's user with mode 0755");
    }
    Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxr-xr-x");
    if (!Files.getPosixFilePermissions(directory).equals(open)) {
      Files.setPosixFilePermissions(directory, open);
    }
  }

  private static boolean othersMayWrite(Set<PosixFilePermission> permissions) {
    return permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Only the owner may open the lock's file: a reader could lock it against the gateway. */
  private static FileChannel lock(Path path) throws IOException {
    Path name = path.resolveSibling(path.getFileName() + ".lock");
    FileChannel file =
        FileChannel.open(
            name,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    FileLock lock = null;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new IOException("another gateway of this process listens at " + path, e);
    } finally {
      if (lock == null) {
        file.close();
      }
    }
    if (lock == null) {
      throw new IOException("another gateway listens at " + path);
    }
    return file;
  }

  private static boolean answers(Path path) throws IOException {
    if (!Files.exists(path)) {
      return false;
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      return probe.connect(UnixDomainSocketAddress.of(path));
    } catch (IOException e) {
      return false; // nobody listens: a dead gateway left the file
    }
  }

  private static ServerSocketChannel listen(Path path) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + NEW);
    Files.deleteIfExists(fresh);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(fresh), BACKLOG);
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-rw-rw-"));
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  ServerSocketChannel server() {
    return server;
  }

  Path path() {
    return path;
  }

  /** Stops listening and releases the lock for the next gateway. */
  @Override
  public void close() throws IOException {
    try {
      server.close();
      Files.deleteIfExists(path);
    } finally {
      lockFile.close();
    }
  }
}
