package io.millrace.connectors.forward;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/**
 * By what the runs that were ordered with a spool are told from those of others in the outside
 * system. It stands in a file of the spool, which a backup leaves out: numbers of jobs are given
 * again after a restore, and what has run under them before is not theirs.
 */
final class SpoolMark {

  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
  private static final String SIGNS = LETTERS + "0123456789";
  private static final int LENGTH = 6;

  private SpoolMark() {}

  /**
   * The mark of a spool, which is made when it has none.
   *
   * @throws IOException also when what stands in the file is none
   */
  static String of(Path spool) throws IOException {
    Path file = spool.resolve("mark");
    if (!Files.exists(file)) {
      write(file, fresh() + "\n");
    }
    String mark = Files.readString(file, StandardCharsets.US_ASCII).strip();
    if (!mark.matches("[a-z][a-z0-9]{5}")) {
      throw new IOException(
          file + " is damaged: remove it, and runs that are ordered from then on get another mark");
    }
    return mark;
  }

  private static String fresh() {
    SecureRandom random = new SecureRandom();
    StringBuilder mark = new StringBuilder();
    while (mark.length() < LENGTH) {
      String signs = mark.length() == 0 ? LETTERS : SIGNS;
      mark.append(signs.charAt(random.nextInt(signs.length())));
    }
    return mark.toString();
  }

  /** It is on the disk before a run gets it: one that is ordered again has to get the same. */
  private static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling("mark.new");
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
