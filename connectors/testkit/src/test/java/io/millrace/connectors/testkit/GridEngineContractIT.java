package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.gridengine.SgeKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GridEngineContractIT extends AdministeredContract {

  @Override
  OutsideKind kind() {
    return new SgeKind();
  }

  @Override
  String script() {
    return "gridengine.sh";
  }

  @Override
  List<String> keys() {
    return List.of(
        "sge_root = /var/lib/gridengine",
        "parallel_environment = mrsmp",
        "resource.ngpus = mrgpu/slot",
        "reporting = /var/lib/gridengine/default/common/reporting");
  }

  @Override
  Set<String> submitting() {
    return Set.of("qsub", "/usr/bin/qsub");
  }

  @Override
  PeerAdministrator administrator() {
    return PeerAdministrator.GRID_ENGINE;
  }

  @Override
  boolean passesSignals() {
    return false;
  }

  @Override
  boolean takesArrays() {
    return true;
  }

  @Test
  void consumablesAreAskedForAndCounted() throws Exception {
    whatElseJobsAskForIsCounted();
  }

  /** Its configuration takes a new limit of a user's jobs. */
  private void limit(int jobs) throws Exception {
    Path file = Files.createTempDirectory("millrace-limit").resolve("global");
    String all = must(List.of("/usr/bin/qconf", "-sconf", "global"));
    Files.writeString(
        file,
        all.replaceAll("(?m)^#.*\n", "").replaceAll("(?m)^max_u_jobs .*$", "max_u_jobs " + jobs));
    must(List.of("/usr/bin/qconf", "-Mconf", file.toString()));
  }

  private String must(List<String> words) throws InterruptedException {
    OutsideAnswer answer =
        new ProcessRunner()
            .run(
                new OutsideCommand(
                    words,
                    new byte[0],
                    administrator().environment(),
                    Duration.ofSeconds(30),
                    100_000));
    assertTrue(answer.isGood(), answer::toString);
    return answer.out();
  }

  @Test
  void whoHasAsManyJobsAsAllowedWaits() throws Exception {
    limit(2);
    try (Site site = new Site(runner())) {
      List<OutsideTag> tags = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        tags.add(submit(site, "sleep 2; exit " + i));
      }
      OutsideRun waits = site.until(tags.get(4), it -> site.bridge.trouble(it).isPresent());
      String why = site.bridge.trouble(waits).orElseThrow();
      assertTrue(why.contains("jobs are allowed per user"), why);
      for (int i = 0; i < 5; i++) {
        assertEquals(i, site.end(tags.get(i)).status());
      }
    } finally {
      limit(0);
    }
  }
}
