package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.fact.RunGranted;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShadowNotesTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ShadowNotes notes =
      new ShadowNotes(new PrintStream(bytes, true, StandardCharsets.UTF_8));

  private static List<NodeShare> on(String node) {
    return List.of(new NodeShare(node, node, 1, Map.of("ncpus", 1L)));
  }

  private void decide(String job, String node) {
    RunJob run = new RunJob();
    run.setJobId(job);
    run.setShares(on(node));
    notes.decided(run);
  }

  private void grant(String job, String node) {
    RunGranted granted = new RunGranted();
    granted.setJobId(job);
    granted.setAllocation(new Allocation(on(node), "", "", null));
    notes.heard(granted);
  }

  @Test
  void decisionsStandBesideWhatWasGranted() {
    decide("1.h", "a");
    decide("1.h", "a");
    decide("2.h", "a");
    decide("2.h", "b");
    grant("1.h", "a");
    grant("2.h", "a");
    grant("3.h", "a");
    notes.sum();
    assertEquals(
        List.of(
            "would run 1.h on a{ncpus=1}",
            "would run 2.h on a{ncpus=1}",
            "would run 2.h on b{ncpus=1}",
            "1.h runs as decided here",
            "2.h runs on a{ncpus=1}",
            "shadow: 1 runs as decided here, 1 on other nodes, 1 before a decision here"),
        bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }

  @Test
  void whateverAnEngineProposesIsTold() {
    Proposals proposals = new Proposals(new EngineSeat("default", 1, 0, "h", () -> {}), "h");
    notes.decided(proposals.preempt(new Preempt(2, 3, "SR"), 0));
    notes.decided(proposals.resume(2, 1, 0));
    notes.decided(proposals.suspend(4, 1, 0));
    assertEquals(
        List.of("would stop 2.h for 3.h", "would let 2.h go on", "would suspend 4.h"),
        bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }
}
