package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.gridengine.SgeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GridEngineContractIT extends ResourcesContract {

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
        "parallel_environment_hosts = mrpe.%",
        "resource.ngpus = mrgpu/slot",
        "reporting = /var/lib/gridengine/default/common/reporting");
  }

  /** Its own accounting file is another one, and it has no key for none. */
  @Override
  List<String> keysWithoutAccounting() throws IOException {
    return List.of(
        "sge_root = /var/lib/gridengine",
        "parallel_environment = mrsmp",
        "accounting = " + Files.createTempFile("millrace-none", ""));
  }

  @Override
  boolean showsEnds() {
    return false;
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

  @Override
  String pair() throws Exception {
    system("more");
    Path file = Files.createTempDirectory("millrace-pair").resolve("queue");
    Files.writeString(
        file,
        must(List.of("/usr/bin/qconf", "-sq", "mr.place"))
            .replaceAll("(?m)^qname .*$", "qname mr.pair")
            .replaceAll("(?m)^slots .*$", "slots 3")
            .replaceAll("(?m)^complex_values .*$", "complex_values NONE"));
    must(List.of("/usr/bin/qconf", "-Aq", file.toString()));
    return "mr.pair";
  }

  @Override
  void paired(boolean open) throws Exception {
    must(List.of("/usr/bin/qmod", open ? "-e" : "-d", "mr.pair"));
  }

  @Override
  List<String> hosts() {
    return List.of("mrhost1", "mrhost2");
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

  /** All that it asks for stays but the limit; the host of one that runs keeps the one it has. */
  @Test
  void whatWaitsThereGetsAnotherLimit() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = tag();
      waiting(
          site,
          tag,
          "sleep 100",
          number -> {
            Controlled said = site.bridge.limit(tag, 5);
            String words = assertInstanceOf(Controlled.Done.class, said).words();
            assertTrue(words.contains("modified hard resource list of job " + number), words);
          });
      assertEquals(OutsideCause.TIME_LIMIT, site.end(tag).cause());
      OutsideTag runs = submit(site, "sleep 4; exit 2");
      site.until(runs, it -> it.state() == OutsideRunState.RUNNING);
      String no = refusal(site.bridge.limit(runs, 1));
      assertTrue(no.contains("of a job that has begun"), no);
      assertEquals(2, site.end(runs).status());
    }
  }
}
