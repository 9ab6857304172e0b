package io.millrace.schedulers.dialects.schedconfig.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Nodes of clusters of other systems under the files of a PBS scheduler. */
class LiveClusterNodesTest {

  private LiveSiteFixture scene;

  private void scene(String... lines) {
    scene = new LiveSiteFixture("UTC", "2026-06-01T12:00:00Z", 2, "workq");
    scene.file("sched_config", String.join("\n", lines) + "\n").load();
    for (String name : List.of("a1@c1", "b1@c2", "b2@c2", "n2")) {
      scene.written(Records.object(ObjectKind.NODE, name));
      scene.state.facts().node(Records.node(name, name, 2, 1L << 30));
    }
  }

  private String run(String request) {
    scene.submit("u", "workq", request);
    List<Start> starts =
        Cycle.run(scene.state, Instant.ofEpochMilli(scene.nowMs), Long.MAX_VALUE).starts();
    starts.forEach(
        it ->
            scene
                .state
                .facts()
                .granted(it.jobNumber(), Records.allocation(it.shares()), scene.nowMs));
    return starts.stream()
        .flatMap(it -> it.shares().stream())
        .map(NodeShare::getNode)
        .collect(Collectors.joining(" "));
  }

  private String comment() {
    return ReasonText.pbsComment(
        scene.state.reasons().take(1).reasons().get(0), ResourceTable.standard());
  }

  @Test
  void oneThatOnlyNodesOfSeveralWouldHoldWaits() {
    scene("backfill: true ALL");
    assertEquals("", run("select=3:ncpus=2"));
    assertEquals("Can Never Run: Not enough total nodes available", comment());
  }

  @Test
  void aRunIsOnNodesOfOneOrOfNone() {
    scene("backfill: true ALL", "node_sort_key: \"ncpus HIGH unused\" ALL");
    assertEquals("b1@c2 b2@c2", run("select=2:ncpus=2"), "a1@c1 comes first, but is alone");
    assertEquals("n1", run("select=1:ncpus=1:vnode=n1"));
    assertEquals("n2", run("select=1:ncpus=1:vnode=n2"));
    assertEquals("", run("select=3:ncpus=1"), "two and two are free");
    assertEquals("Not Running: Not enough free nodes available", comment());
    assertEquals("a1@c1", run("select=2:ncpus=1"));
    assertEquals("n1 n2", run("select=2:ncpus=1"));
  }

  @Test
  void hostsInTurnAreThoseOfOneOrOfNone() {
    scene("backfill: true ALL", "smp_cluster_dist: round_robin");
    assertEquals("b1@c2", run("ncpus=1"));
    assertEquals("b2@c2", run("ncpus=1"));
    assertEquals("n1 n2", run("select=2:ncpus=2"));
    assertEquals("", run("select=3:ncpus=1"), "two are free on a1@c1, and one and one");
    assertEquals("a1@c1", run("select=2:ncpus=1"));
    assertEquals("b1@c2 b2@c2", run("select=2:ncpus=1"));
  }
}
