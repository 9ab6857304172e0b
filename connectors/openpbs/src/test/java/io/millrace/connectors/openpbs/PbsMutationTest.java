package io.millrace.connectors.openpbs;

import static io.millrace.connectors.bridge.recorded.RecordedTexts.answer;

import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.connectors.openpbs.family.PbsRecord;
import io.millrace.schemas.Seeds;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class PbsMutationTest extends MutationTrial {

  private final String queue = PbsFixtures.text("qstat.json");
  private final String nodes = PbsFixtures.text("pbsnodes.json");
  private final String queues = PbsFixtures.text("queues.json");

  PbsMutationTest() {
    super("{}[]\":,\\\n 0=;", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  @Override
  protected void readMutated(int round) {
    PbsQueue.read(answer(0, mutated(queue), ""), "vm", ZoneOffset.UTC, Map.of("ngpus", "ngpus"));
    PbsHosts.read(
        answer(0, mutated(nodes), ""),
        answer(0, mutated(queues), ""),
        "vm",
        Optional.empty(),
        Map.of("ngpus", "ngpus"));
    PbsRecord.record(mutated(PbsFixtures.ENDED), "vm", "project", PbsEnds::of);
    PbsSystem.WORDS.submitted(answer(0, mutated(PbsFixtures.ENDED), ""), "vm");
    PbsSystem.WORDS.controlled(answer(1, "", mutated(PbsFixtures.ENDED)));
  }

  @Override
  protected void readLong() {
    String many = "11/20/2026 15:38:31;E;45.vm;" + "user= Exit_status=".repeat(100_000);
    String digits = "9".repeat(1_000_000);
    String head = "{\"pbs_server\":\"vm\",\"Jobs\":";
    PbsRecord.record(many, "vm", "project", PbsEnds::of);
    PbsSystem.WORDS.submitted(answer(1, digits, many + digits), "vm");
    for (String jobs :
        List.of(
            "[".repeat(100_000),
            "{\"1.vm\":".repeat(100_000),
            "{\"1.vm\":{\"substate\":" + digits + "}}}",
            "{\"1.vm\":{\"a\":" + "[".repeat(100_000))) {
      PbsQueue.read(answer(0, head + jobs, ""), "vm", ZoneOffset.UTC, Map.of("ngpus", "ngpus"));
    }
  }
}
