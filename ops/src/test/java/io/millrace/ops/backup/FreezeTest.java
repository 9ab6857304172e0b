package io.millrace.ops.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stopped processes are continued. */
class FreezeTest {

  private Process process;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sleep", "600").start();
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private char state() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  @Test
  void aProcessStandsStillAndGoesOn() throws Exception {
    try (Freeze freeze = Freeze.of(List.of(process.pid()))) {
      assertEquals('T', state());
    }
    assertNotEquals('T', state());
  }

  @Test
  void oneThatHasEndedIsNoHindrance() throws Exception {
    Process over = new ProcessBuilder("true").start();
    over.waitFor();
    try (Freeze freeze = Freeze.of(List.of(over.pid(), process.pid()))) {
      assertEquals('T', state());
    }
    assertNotEquals('T', state());
  }

  /** As when the launcher is killed: the kernel closes its end of the pipe. */
  @Test
  void whoFreezesMayDie() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process freezer =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Freezer.class.getName(),
                Long.toString(process.pid()))
            .start();
    try {
      assertEquals("frozen", freezer.inputReader().readLine());
      assertEquals('T', state());
    } finally {
      freezer.destroyForcibly().waitFor();
    }
    Awaitility.await().atMost(Duration.ofSeconds(180)).until(() -> state() != 'T');
  }

  /** Process that stops another one, says so, and never ends. */
  public static final class Freezer {
    private Freezer() {}

    public static void main(String[] args) throws Exception {
      try (Freeze freeze = Freeze.of(List.of(Long.parseLong(args[0])))) {
        System.out.println("frozen");
        new CountDownLatch(1).await();
      }
    }
  }
}
