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
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.slurm.SlurmKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SlurmContractIT extends ResourcesContract {

  @Override
  OutsideKind kind() {
    return new SlurmKind();
  }

  @Override
  String script() {
    return "slurm.sh";
  }

  @Override
  List<String> keys() throws IOException {
    return List.of(
        "cluster_name = hand",
        "resource.ngpus = gres/gpu",
        "accounting = /var/spool/millrace-slurm/jobcomp",
        "starts = /var/spool/millrace-slurm/starts");
  }

  @Override
  List<String> keysWithoutAccounting() throws IOException {
    return keys().stream().filter(it -> !it.matches("(accounting|starts) =.*")).toList();
  }

  @Override
  boolean showsEnds() {
    return true;
  }

  @Override
  Set<String> submitting() {
    return Set.of("sbatch", "/usr/bin/sbatch");
  }

  @Override
  PeerAdministrator administrator() {
    return PeerAdministrator.SLURM;
  }

  @Override
  String pair() throws Exception {
    system("more");
    return "mrplace";
  }

  @Override
  List<String> hosts() {
    return List.of("mrhost1", "mrhost2");
  }

  @Override
  boolean passesSignals() {
    return true;
  }

  @Override
  boolean takesArrays() {
    return true;
  }

  /** An administrator hides the jobs of others while runs are there. */
  @Test
  void whatIsHiddenWhileRunsAreThereIsNotOver() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag over = submit(site, "echo begun; sleep 5; exit 3");
      OutsideTag longer = submit(site, "echo begun; sleep 45; echo over; exit 5");
      site.until(longer, it -> it.state() == OutsideRunState.RUNNING);
      site.until(over, it -> it.state() != OutsideRunState.WAITING);
      OutsideAnswer hidden = system("set", "PrivateData", "jobs");
      assertTrue(hidden.isGood(), hidden::trouble);
      try {
        long until = System.nanoTime() + Duration.ofSeconds(35).toNanos();
        Awaitility.await()
            .atMost(Duration.ofSeconds(120))
            .pollInterval(Duration.ofMillis(200))
            .until(
                () -> {
                  site.bridge.step();
                  OutsideRun run = site.bridge.run(longer).orElseThrow();
                  boolean lives = !output(longer).endsWith("over\n");
                  assertTrue(run.state().isOutside() || !lives, () -> "it lives: " + run);
                  return System.nanoTime() > until;
                });
      } finally {
        OutsideAnswer shown = system("set", "PrivateData", "-");
        assertTrue(shown.isGood(), shown::trouble);
      }
      assertEquals(3, site.end(over).status());
      assertEquals(5, site.end(longer).status());
      assertEquals("begun\n", output(over));
      assertEquals("begun\nover\n", output(longer));
      for (OutsideTag tag : List.of(over, longer)) {
        assertEquals(1, site.bridge.run(tag).orElseThrow().attempts());
      }
    }
  }

  /** Its owner may make it longer while it waits only. */
  @Test
  void aJobGetsAnotherTimeLimitAndNoLongerOneWhileItRuns() throws Exception {
    try (Site site = new Site(runner())) {
      OutsideTag tag = tag();
      waiting(
          site,
          tag,
          "sleep 300",
          number -> {
            assertInstanceOf(Controlled.Done.class, site.bridge.limit(tag, 300));
            assertTrue(shown(number).contains(" TimeLimit=00:05:00 "), shown(number));
            assertInstanceOf(Controlled.Done.class, site.bridge.limit(tag, 6000));
            assertTrue(shown(number).contains(" TimeLimit=01:40:00 "), shown(number));
          });
      OutsideRun runs = site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
      long number = runs.id().orElseThrow().number();
      assertInstanceOf(Controlled.Done.class, site.bridge.limit(tag, 100));
      assertTrue(shown(number).contains(" TimeLimit=00:02:00 "), shown(number));
      String no = refusal(site.bridge.limit(tag, 6000));
      assertTrue(no.contains("permission"), no);
      refusal(site.bridge.control(tag, OutsideAction.SUSPEND));
      site.bridge.delete(tag);
      site.end(tag);
    }
  }

  private String shown(long number) throws InterruptedException {
    List<String> words = List.of("/usr/bin/scontrol", "show", "job", Long.toString(number));
    OutsideCommand question =
        new OutsideCommand(words, new byte[0], Map.of(), Duration.ofSeconds(30), 100_000);
    return new ProcessRunner().run(question).out();
  }
}
