package io.millrace.ops.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * Short files that must survive crashes. They are replaced atomically once the new text is on disk,
 * so that after a full disk, a kill or a power cut either the old or the new text is there.
 */
public final class SmallFile {

  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rw-------");

  private SmallFile() {}

  /** Writes a text unless the file has it already. An existing file keeps its mode. */
  public static void write(Path file, String text) throws IOException {
    boolean there = Files.exists(file);
    // An administrator may have replaced the file by a link.
    Path real = there ? file.toRealPath() : file;
    if (!there) {
      replace(real, text, null);
    } else if (!Arrays.equals(Files.readAllBytes(real), text.getBytes(StandardCharsets.UTF_8))) {
      replace(real, text, Files.getPosixFilePermissions(real));
    }
  }

  /**
   * Writes a text with these permissions, which hold from the moment the file exists, unless the
   * file has both already: one that is newer than a part is read as a reason to start it again.
   */
  public static void write(Path file, String text, String permissions) throws IOException {
    Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
    boolean same =
        Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
            && Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).equals(wanted)
            && Arrays.equals(Files.readAllBytes(file), text.getBytes(StandardCharsets.UTF_8));
    if (!same) {
      replace(file, text, wanted);
    }
  }

  /**
   * @param permissions null for those of any new file
   */
  private static void replace(Path file, String text, Set<PosixFilePermission> permissions)
      throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    FileAttribute<?>[] first =
        permissions == null
            ? new FileAttribute<?>[0]
            : new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNERS)};
    try {
      Set<OpenOption> options =
          Set.of(
              StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      try (FileChannel channel = FileChannel.open(fresh, options, first)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        if (permissions != null) {
          Files.setPosixFilePermissions(fresh, permissions);
        }
        channel.force(true);
      }
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    force(file.toAbsolutePath().getParent());
  }

  /** Forces a folder's directory entries to disk. */
  public static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
