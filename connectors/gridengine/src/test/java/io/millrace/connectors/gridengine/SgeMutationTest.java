package io.millrace.connectors.gridengine;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in: the parsers answer, soon. */
class SgeMutationTest {

  private static final int TRIES = 1_000;

  private static String mutated(Random random, String text) {
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = whole.clone();
    for (int k = random.nextInt(8); k >= 0; k--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "<>/&;:\"'!\n 0".charAt(random.nextInt(12));
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
    String queue = SgeFixtures.text("qstat.xml");
    String details = SgeFixtures.text("qstat-j.xml");
    String hosts = SgeFixtures.text("qhost.xml");
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          for (int i = 0; i < TRIES; i++) {
            SgeQueue.read(SgeFixtures.answer(0, mutated(random, queue), ""));
            SgeQueue.details(SgeFixtures.answer(0, mutated(random, details), ""));
            SgeHosts.read(SgeFixtures.answer(0, mutated(random, hosts), ""), Optional.empty());
            SgeAccounting.record(mutated(random, SgeFixtures.RECORD));
            SgeAccounting.record(mutated(random, SgeFixtures.LIMIT));
            SgeReporting.move(mutated(random, SgeFixtures.LOG));
            SgeWords.submitted(SgeFixtures.answer(0, mutated(random, SgeFixtures.LOG), ""));
            SgeWords.controlled(SgeFixtures.answer(1, mutated(random, SgeFixtures.LOG), ""));
          }
        });
  }

  /** A document that would grow or read files when it is parsed is none. */
  @Test
  void entitiesAreNotExpanded() {
    String bomb =
        "<?xml version='1.0'?><!DOCTYPE job_info [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>"
            + "<!ENTITY f SYSTEM 'file:///etc/passwd'>]><job_info>&b;&f;</job_info>";
    assertInstanceOf(Told.Nothing.class, SgeQueue.read(SgeFixtures.answer(0, bomb, "")));
  }

  @Test
  void longLinesAreNotSlow() {
    String colons = ":".repeat(60_000);
    String digits = "9".repeat(1_000_000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          SgeAccounting.record(colons);
          SgeAccounting.record(
              SgeFixtures.RECORD.replace(":NONE:0.0", ":" + "1.0:".repeat(15_000)));
          SgeReporting.move("1:job_log:" + colons);
          SgeQueue.read(SgeFixtures.answer(0, "<a>".repeat(100_000), ""));
          SgeHosts.bytes(digits);
          SgeWords.submitted(SgeFixtures.answer(1, digits, colons));
        });
  }
}
