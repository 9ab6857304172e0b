package io.millrace.server.web.credential;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that its owner alone can read, replaced in one step, which is on the disk when it is over:
 * after a power cut no token may be good again that was revoked.
 */
final class PrivateFile {

  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path path;
  private Object seen;
  private String content;

  PrivateFile(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * The content now; read again when another file has taken the place.
   *
   * @throws NoSuchFileException when there is none
   * @throws IOException in one line when others could have read or written it
   */
  synchronized String read() throws IOException {
    PosixFileAttributes now =
        Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    check(now);
    Object mark = now.fileKey() + " " + now.lastModifiedTime() + " " + now.size();
    if (!mark.equals(seen)) {
      content = Files.readString(path, StandardCharsets.UTF_8);
      seen = mark;
    }
    return content;
  }

  private void check(PosixFileAttributes file) throws IOException {
    if (!file.isRegularFile()) {
      throw new IOException(path + " is no regular file");
    }
    if (!OWNERS.containsAll(file.permissions())) {
      throw new IOException(
          path
              + " must have mode 0600, not "
              + PosixFilePermissions.toString(file.permissions())
              + ": others could have read it; make new keys");
    }
    UserPrincipal folder = Files.getOwner(path.getParent());
    if (!file.owner().equals(folder)) {
      throw new IOException(
          path + " belongs to " + file.owner() + ", its folder to " + folder + ": refused");
    }
  }

  /** Makes a file that was not there; nothing that somebody put in its place is touched. */
  static void make(Path fresh, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNERS))) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      UserPrincipal owner = Files.getOwner(fresh.getParent());
      PosixFileAttributeView view =
          Files.getFileAttributeView(
              fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      if (!view.getOwner().equals(owner)) {
        view.setOwner(owner);
      }
      channel.force(true);
    }
  }

  /** Replaces the content; the file belongs to whom its folder belongs. */
  synchronized void write(String text) throws IOException {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    make(fresh, text);
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
