package io.millrace.connectors.torque;

import static io.millrace.connectors.bridge.recorded.RecordedTexts.answer;

import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.connectors.openpbs.family.PbsRecord;
import io.millrace.schemas.Seeds;
import java.util.List;
import java.util.Map;

class TorqueMutationTest extends MutationTrial {

  private final String queue = TorqueFixtures.text("qstat.xml");
  private final String nodes = TorqueFixtures.text("pbsnodes.xml");

  TorqueMutationTest() {
    super("<>/&;\"'!?\n 0=", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  private static final Map<String, String> TABLE = Map.of("ngpus", "gpus");

  @Override
  protected void readMutated(int round) {
    TorqueQueue.read(answer(0, mutated(queue), ""), "vm", TABLE);
    TorqueHosts.read(
        answer(0, mutated(nodes), ""), answer(0, mutated(TorqueFixtures.QUEUES), ""), TABLE);
    PbsRecord.record(mutated(TorqueFixtures.ENDED), "vm", "account", TorqueEnds::of);
    TorqueSystem.WORDS.submitted(answer(0, mutated(TorqueFixtures.ENDED), ""), "vm");
    TorqueSystem.WORDS.controlled(answer(1, "", mutated(TorqueFixtures.ENDED)));
  }

  @Override
  protected void readLong() {
    String many = "11/20/2026 15:38:31;E;45.vm;" + "user= Exit_status=".repeat(100_000);
    String digits = "9".repeat(1_000_000);
    String head = "<?xml version=\"1.0\"?><Data>";
    PbsRecord.record(many, "vm", "account", TorqueEnds::of);
    TorqueSystem.WORDS.submitted(answer(1, digits, many + digits), "vm");
    for (String jobs :
        List.of(
            "<a>".repeat(100_000),
            "<Job>".repeat(100_000),
            "<Job><Job_Id>" + digits + "</Job_Id></Job></Data>",
            "<Job " + "a='' ".repeat(100_000),
            "&a;".repeat(100_000))) {
      TorqueQueue.read(answer(0, head + jobs, ""), "vm", TABLE);
    }
  }
}
