package io.millrace.connectors.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that are there to be locked. They are their owner's alone: whoever can read one can hold a
 * lock on it against the owner, and folders above them are open to pass through.
 */
public final class LockFile {

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rw-------");

  private LockFile() {}

  /**
   * Opens a file for a lock and makes it when there is none; one that others could open is taken
   * from them.
   *
   * @throws IOException when it is somebody else's
   */
  public static FileChannel open(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNERS));
    try {
      if (!Files.getPosixFilePermissions(path).equals(OWNERS)) {
        Files.setPosixFilePermissions(path, OWNERS);
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }
}
