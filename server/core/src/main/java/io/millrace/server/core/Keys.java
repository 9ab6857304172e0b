package io.millrace.server.core;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Texts of the keys of the tables. Numbers have leading zeros, so that text order is their order.
 */
public final class Keys {

  /** Key of the only record of the table numbers. */
  public static final String NUMBERS = "numbers";

  /** Job numbers are leased in blocks of this many; block n is [n * size, (n + 1) * size). */
  public static final int BLOCK_SIZE = 1000;

  private static final int DIGITS = 15;

  private Keys() {}

  public static String number(long number) {
    char[] digits = new char[DIGITS];
    long rest = number;
    for (int i = DIGITS - 1; i >= 0; i--) {
      digits[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }

  /** The number of a job id "number.server", or -1 when it has none. */
  public static long jobNumber(String jobId) {
    int end = jobId.indexOf('.');
    String digits = end < 0 ? jobId : jobId.substring(0, end);
    if (digits.isEmpty() || digits.length() > DIGITS) {
      return -1;
    }
    long number = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  public static String block(long jobNumber) {
    return number(jobNumber / BLOCK_SIZE);
  }

  public static String object(ObjectKind kind, String name) {
    return kind.name() + "/" + name;
  }

  public static String command(CommandId id) {
    return HexFormat.of().formatHex(id.bytes());
  }

  public static String script(ByteBuffer hash) {
    byte[] bytes = new byte[hash.remaining()];
    hash.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  public static String timer(long dueMs, String kind, String subject) {
    return number(dueMs) + "/" + kind + "/" + subject;
  }

  /** Place of a job in the order of its routing queue. */
  public static String routed(String queue, long rank) {
    return queue + "/" + number(rank);
  }

  public static String reason(String scheduler, String classKey) {
    return scheduler + "/" + classKey;
  }

  /** Milliseconds since 1970 at which a command id was made. */
  public static long madeAtMs(CommandId id) {
    return ByteBuffer.wrap(id.bytes()).getLong() >>> 16;
  }
}
