package io.millrace.server.web.event;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * How far each of the partitions was read: the offset of the next record. The text is short and
 * fits a header.
 */
final class Positions {

  private static final int BYTES_OF_OFFSET_MAX = 9;
  private static final int SEVEN_BITS = 7;

  private final long[] next;

  Positions(int partitions) {
    this.next = new long[partitions];
  }

  private Positions(long[] next) {
    this.next = next;
  }

  Positions copy() {
    return new Positions(next.clone());
  }

  long next(int partition) {
    return next[partition];
  }

  /** Never goes back. */
  void advance(int partition, long to) {
    next[partition] = Math.max(next[partition], to);
  }

  /** What was passed last was not. */
  void back(int partition, long to) {
    next[partition] = to;
  }

  /** Whether all that the other one has passed is passed here too. */
  boolean reaches(Positions other) {
    for (int i = 0; i < next.length; i++) {
      if (next[i] < other.next[i]) {
        return false;
      }
    }
    return true;
  }

  int partitions() {
    return next.length;
  }

  String text() {
    ByteBuffer bytes = ByteBuffer.allocate(next.length * BYTES_OF_OFFSET_MAX);
    for (long offset : next) {
      long rest = offset;
      while (rest > 0x7f) {
        bytes.put((byte) (rest & 0x7f | 0x80));
        rest >>>= SEVEN_BITS;
      }
      bytes.put((byte) rest);
    }
    byte[] used = Arrays.copyOf(bytes.array(), bytes.position());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(used);
  }

  /** Empty for what is no text of so many partitions. */
  static Optional<Positions> parse(String text, int partitions) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    long[] next = new long[partitions];
    int at = 0;
    for (int i = 0; i < partitions; i++) {
      int shift = 0;
      boolean more = true;
      while (more) {
        if (at == bytes.length || shift > 56) {
          return Optional.empty();
        }
        next[i] |= (bytes[at] & 0x7fL) << shift;
        shift += SEVEN_BITS;
        more = bytes[at++] < 0;
      }
    }
    return at == bytes.length ? Optional.of(new Positions(next)) : Optional.empty();
  }
}
