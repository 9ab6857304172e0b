package io.millrace.connectors.bridge.far;

import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * What a file is known by where inodes are not told: its first bytes, which stay when it grows, is
 * renamed or is copied, and are others in another file of accounting. A file that has fewer than
 * these is known by those it has, which another may have too, as the lines that stand at the head
 * of each: such a one is known with the time at which it was written to.
 *
 * @param length of the begin that was looked at
 * @param sum check sum of it
 * @param modified when it was written to; 0 where that does not matter
 */
record FileHead(int length, long sum, long modified) {

  static final int BYTES = 256;

  private static final Pattern FORM = Pattern.compile("([0-9]{3})([0-9]{10})([0-9]{10})?");

  /** An empty file is like one that is not there. */
  private static final String NOTHING = "0";

  /**
   * @param begin its first bytes
   */
  static String of(byte[] begin, Instant modified) {
    if (begin.length == 0) {
      return NOTHING;
    }
    String head = String.format(Locale.ROOT, "%03d%010d", begin.length, sum(begin, begin.length));
    return begin.length == BYTES
        ? head
        : head + String.format(Locale.ROOT, "%010d", modified.getEpochSecond());
  }

  /** Reads an identity; empty for one that says something else. */
  static Optional<FileHead> read(String identity) {
    Matcher form = FORM.matcher(identity);
    if (!form.matches()) {
      return Optional.empty();
    }
    long modified = form.group(3) == null ? 0 : Long.parseLong(form.group(3));
    return Optional.of(
        new FileHead(Integer.parseInt(form.group(1)), Long.parseLong(form.group(2)), modified));
  }

  boolean isShort() {
    return length < BYTES;
  }

  /** Whether a file has this head. */
  boolean isOf(byte[] begin) {
    return begin.length >= length && sum(begin, length) == sum;
  }

  private static long sum(byte[] begin, int length) {
    CRC32 sum = new CRC32();
    sum.update(Arrays.copyOf(begin, length));
    return sum.getValue();
  }
}
