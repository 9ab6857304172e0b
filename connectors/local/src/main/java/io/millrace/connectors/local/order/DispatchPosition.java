package io.millrace.connectors.local.order;

import io.millrace.connectors.local.host.BootMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the topic dispatch was processed: a small file that is overwritten in one write, so that
 * the death of a process cannot damage it. The file names the cluster and the Kafka partition,
 * since an offset means nothing in another one.
 */
public final class DispatchPosition implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DispatchPosition.class);
  private static final int SIZE = 128;

  private final Path spool;
  private final FileChannel channel;
  private final int partition;
  private final String place;
  private final boolean durable;
  private long offset = -1;
  private boolean used;

  private DispatchPosition(
      Path spool, FileChannel channel, String clusterId, int partition, boolean durable) {
    this.spool = spool;
    this.channel = channel;
    this.partition = partition;
    this.place = clusterId + " " + partition;
    this.durable = durable;
  }

  /**
   * @throws IOException with one clear line when the file belongs to another cluster or partition
   */
  public static DispatchPosition open(Path spool, String clusterId, int partition, boolean durable)
      throws IOException {
    FileChannel channel =
        FileChannel.open(
            file(spool),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    DispatchPosition position = new DispatchPosition(spool, channel, clusterId, partition, durable);
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    int size = channel.read(bytes, 0);
    if (size > 0) {
      String text = new String(bytes.array(), 0, size, StandardCharsets.US_ASCII).strip();
      int space = text.lastIndexOf(' ');
      if (space < 0 || !text.substring(0, space).equals(position.place)) {
        channel.close();
        throw new IOException(
            "spool "
                + spool
                + " belongs to another cluster or host name ("
                + text
                + ", here "
                + position.place
                + "): give this executor a spool of its own");
      }
      position.offset = Long.parseLong(text.substring(space + 1));
    }
    return position;
  }

  /** What an executor of this spool has written last; empty when there was none. */
  public static OptionalLong of(Path spool) throws IOException {
    Path file = file(spool);
    String text = Files.exists(file) ? Files.readString(file).strip() : "";
    return text.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(text.substring(text.lastIndexOf(' ') + 1)));
  }

  /** The Kafka partition whose offsets these are. */
  public int partition() {
    return partition;
  }

  /** The first offset that was not processed; empty before the first {@link #write}. */
  public synchronized OptionalLong read() {
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** Whether the record at this offset will not be read again. */
  public synchronized boolean covers(long recordOffset) {
    return recordOffset < offset;
  }

  public synchronized void write(long next) throws IOException {
    String line = String.format("%s %020d", place, next);
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
    if (channel.write(bytes, 0) < line.length()) {
      throw new IOException("the position could not be written whole");
    }
    if (durable) {
      channel.force(false);
    }
    offset = next;
  }

  /** Whether it may be before orders whose runs have ended and were released. */
  boolean doubtful() throws IOException {
    return BootMark.doubtful(spool, durable);
  }

  /** Marks the position as in use; if the host goes down before {@link #close}, it is doubtful. */
  public synchronized void use() {
    used = true;
    try {
      BootMark.set(spool);
    } catch (IOException e) {
      // On a full disk the executor must start all the same, since only it frees space.
      log.error("spool {}: a power cut would not be noticed: {}", spool, e.toString());
    }
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
    // An interrupted writer has closed its channel before.
    try (FileChannel again = FileChannel.open(file(spool), StandardOpenOption.WRITE)) {
      again.force(false);
    }
    if (used) {
      BootMark.clear(spool);
    }
  }

  private static Path file(Path spool) {
    return spool.resolve("position");
  }
}
