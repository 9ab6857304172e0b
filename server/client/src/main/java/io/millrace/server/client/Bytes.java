package io.millrace.server.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, and integers in it. */
final class Bytes {
  private byte[] at = new byte[4096];
  private int length;

  static int number(byte[] from, int at) {
    return (from[at] & 0xff) << 24
        | (from[at + 1] & 0xff) << 16
        | (from[at + 2] & 0xff) << 8
        | (from[at + 3] & 0xff);
  }

  static String text(byte[] from, int at) {
    return new String(from, at, from.length - at, StandardCharsets.UTF_8);
  }

  Bytes add(byte[] from, int count) {
    if (length + count > at.length) {
      at = Arrays.copyOf(at, (length + count) * 2);
    }
    System.arraycopy(from, 0, at, length, count);
    length += count;
    return this;
  }

  Bytes add(byte[] from) {
    return add(from, from.length);
  }

  /** The lowest {@code bytes} bytes of a number, big endian. */
  Bytes number(int value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      add(new byte[] {(byte) (value >>> shift)});
    }
    return this;
  }

  Bytes frame(int type, byte[] payload, int count) {
    if (count > Frames.PAYLOAD_MAX) {
      throw new ProtocolViolation("an argument or variable of " + count + " bytes is too long");
    }
    return number(type, 1).number(count, 4).add(payload, count);
  }

  byte[] array() {
    return at;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }
}
