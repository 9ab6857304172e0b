package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapAtStartTest {

  @TempDir Path folder;

  @Test
  void aPartWithoutStateBeginsAsItsOptionsSay() {
    List<String> options = List.of("-Xmx400m", "-Xms30m", "-XX:NewSize=9m", "-cp", "a.jar");
    assertEquals(options, HeapAtStart.atStart(options));
    assertEquals(started("-Xmx1500m", "68m", "24m"), started("-Xmx1500m"));
  }

  @Test
  void aDeepQueueFindsRoom() throws IOException {
    state(300);
    assertEquals(started("-Xmx1500m", "218m", "74m"), started("-Xmx1500m"));
    state(60_000);
    assertEquals(started("-Xmx2g", "1024m", "96m"), started("-Xmx2g"));
  }

  @Test
  void aSmallHeapStaysWithinItsHalf() throws IOException {
    state(300);
    assertEquals(started("-Xmx200m", "100m", "50m"), started("-Xmx200m"));
    assertEquals(started("-Xmx80m", "68m", "24m"), started("-Xmx80m"));
  }

  @Test
  void storesBehindALinkCount() throws IOException {
    Files.createSymbolicLink(
        folder.resolve("server"), Files.createDirectory(folder.resolve("disk")));
    state(300);
    assertEquals(started("-Xmx1500m", "218m", "74m"), started("-Xmx1500m"));
  }

  private void state(int mib) throws IOException {
    Path store = Files.createDirectories(folder.resolve("server/0_0/rocksdb/jobs"));
    try (RandomAccessFile file = new RandomAccessFile(store.resolve("1.sst").toFile(), "rw")) {
      file.setLength((long) mib << 20);
    }
  }

  private List<String> started(String max) {
    return HeapAtStart.atStart(started(max, "68m", "24m"));
  }

  private List<String> started(String max, String first, String young) {
    String state = HeapAtStart.STATE + folder.resolve("server");
    return List.of(max, "-Xms" + first, "-XX:NewSize=" + young, state);
  }
}
