package io.millrace.ops.backup;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Format of a backup: names of its first and last entry, and the format's number. */
final class Archive {

  static final String ABOUT = "millrace-backup.properties";
  static final String LIST = "millrace-backup.list";
  static final String FORM = "1";
  static final int PIECE = 1 << 16;

  /** Magic number of a zstd frame, and of a skippable frame, which decompressors pass over. */
  static final int MAGIC = 0xFD2FB528;

  private static final int PASSED_OVER = 0x184D2A5B;
  private static final int DIGEST_BYTES = 32;

  /** Length of {@link #seal}. */
  static final int SEAL_BYTES = 2 * Integer.BYTES + DIGEST_BYTES;

  private Archive() {}

  /** The seal at the end of a file: a frame of its own with the digest of everything before it. */
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
