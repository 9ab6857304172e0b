package io.millrace.server.core.state;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Texts of the keys of the tables. Numbers have leading zeros, so that text order is their order.
 */
public final class Keys {

  /** Key of the only record of the table numbers. */
  public static final String NUMBERS = "numbers";

  /** Name of the only object of kind SERVER. */
  public static final String SERVER = "server";

  /** Job numbers are leased in blocks of this many; block n is [n * size, (n + 1) * size). */
  public static final int BLOCK_SIZE = 1000;

  private static final int DIGITS = 15;
  private static final long TIME_MAX_MS = 999_999_999_999_999L;
  private static final int INDEX_DIGITS = 7;
  private static final int MADE_DIGITS = 12;
  private static final char SUBJOB = '[';

  /** Stands between the key of an array and the indices of its subjobs. */
  public static final String SUBJOBS = String.valueOf(SUBJOB);

  private Keys() {}

  /** Subjobs stand behind their array: its key, a bracket, and the index. */
  public static String number(long number) {
    return JobNumbers.isSubjob(number)
        ? digits(JobNumbers.array(number), DIGITS)
            + SUBJOB
            + digits(JobNumbers.index(number), INDEX_DIGITS)
        : digits(number, DIGITS);
  }

  /** Whether a key of the table of jobs is that of a subjob. */
  public static boolean isSubjob(String key) {
    return key.length() > DIGITS && key.charAt(DIGITS) == SUBJOB;
  }

  /** The first key behind an array and its subjobs, by the key of one of them. */
  public static String behindSubjobs(String key) {
    return key.substring(0, DIGITS) + (char) (SUBJOB + 1);
  }

  private static String digits(long number, int count) {
    char[] digits = new char[count];
    long rest = number;
    for (int i = count - 1; i >= 0; i--) {
      digits[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
    return new String(digits);
  }

  /** The number of a job id, or -1 when it has none. */
  public static long jobNumber(String jobId) {
    return JobNumbers.of(jobId);
  }

  public static String block(long jobNumber) {
    return number(JobNumbers.array(jobNumber) / BLOCK_SIZE);
  }

  public static String object(ObjectKind kind, String name) {
    return kind.name() + "/" + name;
  }

  /** The least key of a command that was made at this time. */
  public static String madeAt(long ms) {
    return HexFormat.of().toHexDigits(ms, MADE_DIGITS);
  }

  public static String command(CommandId id) {
    return HexFormat.of().formatHex(id.bytes());
  }

  /** The incident id, by which log and user name a command whose decider failed. */
  public static String incident(CommandMeta meta) {
    return command(meta.getId()).substring(0, 16);
  }

  public static String script(ByteBuffer hash) {
    byte[] bytes = new byte[hash.remaining()];
    hash.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Milliseconds since 1970, as timers are ordered; times that no clock comes to are one. */
  public static String time(long ms) {
    return digits(timeOfKey(ms), DIGITS);
  }

  /** The time that a key has for a time. */
  static long timeOfKey(long ms) {
    return Math.max(0, Math.min(ms, TIME_MAX_MS));
  }

  public static String timer(long dueMs, String kind, String subject) {
    return time(dueMs) + "/" + kind + "/" + subject;
  }

  /** Place of a job in the order of its routing queue. */
  public static String routed(String queue, long rank) {
    return queue + "/" + number(rank);
  }

  /** A booking of a node; those of a node stand in the order of their starts. */
  public static String booking(String node, long startMs, long reservation) {
    return bookings(node) + time(startMs) + "/" + number(reservation);
  }

  /** What the keys of a node's bookings begin with. */
  public static String bookings(String node) {
    return node + "/";
  }

  /** A job in the queue of a reservation. */
  public static String reserved(long reservation, long job) {
    return reserved(reservation) + number(job);
  }

  /** What the keys of a reservation's jobs begin with. */
  public static String reserved(long reservation) {
    return number(reservation) + "/";
  }

  public static String reason(String scheduler, String classKey) {
    return scheduler + "/" + classKey;
  }

  /** Milliseconds since 1970 at which a command id was made. */
  public static long madeAtMs(CommandId id) {
    return ByteBuffer.wrap(id.bytes()).getLong() >>> 16;
  }
}
