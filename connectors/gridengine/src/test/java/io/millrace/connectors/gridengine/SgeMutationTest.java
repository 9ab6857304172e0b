package io.millrace.connectors.gridengine;

import static io.millrace.connectors.bridge.recorded.RecordedTexts.answer;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.Seeds;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SgeMutationTest extends MutationTrial {

  private final String queue = SgeFixtures.text("qstat.xml");
  private final String details = SgeFixtures.text("qstat-j.xml");
  private final String hosts = SgeFixtures.text("qhost.xml");

  SgeMutationTest() {
    super("<>/&;:\"'!\n 0", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  private static final SgeComplexes COMPLEXES =
      new SgeComplexes(Map.of("gpu", "gpu/slot"), Optional.of("h_vmem"));

  @Override
  protected void readMutated(int round) {
    SgeQueue.read(answer(0, mutated(queue), ""), COMPLEXES);
    SgeQueue.details(answer(0, mutated(details), ""));
    SgeHosts.read(answer(0, mutated(hosts), ""), Optional.empty());
    SgeAccounting.record(mutated(SgeFixtures.RECORD));
    SgeAccounting.record(mutated(SgeFixtures.LIMIT));
    SgeReporting.move(mutated(SgeFixtures.LOG));
    SgeEvents.moves(mutated(SgeFixtures.EVENT));
    SgeWords.submitted(answer(0, mutated(SgeFixtures.LOG), ""));
    SgeWords.controlled(answer(1, mutated(SgeFixtures.LOG), ""));
  }

  /** A document that would grow or read files when it is parsed is none. */
  @Test
  void entitiesAreNotExpanded() {
    String bomb =
        "<?xml version='1.0'?><!DOCTYPE job_info [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>"
            + "<!ENTITY f SYSTEM 'file:///etc/passwd'>]><job_info>&b;&f;</job_info>";
    assertInstanceOf(Told.Nothing.class, SgeQueue.read(answer(0, bomb, ""), COMPLEXES));
  }

  @Override
  protected void readLong() {
    String colons = ":".repeat(60_000);
    String digits = "9".repeat(1_000_000);
    SgeAccounting.record(colons);
    SgeAccounting.record(SgeFixtures.RECORD.replace(":NONE:0.0", ":" + "1.0:".repeat(15_000)));
    SgeReporting.move("1:job_log:" + colons);
    SgeEvents.moves("JOB_START (1.1:ECL_TIME=1" + colons + ")");
    SgeQueue.read(answer(0, "<a>".repeat(100_000), ""), COMPLEXES);
    SgeHosts.bytes(digits);
    SgeWords.submitted(answer(1, digits, colons));
  }
}
