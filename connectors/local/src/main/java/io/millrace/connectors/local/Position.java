package io.millrace.connectors.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * How far the topic dispatch was taken over: a small file that is written over in one piece, so
 * that no process's death tears it. The file names the cluster and the Kafka partition, since an
 * offset means nothing in another one.
 */
final class Position implements AutoCloseable {
  private static final int SIZE = 128;

  private final FileChannel channel;
  private final String place;
  private final boolean durable;
  private long offset = -1;

  private Position(FileChannel channel, String place, boolean durable) {
    this.channel = channel;
    this.place = place;
    this.durable = durable;
  }

  /**
   * @throws IOException with one clear line when the file belongs to another cluster or partition
   */
  static Position open(Path spool, String clusterId, int partition, boolean durable)
      throws IOException {
    Path file = spool.resolve("position");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    Position position = new Position(channel, clusterId + " " + partition, durable);
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

  /** The first offset that was not taken over; empty before the first {@link #write}. */
  synchronized OptionalLong read() {
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  /** Whether the record at this offset will not be read again. */
  synchronized boolean covers(long recordOffset) {
    return recordOffset < offset;
  }

  synchronized void write(long next) throws IOException {
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

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
