package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The same with a Slurm that keeps its accounting in a database. */
class SlurmDatabaseIT extends SlurmContractIT {

  @Override
  Map<String, String> environment() {
    return Map.of("MILLRACE_SLURM_DATABASE", "1");
  }

  /** Both places of the tag outlive the queue, which forgets jobs. */
  @Test
  void theDatabaseKeepsTheTagInBothPlaces() throws Exception {
    OutsideTag tag;
    OutsideRun run;
    try (Site site = new Site(runner())) {
      tag = submit(site, "exit 0");
      assertEquals(0, site.end(tag).status());
      run = site.bridge.run(tag).orElseThrow();
    }
    String wanted = run.id().orElseThrow().number() + "|" + tag + "|" + tag + "|COMPLETED\n";
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told(run), wanted::equals);
  }

  private static String told(OutsideRun run) throws InterruptedException {
    long number = run.id().orElseThrow().number();
    List<String> words =
        List.of(
            "/usr/bin/sacct",
            "--noheader",
            "--allocations",
            "--parsable2",
            "--format=JobIDRaw,Comment,WCKey,State",
            "--jobs=" + number);
    OutsideAnswer answer =
        new ProcessRunner()
            .run(new OutsideCommand(words, new byte[0], Map.of(), Duration.ofSeconds(30), 100_000));
    return Optional.of(answer).filter(OutsideAnswer::isGood).map(OutsideAnswer::out).orElse("");
  }
}
