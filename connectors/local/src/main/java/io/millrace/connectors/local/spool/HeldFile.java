package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file that one part of one process has locked; the kernel gives it free when the process dies.
 */
public final class HeldFile implements AutoCloseable {

  /**
   * Those of this process. A lock of a file is one of the process, and gone as soon as any part of
   * the process closes that file: a part that does not get it must not even open it.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel file;

  private HeldFile(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Locks a file, which is made when there is none.
   *
   * @param path in a folder that is there
   * @return empty when another process or another part of this one has it
   * @throws IOException when it is somebody else's, or a symbolic link
   */
  public static Optional<HeldFile> take(Path path) throws IOException {
    Path real = path.toAbsolutePath().getParent().toRealPath().resolve(path.getFileName());
    if (!HERE.add(real)) {
      return Optional.empty();
    }
    FileChannel file = null;
    HeldFile held = null;
    try {
      file = LockFile.open(real);
      held = file.tryLock() == null ? null : new HeldFile(real, file);
      return Optional.ofNullable(held);
    } finally {
      if (held == null) {
        if (file != null) {
          file.close();
        }
        HERE.remove(real);
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (!file.isOpen()) {
      return; // another part may have it by now
    }
    try {
      file.close();
    } finally {
      HERE.remove(path);
    }
  }
}
