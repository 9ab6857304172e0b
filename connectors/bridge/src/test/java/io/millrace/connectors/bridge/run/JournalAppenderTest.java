package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalAppenderTest {

  @TempDir Path folder;

  private boolean full;

  private static JournalLine line(String text) {
    return new JournalLine("cursor", List.of(text));
  }

  /** When there is room again the line that did not fit is gone, and the next one is whole. */
  @Test
  void aFullDiskDamagesNoLine() throws Exception {
    Path file = folder.resolve("journal");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      JournalAppender to = new JournalAppender(channel, bytes -> write(channel, bytes));
      to.append(line("first"));
      full = true;
      assertThrows(IOException.class, () -> to.append(line("lost")));
      assertThrows(IOException.class, () -> to.append(line("lost too")));
      full = false;
      to.force();
      assertEquals(line("first").written(), Files.readString(file));
      full = true;
      assertThrows(IOException.class, () -> to.append(line("lost")));
      full = false;
      to.append(line("second"));
      String whole = line("first").written() + line("second").written();
      assertEquals(whole, Files.readString(file));
      assertEquals(whole.length(), to.size());
    }
  }

  private int write(FileChannel channel, ByteBuffer bytes) throws IOException {
    if (!full) {
      return channel.write(bytes);
    }
    ByteBuffer part = bytes.slice();
    part.limit(part.limit() / 2);
    channel.write(part);
    throw new IOException("no space left on device");
  }
}
