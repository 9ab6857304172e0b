package io.millrace.connectors.bridge.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * Adds lines to the end of a file, each of them whole or not at all: what a full disk has taken of
 * one would stand before the next as a damaged line.
 */
final class JournalAppender {

  /** What takes bytes at the end of the file. */
  interface FileEnd {
    int write(ByteBuffer bytes) throws IOException;
  }

  private final FileChannel channel;
  private final FileEnd end;
  private long size;

  /** Goes on at the channel's position. */
  JournalAppender(FileChannel channel, FileEnd end) throws IOException {
    this.channel = channel;
    this.end = end;
    this.size = channel.position();
  }

  void append(JournalLine line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line.written().getBytes(StandardCharsets.UTF_8));
    if (channel.position() != size) {
      takeBack();
    }
    while (bytes.hasRemaining()) {
      end.write(bytes);
    }
    size = channel.position();
  }

  /** Of the last line a part was written. */
  private void takeBack() throws IOException {
    channel.truncate(size);
    channel.position(size);
  }

  /** Bytes of whole lines. */
  long size() {
    return size;
  }

  void force() throws IOException {
    if (channel.position() != size) {
      takeBack();
    }
    channel.force(false);
  }

  void close() throws IOException {
    channel.close();
  }
}
