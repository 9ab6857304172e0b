package io.millrace.connectors.local.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output that nobody took does not fill the disk. */
class UndeliveredTest {

  @TempDir Path spool;

  private void keep(String name, int bytes, int minutesAgo) throws IOException {
    Path folder = Files.createDirectories(spool.resolve("undelivered"));
    Path file = Files.write(folder.resolve(name), new byte[bytes]);
    Files.setLastModifiedTime(
        file, FileTime.from(Instant.parse("2026-11-24T12:00:00Z").minusSeconds(60L * minutesAgo)));
  }

  private List<String> kept() throws IOException {
    try (Stream<Path> files = Files.list(spool.resolve("undelivered"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void site(String text) throws IOException {
    Files.writeString(Files.createDirectories(spool.resolve("site")).resolve("limits"), text);
  }

  @Test
  void theOldestGoesFirst() throws Exception {
    site("processes=100\nundelivered=3kb\n");
    keep("1.vm.1.OU", 1024, 50);
    keep("2.vm.1.OU", 2000, 40);
    keep("3.vm.1.OU", 1000, 30);
    keep("3.vm.1.ER", 10, 30);
    Spool.open(spool);
    assertEquals(List.of("2.vm.1.OU", "3.vm.1.ER", "3.vm.1.OU"), kept());
    keep("4.vm.1.OU", 100, 1);
    new Undelivered(spool).trim();
    assertEquals(List.of("3.vm.1.ER", "3.vm.1.OU", "4.vm.1.OU"), kept());
  }

  @Test
  void aCommentOfTheSiteMayBeInAnyEncoding() throws Exception {
    site("");
    byte[] latin = "# f\u00fcr alle\nundelivered=1kb\n".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(spool.resolve("site/limits"), latin);
    keep("1.vm.1.OU", 1000, 50);
    keep("2.vm.1.OU", 1000, 40);
    Spool.open(spool);
    assertEquals(List.of("2.vm.1.OU"), kept());
  }

  @Test
  void theNewestStaysWhateverItsSize() throws Exception {
    site("undelivered=3kb\n");
    keep("1.vm.1.OU", 10, 50);
    keep("2.vm.1.OU", 9000, 40);
    new Undelivered(spool).trim();
    assertEquals(List.of("2.vm.1.OU"), kept());
  }

  @Test
  void withoutAWordOfTheSiteThereIsABoundToo() throws Exception {
    keep("1.vm.1.OU", 10, 50);
    keep("2.vm.1.OU", 10, 40);
    new Undelivered(spool).trim();
    assertEquals(2, kept().size());
    assertEquals(1L << 30, Undelivered.USUAL_BYTES);
  }
}
