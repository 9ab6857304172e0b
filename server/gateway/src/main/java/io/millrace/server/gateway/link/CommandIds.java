package io.millrace.server.gateway.link;

import io.millrace.schemas.common.CommandId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;

/**
 * Command ids: 6 bytes of milliseconds since 1970, then 10 bytes that tell commands of the same
 * millisecond apart. An id that is derived from an invocation is the same each time the invocation
 * is repeated, and differs between users and between the commands of one invocation.
 */
public final class CommandIds {

  private static final int TIME_BYTES = 6;
  private static final int SIZE = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private CommandIds() {}

  /** A new id of its own. */
  public static CommandId random(long nowMs) {
    byte[] tail = new byte[SIZE - TIME_BYTES];
    RANDOM.nextBytes(tail);
    return build(nowMs, tail);
  }

  /** A new base for {@link #derive}, made at this time. */
  public static UUID base(long nowMs) {
    ByteBuffer bytes = ByteBuffer.wrap(random(nowMs).bytes());
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** A base that somebody wrote down: a UUID of version 7. */
  public static Optional<UUID> read(String text) {
    if (!text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")) {
      return Optional.empty();
    }
    return Optional.of(UUID.fromString(text)).filter(id -> id.version() == 7);
  }

  /** When a base was made, milliseconds since 1970. */
  public static long timeMs(UUID base) {
    return base.getMostSignificantBits() >>> 16;
  }

  /**
   * The id of one command of an invocation.
   *
   * @param base id of the invocation; its first 6 bytes are the time at which the caller made it
   * @param user verified user, so that nobody can name a command of somebody else
   * @param part which command of the invocation, for example "0" or "chunk 17"
   */
  public static CommandId derive(UUID base, String user, String part) {
    ByteBuffer seed = ByteBuffer.allocate(SIZE);
    seed.putLong(base.getMostSignificantBits()).putLong(base.getLeastSignificantBits());
    MessageDigest digest = sha256();
    digest.update(seed.array());
    digest.update(user.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    return build(timeMs(base), digest.digest(part.getBytes(StandardCharsets.UTF_8)));
  }

  private static CommandId build(long timeMs, byte[] tail) {
    ByteBuffer id = ByteBuffer.allocate(SIZE);
    id.putLong(timeMs << 16);
    id.position(TIME_BYTES);
    id.put(tail, 0, SIZE - TIME_BYTES);
    return new CommandId(id.array());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
