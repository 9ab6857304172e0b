package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that exist to be locked. Only the owner may open them: whoever can read such a file can
 * lock it against the owner, and the folders above can be passed through by everybody.
 */
public final class LockFile {

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rw-------");

  private static final String USER = "unix:uid";
  private static final Integer ROOT = 0;

  private LockFile() {}

  /**
   * Opens a file for a lock and makes it when there is none, root for the owner of its folder; the
   * mode of one that others could open is corrected.
   *
   * @throws IOException when it is somebody else's, or a symbolic link
   */
  public static FileChannel open(Path path) throws IOException {
    FileChannel file = opened(path);
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

  private static FileChannel opened(Path path) throws IOException {
    while (true) {
      try {
        return FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException e) {
        try {
          return made(path);
        } catch (FileAlreadyExistsException other) {
          // Another process has made the file meanwhile.
        }
      }
    }
  }

  private static FileChannel made(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNERS));
    try {
      Object folder = Files.getAttribute(path.toAbsolutePath().getParent(), USER);
      // A file that stays root's could never be opened by the owner of the folder.
      if (Files.getAttribute(path, USER, LinkOption.NOFOLLOW_LINKS).equals(ROOT)) {
        Files.setAttribute(path, USER, folder, LinkOption.NOFOLLOW_LINKS);
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }
}
