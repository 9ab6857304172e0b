package io.millrace.ops.backup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The form of a backup: names of its first and last entry, and the number of the form. */
final class Archive {

  static final String ABOUT = "millrace-backup.properties";
  static final String LIST = "millrace-backup.list";
  static final String FORM = "1";
  static final int PIECE = 1 << 16;

  /** Begin of a zstd frame, and of one that is passed over by whoever reads the content. */
  static final int MAGIC = 0xFD2FB528;

  private static final int PASSED_OVER = 0x184D2A5B;
  private static final int DIGEST_BYTES = 32;

  /** Length of {@link #seal}. */
  static final int SEAL_BYTES = 2 * Integer.BYTES + DIGEST_BYTES;

  private Archive() {}

  /** The end of a file: the digest of all before it, in a frame of its own. */
  static byte[] seal(byte[] digest) {
    return ByteBuffer.allocate(SEAL_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(PASSED_OVER)
        .putInt(DIGEST_BYTES)
        .put(digest)
        .array();
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
