package io.millrace.ops.faults.sabotage;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TakenOrdersTest {
  @TempDir Path spool;

  @Test
  void anOrderFromThePositionOnIsReadAgain() throws IOException {
    Files.writeString(spool.resolve("position"), "5L6g3nShT-eMCtK--X86sw 3 %020d\n".formatted(42));
    TakenOrders taken = TakenOrders.of(spool);
    assertTrue(taken.cover(run("1.h.1", "0 41 1")));
    assertFalse(taken.cover(run("2.h.1", "0 42 1")));
    assertFalse(taken.cover(run("3.h.1", "7 43 1")));
  }

  private Path run(String name, String origin) throws IOException {
    Path run = Files.createDirectory(spool.resolve(name));
    Files.writeString(run.resolve("request"), "jobid=1.h\0origin=" + origin + "\0env=A=origin=\0");
    return run;
  }
}
