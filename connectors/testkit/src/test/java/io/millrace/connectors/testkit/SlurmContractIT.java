package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.slurm.SlurmKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SlurmContractIT extends AdministeredContract {

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

  /** The queue is asked when the job is submitted, and for a minute not again. */
  @Test
  void itsBeginAndItsEndAreHeardBetweenTwoQuestions() throws Exception {
    try (Site site = new Site(runner(), Duration.ofSeconds(60))) {
      OutsideTag tag = submit(site, "date +%s%3N; sleep 3; date +%s%3N; exit 4");
      site.until(tag, it -> it.state() == OutsideRunState.RUNNING);
      long begun = System.currentTimeMillis();
      site.until(tag, it -> it.state() == OutsideRunState.ENDING);
      long ending = System.currentTimeMillis();
      String[] times = output(tag).split("\n");
      long beginLate = begun - Long.parseLong(times[0]);
      long endLate = ending - Long.parseLong(times[1]);
      System.out.println("heard after its begin " + beginLate + " ms, end " + endLate + " ms");
      assertTrue(endLate < 30_000, () -> "the end was heard by a question: " + endLate + " ms");
      OutsideEnd end = site.end(tag);
      assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
      assertEquals(4, end.status());
    }
  }
}
