package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in: the parsers answer, soon. */
class SlurmMutationTest {

  private static final int TRIES = 1_000;

  private static String mutated(Random random, byte[] whole) {
    byte[] bytes = whole.clone();
    for (int k = random.nextInt(8); k >= 0; k--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "{}[]\":,\\\n 0=".charAt(random.nextInt(12));
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(200), bytes.length - Math.max(at, from));
          System.arraycopy(whole, from, bytes, at, length);
        }
      }
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Test
  void nothingStopsThem() {
    Random random = new Random(Seeds.TODAY);
    byte[] queue = Fixtures.text("squeue.json").getBytes(StandardCharsets.UTF_8);
    byte[] nodes = Fixtures.text("sinfo.json").getBytes(StandardCharsets.UTF_8);
    byte[] line = Fixtures.COMPLETION.getBytes(StandardCharsets.UTF_8);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < TRIES; i++) {
            SlurmHosts.read(Fixtures.answer(0, mutated(random, nodes), ""), Optional.empty());
            CompletionLine.record(mutated(random, line), ZoneOffset.UTC);
            SlurmWords.submitted(Fixtures.answer(0, mutated(random, line), ""));
            SlurmWords.controlled(Fixtures.answer(1, "", mutated(random, line)));
            if (i % 5 == 0) {
              SlurmQueue.read(Fixtures.answer(0, mutated(random, queue), ""));
            }
          }
        });
  }

  /** Lines that are made to be slow: their length bounds the time. */
  @Test
  void longLinesAreNotSlow() {
    String many = "JobId=" + " Name= JobState= ExitCode=".repeat(100_000);
    String digits = "9".repeat(1_000_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          CompletionLine.record(many, ZoneOffset.UTC);
          SlurmWords.submitted(Fixtures.answer(1, digits, many + digits));
          SlurmQueue.read(Fixtures.answer(0, "{\"jobs\":" + "[".repeat(100_000), ""));
          SlurmQueue.read(Fixtures.answer(0, "{\"jobs\":[{\"job_id\":" + digits + "}]}", ""));
        });
  }
}
