package io.millrace.connectors.local.host;

import io.millrace.schemas.output.HostServed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * Decides which orders for the host this executor carries out. Orders name the spool that they are
 * for, so that of two executors under one host name exactly one carries out each.
 */
public final class HostClaim {
  private static final int ID_BYTES = 8;

  /** Readers of topics whose numbers are all doubles can tell no more apart. */
  private static final int LIFE_BITS = 53;

  /** Property of an order's schema: the field that names the executor that is meant. */
  private static final String ADDRESSEE = "addressee";

  /** What an answer of a shard means for this executor. */
  public enum HostClaimStanding {
    /** This executor serves the host, or the answer is about another one. */
    UNCHANGED,
    /** Another executor has runs on the host, and gets the orders. */
    REFUSED,
    /** Another executor took the host over from this one. */
    SUPERSEDED
  }

  private final String executor;
  private final long life;

  /** By shard, whether it accepted this process of the executor; no entry before its answer. */
  private final Map<Integer, Boolean> taken = new ConcurrentHashMap<>();

  HostClaim(String executor, long life) {
    this.executor = executor;
    this.life = life;
  }

  /** Reads the name of a spool, or makes one. */
  public static HostClaim of(Path spool) throws IOException {
    SecureRandom random = new SecureRandom();
    Path file = spool.resolve("executor");
    String name = Files.exists(file) ? Files.readString(file).strip() : "";
    if (!name.matches("[0-9a-f]{16}")) {
      byte[] drawn = new byte[ID_BYTES];
      random.nextBytes(drawn);
      name = HexFormat.of().formatHex(drawn);
      Path draft = spool.resolve("executor.new");
      write(draft, name + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return new HostClaim(name, random.nextLong() >>> Long.SIZE - LIFE_BITS);
  }

  /**
   * Forces the name to the disk: with another name after a power cut it would count as another
   * executor.
   */
  static void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  public String executor() {
    return executor;
  }

  public long life() {
    return life;
  }

  /** Whether an order names this executor, or no executor. */
  public boolean covers(SpecificRecord order) {
    String field = order == null ? null : order.getSchema().getProp(ADDRESSEE);
    String meant =
        field == null ? "" : order.get(order.getSchema().getField(field).pos()).toString();
    return meant.isEmpty() || meant.equals(executor);
  }

  /** Whether a shard has given the host to another executor; then it is not announced there. */
  public boolean lost(int shard) {
    return Boolean.FALSE.equals(taken.get(shard));
  }

  /** Whether every shard that has answered so far has given the host to another executor. */
  public boolean lost() {
    return !taken.isEmpty() && !taken.containsValue(true);
  }

  /** Whether a shard has accepted this process of the executor. */
  public boolean serves() {
    return taken.containsValue(true);
  }

  /**
   * Handles a shard's answer to an announcement. Until the announcement of this process is
   * answered, the shard's answers to others are out of date.
   */
  public HostClaimStanding heard(HostServed answer) {
    boolean mine = answer.getExecutor().equals(executor);
    if (answer.getLife() != life && !taken.containsKey(answer.getShard())) {
      return HostClaimStanding.UNCHANGED;
    }
    Boolean before = taken.put(answer.getShard(), mine);
    if (mine || Boolean.FALSE.equals(before)) {
      return HostClaimStanding.UNCHANGED;
    }
    return answer.getLife() == life ? HostClaimStanding.REFUSED : HostClaimStanding.SUPERSEDED;
  }
}
