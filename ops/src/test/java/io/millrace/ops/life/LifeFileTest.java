package io.millrace.ops.life;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for the end of a process that is no child. */
class LifeFileTest {

  @TempDir Path folder;

  /** Holds its life file until it is killed. */
  static final class Lives {
    private Lives() {}

    public static void main(String[] args) throws Exception {
      LifeFile.hold();
      System.gc(); // a channel that nobody refers to would be closed
      System.out.println("lives");
      new CountDownLatch(1).await(10, TimeUnit.MINUTES);
    }
  }

  @Test
  void whoWaitsIsWokenByAKill() throws Exception {
    Path file = folder.resolve("part.life");
    Process part =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + LifeFile.PROPERTY + "=" + file,
                "-cp",
                System.getProperty("java.class.path"),
                Lives.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(part.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals("lives", said.readLine());
      CompletableFuture<Boolean> alive = new CompletableFuture<>();
      Thread waits =
          new Thread(
              () -> {
                try {
                  LifeFile.awaitFree(file);
                  alive.complete(part.isAlive());
                } catch (Exception e) {
                  alive.completeExceptionally(e);
                }
              });
      waits.start();
      waits.join(500);
      assertFalse(alive.isDone(), "it lives");
      part.destroyForcibly();
      alive.get(60, TimeUnit.SECONDS);
    } finally {
      part.destroyForcibly();
    }
    LifeFile.awaitFree(file);
  }

  @Test
  void whatNobodyHoldsIsFree() throws Exception {
    LifeFile.awaitFree(folder.resolve("never.life"));
  }
}
