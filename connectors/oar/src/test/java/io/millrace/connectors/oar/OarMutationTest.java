package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in: the parsers answer, soon. */
class OarMutationTest {

  private static final int TRIES = Boolean.getBoolean("millrace.night") ? 1_000_000 : 1_000;

  private static String mutated(Random random, byte[] whole) {
    byte[] bytes = whole.clone();
    for (int k = random.nextInt(8); k >= 0; k--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "{}[]\":,\\\n 0-".charAt(random.nextInt(12));
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

  private static byte[] bytes(String name) {
    return OarFixtures.text(name).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void nothingStopsThem() {
    Random random = new Random(Seeds.TODAY);
    byte[] queue = bytes("jobs.json");
    byte[] details = bytes("details.json");
    byte[] resources = bytes("resources.json");
    byte[] places = bytes("places.json");
    List<byte[]> words = new ArrayList<>();
    for (String name : List.of("submit", "submit-noqueue", "delete-again", "hold-nosuch")) {
      words.add(bytes(name + ".json"));
    }
    assertTimeoutPreemptively(
        Duration.ofSeconds(30L + TRIES / 500),
        () -> {
          for (int i = 0; i < TRIES; i++) {
            OarQueue.read(OarFixtures.answer(200, mutated(random, queue)));
            OarQueue.places(OarFixtures.answer(200, mutated(random, places)));
            OarHosts.read(OarFixtures.answer(200, mutated(random, resources)), "resource_id", true);
            int status = 200 + random.nextInt(350);
            String said = mutated(random, words.get(random.nextInt(words.size())));
            OarWords.submitted(OarFixtures.answer(status, said));
            OarWords.controlled(OarFixtures.answer(status, said));
            if (i % 5 == 0) {
              OarEnds.read(OarFixtures.answer(200, mutated(random, details)));
            }
          }
        });
  }

  /** Texts that are made to be slow: their length bounds the time. */
  @Test
  void longTextsAreNotSlow() {
    String digits = "9".repeat(1_000_000);
    String many = "[ADMISSION RULE] Modify \\n".repeat(100_000);
    String said = "{\"message\":\"Oarsub command exited with status 8: ";
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (String items :
              new String[] {
                "[".repeat(100_000),
                "[{\"id\":" + digits + "}]}",
                "[{\"id\":1,\"a\":" + "[".repeat(100_000),
                "[{\"id\":1,\"state\":\""
                    + digits
                    + "\",\"owner\":\"a\",\"name\":\""
                    + digits
                    + "\"}]}"
              }) {
            OarQueue.read(OarFixtures.answer(200, "{\"items\":" + items));
            OarEnds.read(OarFixtures.answer(200, "{\"items\":" + items));
          }
          OarWords.submitted(OarFixtures.answer(500, said + many + "\"}"));
          OarWords.submitted(OarFixtures.answer(500, said + many.substring(0, 60_000) + "\"}"));
          OarWords.controlled(OarFixtures.answer(400, said + digits + "\"}"));
          OarWords.submitted(OarFixtures.answer(201, "{\"id\":" + digits + "}"));
        });
  }
}
