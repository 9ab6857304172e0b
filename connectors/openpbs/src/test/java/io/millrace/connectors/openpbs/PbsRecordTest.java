package io.millrace.connectors.openpbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.openpbs.family.PbsRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Lines of accounting files. */
class PbsRecordTest {

  private static Optional<OutsideRecord> record(String line) {
    return PbsRecord.record(line, "vm", "project", PbsEnds::of);
  }

  @Test
  void anEnd() {
    OutsideRecord record = record(PbsFixtures.ENDED).orElseThrow();
    assertEquals(OutsideId.of(45), record.id());
    assertEquals("alice", record.account());
    assertEquals(OutsideTag.read("mr.c1.13.1"), record.tag());
    assertEquals(Optional.of(Instant.ofEpochSecond(1_795_189_097)), record.submitted());
    assertEquals(OutsideCause.SIGNALLED, record.end().cause());
    assertEquals(15, record.end().signal());
    assertEquals(Optional.of(new OutsideUsage(62_000, 6000, 1420, 2500)), record.end().usage());
    assertEquals("(vm[6]:ncpus=2)", record.fields().get("exec_vnode"));
    assertEquals(false, record.certain(), "the queue has to agree");
    assertEquals("1", record(PbsFixtures.ENDED + " later=1").orElseThrow().fields().get("later"));
  }

  /** D is a wish of somebody's, and after R the job waits again. */
  @Test
  void noOtherLetterIsAnEnd() {
    for (String letter : List.of("D", "R", "A", "S", "Q", "a", "z", "r", "EE", "")) {
      assertEquals(Optional.empty(), record(PbsFixtures.ENDED.replace(";E;", ";" + letter + ";")));
    }
    assertEquals(Optional.empty(), record(PbsFixtures.ENDED.replace("45.vm", "45.other")));
    assertEquals(Optional.empty(), record(PbsFixtures.ENDED.replace("Exit_status", "exit")));
  }

  /** PBS quotes what a user says of his account, and spaces stand in it. */
  @Test
  void whatAUserWritesInTheRecordIsNoOtherField() {
    String forged = PbsFixtures.ENDED.replace("project=", "account=\"a Exit_status=0 b\" project=");
    assertEquals("a Exit_status=0 b", record(forged).orElseThrow().fields().get("account"));
    assertEquals(271 - 256, record(forged).orElseThrow().end().signal());
  }

  @Test
  void eachUsedFieldCounts() {
    Map<String, String> fields = record(PbsFixtures.ENDED).orElseThrow().fields();
    for (Map.Entry<String, String> field : PbsFixtures.fields("fields-accounting.txt").entrySet()) {
      Map<String, String> changed = new HashMap<>(fields);
      String other =
          switch (field.getKey()) {
            case "user" -> "bob";
            case "project" -> "mr.c1.99.1";
            case "resources_used.mem", "resources_used.vmem" -> "9kb";
            case "resources_used.cput", "resources_used.walltime" -> "01:00:00";
            default -> "77";
          };
      changed.put(field.getKey(), other);
      StringBuilder line = new StringBuilder("11/20/2026 15:38:31;E;45.vm;");
      changed.forEach((name, value) -> line.append(name).append('=').append(value).append(' '));
      boolean counts = !used(record(line.toString())).equals(used(record(PbsFixtures.ENDED)));
      assertEquals(field.getValue().equals("used"), counts, field.getKey());
    }
  }

  private static List<Object> used(Optional<OutsideRecord> record) {
    OutsideRecord it = record.orElseThrow();
    return List.of(it.id(), it.account(), it.tag(), it.submitted(), it.end());
  }

  @Test
  void eachRecordedLineIsRead() throws IOException {
    assumeTrue(Files.isDirectory(PbsFixtures.RECORDED), "no recordings at " + PbsFixtures.RECORDED);
    Map<String, String> known = PbsFixtures.fields("fields-accounting.txt");
    TreeSet<String> unknown = new TreeSet<>();
    int ends = 0;
    for (String line : PbsFixtures.recorded().lines().toList()) {
      if (!line.matches("[0-9/]{10} [0-9:]{8};E;[0-9]+(\\[[0-9]*])?\\.vm;.*")) {
        continue;
      }
      OutsideRecord record = record(line).orElseThrow(() -> new AssertionError(line));
      record.fields().keySet().stream().filter(it -> !known.containsKey(it)).forEach(unknown::add);
      ends++;
    }
    assertEquals(List.of(), List.copyOf(unknown));
    assertTrue(ends > 20, "ends: " + ends);
  }
}
