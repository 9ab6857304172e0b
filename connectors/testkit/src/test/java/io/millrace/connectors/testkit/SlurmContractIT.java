package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.slurm.SlurmKind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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
  List<String> keys() {
    return List.of(
        "cluster_name = hand",
        "resource.ngpus = gres/gpu",
        "accounting = /var/spool/millrace-slurm/jobcomp",
        "starts = /var/spool/millrace-slurm/starts");
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

  @Test
  void genericResourcesAreAskedForAndCounted() throws Exception {
    whatElseJobsAskForIsCounted();
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
