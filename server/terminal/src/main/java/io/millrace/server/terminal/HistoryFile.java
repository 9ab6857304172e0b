package io.millrace.server.terminal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The file of a history, to which several sessions add at a time. It is changed in its place, under
 * a lock: what a link leads to stays what it is, and another session's line is not lost.
 *
 * <p>Only a regular file is one. Who has made it a link to /dev/null wants none; to read a pipe
 * would be to wait for somebody who writes.
 */
final class HistoryFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private static final int LOCK_TRIES = 1000;
  private static final long LOCK_PAUSE_NANOS = 1_000_000;

  private final Path path;

  HistoryFile(Path path) {
    this.path = path;
  }

  /**
   * The last entries. The file is made when it is not there, and is cut down to them.
   *
   * @throws IOException when it is no regular file, or cannot be read and written
   */
  List<String> read(int most) throws IOException {
    if (Files.exists(path)) {
      checkRegular();
      if (!Files.isSymbolicLink(path)) {
        Files.setPosixFilePermissions(path, OWNER_ONLY);
      }
    }
    try (FileChannel file = open(StandardOpenOption.READ, StandardOpenOption.CREATE)) {
      boolean alone = lock(file);
      byte[] bytes = Channels.newInputStream(file).readAllBytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      List<String> entries = HistoryForm.read(text);
      List<String> last = entries.subList(Math.max(0, entries.size() - most), entries.size());
      boolean asItMustBe = last.size() == entries.size() && HistoryForm.is(text);
      if (!asItMustBe && (alone || text.isEmpty())) {
        replace(file, HistoryForm.write(last));
      }
      return last;
    }
  }

  /**
   * Adds an entry.
   *
   * @throws IOException when it is not there any more, is no regular file, or cannot be written
   */
  void add(String entry) throws IOException {
    checkRegular();
    try (FileChannel file = open(StandardOpenOption.APPEND)) {
      lock(file);
      write(file, HistoryForm.line(entry));
    }
  }

  private void checkRegular() throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is no regular file");
    }
  }

  private FileChannel open(OpenOption... how) throws IOException {
    Set<OpenOption> options = new HashSet<>(List.of(how));
    options.add(StandardOpenOption.WRITE);
    return FileChannel.open(path, options, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
  }

  /**
   * Waits for other sessions, which take no time to speak of. The lock ends with the channel.
   *
   * @return false when there is no lock to be had, as on some file servers: adding is safe then,
   *     cutting down is not
   */
  private static boolean lock(FileChannel file) {
    for (int i = 0; i < LOCK_TRIES; i++) {
      try {
        FileLock lock = file.tryLock();
        if (lock != null) {
          return true;
        }
      } catch (OverlappingFileLockException e) {
        // Another session of this very process has it.
      } catch (IOException e) {
        return false;
      }
      LockSupport.parkNanos(LOCK_PAUSE_NANOS);
    }
    return false;
  }

  /** The old end goes last: whoever dies before has lost nothing. */
  private static void replace(FileChannel file, String text) throws IOException {
    file.position(0);
    write(file, text);
    file.truncate(file.position());
  }

  private static void write(FileChannel file, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }
}
