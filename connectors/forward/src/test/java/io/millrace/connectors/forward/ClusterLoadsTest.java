package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.forward.load.ClusterLoads;
import io.millrace.schemas.NodeLoads;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of nodes with their loads. */
class ClusterLoadsTest {

  private static final Map<String, Long> MEASURED = Map.of("ncpus", 4L);

  @TempDir Path folder;

  private final ClusterLoads loads = new ClusterLoads(false);
  private Told<List<OutsideJob>> queue = Told.nothing("squeue: too long");

  private Object said(String question) {
    return switch (question) {
      case "changes" -> Told.of(new OutsideChanges(List.of(), List.of(), "1@1#1", true, false));
      case "snapshot" -> queue;
      case "tagged" -> Told.of(List.of());
      default -> false;
    };
  }

  private static OutsideHost host(String name, boolean usable) {
    return new OutsideHost(name, usable, "", 4, 1L << 30, Map.of());
  }

  private static OutsideJob running(String place, long slots) {
    return new OutsideJob(
        OutsideId.of(7),
        "other",
        "bob",
        Optional.empty(),
        OutsideState.RUNNING,
        "r",
        Optional.empty(),
        place,
        slots,
        Optional.empty(),
        "",
        List.of());
  }

  private OutsideBridge bridge(RunJournal journal) throws Exception {
    return PlayedBridge.of(
        journal,
        PlayedBridge.folders(folder.resolve("spool")),
        (question, arguments) -> said(question));
  }

  private long away(String host) {
    return NodeLoads.away(loads.of(host, MEASURED, false));
  }

  private Map<String, Long> held(String host) {
    return NodeLoads.held(loads.of(host, MEASURED, false));
  }

  /** A report says all that others hold: one of before that is known would say nothing. */
  @Test
  void noNodeIsOpenBeforeTheQueueWasRead() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      loads.told(List.of(host("n1.site", true), host("n2", true)), 0);
      bridge.step();
      loads.look(bridge);
      assertEquals(NodeLoads.CLOSED, away("n1.site"));
      assertEquals(NodeLoads.SILENT, NodeLoads.away(loads.of("n1.site", MEASURED, true)));
      queue = Told.of(List.of(running("n1", 4)));
      bridge.step();
      loads.look(bridge);
      assertEquals(0, away("n1.site"));
      assertEquals(Map.of("ncpus", 4L), held("n1.site"));
      assertEquals(0, away("n2"));
      assertEquals(Map.of(), held("n2"));
      assertEquals(4, loads.of("n2", MEASURED, false).get("ncpus"));
      queue = Told.nothing("squeue: too long");
      bridge.step();
      loads.look(bridge);
      assertEquals(0, away("n1.site"), "as the queue showed them last");
      assertEquals(Map.of("ncpus", 4L), held("n1.site"));
    }
  }

  @Test
  void aHostThatTakesNoJobsIsClosed() throws Exception {
    try (RunJournal journal = RunJournal.open(folder.resolve("journal"))) {
      OutsideBridge bridge = bridge(journal);
      queue = Told.of(List.of());
      bridge.step();
      loads.look(bridge);
      assertEquals(NodeLoads.CLOSED, away("n1"), "nobody has named it yet");
      loads.told(List.of(host("n1", true), host("n2", false)), 0);
      assertEquals(0, away("n1"));
      assertEquals(NodeLoads.CLOSED, away("n2"));
      loads.told(List.of(host("n2", true)), 0);
      assertEquals(NodeLoads.CLOSED, away("n1"), "it is named no more");
      assertEquals(0, away("n2"));
    }
  }
}
