package io.millrace.connectors.openpbs;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.connectors.openpbs.family.PbsRecord;
import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in: the parsers answer, soon. */
class PbsMutationTest {

  private static final int TRIES = Boolean.getBoolean("millrace.night") ? 1_000_000 : 1_000;

  private static String mutated(Random random, byte[] whole) {
    byte[] bytes = whole.clone();
    for (int k = random.nextInt(8); k >= 0; k--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "{}[]\":,\\\n 0=;".charAt(random.nextInt(13));
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
    byte[] queue = PbsFixtures.text("qstat.json").getBytes(StandardCharsets.UTF_8);
    byte[] nodes = PbsFixtures.text("pbsnodes.json").getBytes(StandardCharsets.UTF_8);
    byte[] queues = PbsFixtures.text("queues.json").getBytes(StandardCharsets.UTF_8);
    byte[] line = PbsFixtures.ENDED.getBytes(StandardCharsets.UTF_8);
    assertTimeoutPreemptively(
        Duration.ofSeconds(30L + TRIES / 500),
        () -> {
          for (int i = 0; i < TRIES; i++) {
            PbsQueue.read(PbsFixtures.answer(0, mutated(random, queue), ""), "vm", ZoneOffset.UTC);
            PbsHosts.read(
                PbsFixtures.answer(0, mutated(random, nodes), ""),
                PbsFixtures.answer(0, mutated(random, queues), ""),
                "vm",
                Optional.empty());
            PbsRecord.record(mutated(random, line), "vm", "project", PbsEnds::of);
            PbsSystem.WORDS.submitted(PbsFixtures.answer(0, mutated(random, line), ""), "vm");
            PbsSystem.WORDS.controlled(PbsFixtures.answer(1, "", mutated(random, line)));
          }
        });
  }

  /** Texts that are made to be slow: their length bounds the time. */
  @Test
  void longTextsAreNotSlow() {
    String many = "11/20/2026 15:38:31;E;45.vm;" + "user= Exit_status=".repeat(100_000);
    String digits = "9".repeat(1_000_000);
    String head = "{\"pbs_server\":\"vm\",\"Jobs\":";
    assertTimeoutPreemptively(
        Duration.ofSeconds(5),
        () -> {
          PbsRecord.record(many, "vm", "project", PbsEnds::of);
          PbsSystem.WORDS.submitted(PbsFixtures.answer(1, digits, many + digits), "vm");
          for (String jobs :
              new String[] {
                "[".repeat(100_000),
                "{\"1.vm\":".repeat(100_000),
                "{\"1.vm\":{\"substate\":" + digits + "}}}",
                "{\"1.vm\":{\"a\":" + "[".repeat(100_000)
              }) {
            PbsQueue.read(PbsFixtures.answer(0, head + jobs, ""), "vm", ZoneOffset.UTC);
          }
        });
  }
}
