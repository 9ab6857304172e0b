package io.millrace.ops.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HomeLockTest {

  /** In place of the path of a lock and "permission denied". */
  @Test
  void othersAreToldWhoMay() {
    assertEquals(
        "only root and ann change what runs in /home/ann/var",
        HomeLock.refusal("ann", Path.of("/home/ann/var")));
    assertEquals("only root changes what runs in /srv", HomeLock.refusal("root", Path.of("/srv")));
  }
}
