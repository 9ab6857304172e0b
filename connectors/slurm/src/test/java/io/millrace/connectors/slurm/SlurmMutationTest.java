package io.millrace.connectors.slurm;

import static io.millrace.connectors.bridge.recorded.RecordedTexts.answer;

import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.schemas.Seeds;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;

class SlurmMutationTest extends MutationTrial {

  private final String queue = SlurmFixtures.text("squeue.json");
  private final String database = SlurmFixtures.text("sacct.json");
  private final String nodes = SlurmFixtures.text("sinfo.json");

  SlurmMutationTest() {
    super("{}[]\":,\\\n 0=", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  private static final Map<String, String> TABLE = Map.of("ngpus", "gres/gpu");

  @Override
  protected void readMutated(int round) {
    SlurmHosts.read(answer(0, mutated(nodes), ""), Optional.empty(), TABLE);
    CompletionLine.record(mutated(SlurmFixtures.COMPLETION), ZoneOffset.UTC);
    SlurmWords.submitted(answer(0, mutated(SlurmFixtures.COMPLETION), ""));
    SlurmWords.controlled(answer(1, "", mutated(SlurmFixtures.COMPLETION)));
    if (round % 5 == 0) {
      SlurmQueue.read(answer(0, mutated(queue), ""), TABLE, it -> {});
      SacctJson.read(answer(0, mutated(database), ""), "hand");
    }
  }

  @Override
  protected void readLong() {
    String many = "JobId=" + " Name= JobState= ExitCode=".repeat(100_000);
    String digits = "9".repeat(1_000_000);
    CompletionLine.record(many, ZoneOffset.UTC);
    SlurmWords.submitted(answer(1, digits, many + digits));
    SlurmQueue.read(answer(0, "{\"jobs\":" + "[".repeat(100_000), ""), TABLE, it -> {});
    SlurmQueue.read(answer(0, "{\"jobs\":[{\"job_id\":" + digits + "}]}", ""), TABLE, it -> {});
    SacctJson.read(answer(0, "{\"jobs\":" + "[".repeat(100_000), ""), "hand");
    String deep = "{\"jobs\":[{\"cluster\":\"hand\",\"steps\":" + "[".repeat(100_000);
    SacctJson.read(answer(0, deep, ""), "hand");
    SacctJson.read(answer(0, "{\"jobs\":[{\"cluster\":" + digits + "}]}", ""), "hand");
  }
}
