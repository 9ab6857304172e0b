package io.millrace.ops.bench.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerCommandsTest {

  @TempDir Path folder;

  /** Packages have daemons under links. */
  @Test
  void aDaemonIsFoundBehindALink() throws Exception {
    Path real = Files.copy(Path.of("/bin/sleep").toRealPath(), folder.resolve("daemon-real"));
    assertTrue(real.toFile().setExecutable(true));
    Path link = Files.createSymbolicLink(folder.resolve("daemon"), real);
    assertThrows(IOException.class, () -> PeerCommands.process(link));
    Process daemon = new ProcessBuilder(link.toString(), "60").start();
    try {
      assertEquals(daemon.pid(), PeerCommands.process(link));
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  @Test
  void requestsAreCountedByTypeAlone() {
    String said =
        """
        Server thread count:  3
        Remote Procedure Call statistics by message type
        \tREQUEST_JOB_INFO                        ( 2003) count:12     ave_time:1 total_time:2
        \tREQUEST_PING                            ( 1008) count:3      ave_time:1 total_time:2

        Remote Procedure Call statistics by user
        \troot            (       0) count:15     ave_time:1      total_time:2
        """;
    assertEquals(15, PeerCommands.served(said));
  }

  @Test
  void whatChangesIsWaitedFor() {
    LastChange<Integer> last = new LastChange<>(-1);
    assertTrue(last.isLongAgo(1));
    assertFalse(new LastChange<Integer>(600_000).isLongAgo(1));
  }
}
