package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Released run directories that are used again. A file system such as ext4 passes over inodes that
 * were deleted in the last minute when it makes a new one: with hundreds of runs a second, each
 * with a handful of files, that was half of the cost of a start.
 */
final class SpareRunDirectories {
  private static final int SPARE_MAX = 256;

  private final Path home;
  private final Deque<Path> spare = new ArrayDeque<>();
  private long made;

  SpareRunDirectories(Path home) {
    this.home = home;
  }

  /**
   * Keeps a directory that was renamed. Its request is invalidated first: a late supervisor that
   * does not find the outcome must not find a request either.
   *
   * @return false when there are enough
   */
  boolean put(Path directory) throws IOException {
    Path place;
    synchronized (this) {
      if (spare.size() >= SPARE_MAX) {
        return false;
      }
      place = home.resolve(Long.toString(++made));
    }
    try (FileChannel request =
        FileChannel.open(directory.resolve("request"), StandardOpenOption.WRITE)) {
      request.write(ByteBuffer.wrap(new byte[] {0}), 0);
    } catch (NoSuchFileException e) {
      return false;
    }
    for (Path file : Spool.list(directory)) {
      if (!isKept(file)) {
        Files.deleteIfExists(file);
      }
    }
    keepForLater(directory, "outcome");
    keepForLater(directory, "started");
    Files.move(directory, place, StandardCopyOption.ATOMIC_MOVE);
    synchronized (this) {
      spare.push(place);
    }
    return true;
  }

  /** Moves a spare directory to this path; false when there is none. */
  boolean take(Path draft) throws IOException {
    Path place;
    synchronized (this) {
      place = spare.poll();
    }
    if (place == null) {
      return false;
    }
    Files.move(place, draft, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }

  private static boolean isKept(Path file) {
    return file.endsWith("request") || file.endsWith("outcome") || file.endsWith("started");
  }

  /** Renames a file to a name under which the next supervisor writes over it. */
  private static void keepForLater(Path directory, String name) throws IOException {
    Path file = directory.resolve(name);
    if (Files.exists(file)) {
      Files.move(file, directory.resolve(name + ".tmp"), StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
