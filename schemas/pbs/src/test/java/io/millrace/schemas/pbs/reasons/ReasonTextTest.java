package io.millrace.schemas.pbs.reasons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTextTest {

  private static final long GB = 1L << 30;

  private static ClassReason reason(
      ReasonCode code, String subject, long needed, long free, long total) {
    return ClassReason.newBuilder()
        .setClassKey("k")
        .setCode(code.name())
        .setSubject(subject)
        .setNeeded(needed)
        .setFree(free)
        .setTotal(total)
        .build();
  }

  @Test
  void wordsOfPbs() {
    ResourceTable table = ResourceTable.standard();
    assertEquals(
        "Not Running: Insufficient amount of resource: ncpus (R: 4 A: 0 T: 16)",
        ReasonText.pbsComment(reason(ReasonCode.TOTAL_INSUFFICIENT, "ncpus", 4, 0, 16), table));
    assertEquals(
        "Can Never Run: Insufficient amount of resource: mem (R: 50gb A: 4gb T: 4gb)",
        ReasonText.pbsComment(reason(ReasonCode.NEVER_FITS, "mem", 50 * GB, GB, 4 * GB), table));
    assertEquals(
        "Not Running: Queue not started.",
        ReasonText.pbsComment(reason(ReasonCode.QUEUE_NOT_STARTED, "q", 0, 0, 0), table));
    assertEquals(
        "Not Running: No available resources on nodes",
        ReasonText.pbsComment(reason(ReasonCode.PLACE_NEVER, "scatter:excl", 2, 1, 1), table));
    assertEquals(
        "Can Never Run: Not enough total nodes available",
        ReasonText.pbsComment(reason(ReasonCode.PLACE_NEVER, "vscatter", 9, 2, 2), table));
    assertEquals(
        "Not Running: Placement set switch=A has too few free resources",
        ReasonText.pbsComment(reason(ReasonCode.SET_INSUFFICIENT, "switch=A", 0, 0, 0), table));
    assertEquals(
        "It can never run here: it fits into no placement set of switch, not even when nothing"
            + " runs, and its scheduler has do_not_span_psets.",
        ReasonText.words(reason(ReasonCode.SET_NEVER, "switch", 0, 0, 0), table));
    assertEquals(
        "Not Running: Not enough free nodes available",
        ReasonText.pbsComment(reason(ReasonCode.CLUSTER_INSUFFICIENT, "", 2, 0, 0), table));
    assertEquals(
        "Its nodes have to be all of one cluster of another system, or all of none, and none of"
            + " these has room for all its 2 chunks now.",
        ReasonText.words(reason(ReasonCode.CLUSTER_INSUFFICIENT, "", 2, 0, 0), table));
    assertEquals(
        "Not Running: Job is under job_sort_formula threshold value",
        ReasonText.pbsComment(reason(ReasonCode.UNDER_THRESHOLD, "5", 0, 0, 0), table));
    assertEquals(
        "Not Running: Job would conflict with reservation or top job",
        ReasonText.pbsComment(reason(ReasonCode.BOOKED, "R7", 0, 0, 0), table));
    assertEquals(
        "Reservation R7 has booked nodes on which it could run otherwise.",
        ReasonText.words(reason(ReasonCode.BOOKED, "R7", 0, 0, 0), table));
    assertEquals(
        "It waits for its reservation R7 to begin.",
        ReasonText.words(reason(ReasonCode.RESERVATION_AHEAD, "R7", 0, 0, 0), table));
    assertTrue(EligibleTime.limited(reason(ReasonCode.UNDER_THRESHOLD, "5", 0, 0, 0)));
    assertEquals(
        "It needs ncpus 4; ncpus 0 of ncpus 16 is free on all nodes together.",
        ReasonText.words(reason(ReasonCode.TOTAL_INSUFFICIENT, "ncpus", 4, 0, 16), table));
  }

  @ParameterizedTest
  @EnumSource(ReasonCode.class)
  void eachCodeHasASentence(ReasonCode code) {
    String words = ReasonText.words(reason(code, "ncpus", 2, 1, 8), ResourceTable.standard());
    assertTrue(words.endsWith("."), words);
    assertFalse(words.contains("\n"), words);
  }

  @Test
  void anEndThatHasPassedIsNotShown() {
    ClassReason reason = reason(ReasonCode.TOTAL_INSUFFICIENT, "ncpus", 4, 0, 16);
    reason.setUntilMs(1000);
    ResourceTable table = ResourceTable.standard();
    assertEquals(
        "It needs ncpus 4; ncpus 0 of ncpus 16 is free on all nodes together until 1000.",
        ReasonText.words(reason, table, 999, Long::toString));
    assertEquals(
        "It needs ncpus 4; ncpus 0 of ncpus 16 is free on all nodes together.",
        ReasonText.words(reason, table, 1000, Long::toString));
  }

  @Test
  void aCodeOfANewerEngineIsNamed() {
    ClassReason newer = ClassReason.newBuilder().setClassKey("k").setCode("MOON_PHASE").build();
    assertTrue(ReasonText.words(newer, ResourceTable.standard()).contains("MOON_PHASE"));
    assertEquals("", ReasonText.pbsComment(newer, ResourceTable.standard()));
  }

  @Test
  void theAdministratorsAmountsHavePrecedence() {
    ClusterObject license =
        new ClusterObject(
            ObjectKind.RESOURCE,
            "lic",
            1L,
            List.of(new Attribute("type", "long"), new Attribute("flag", "nh")),
            1L);
    ResourceTable table = ResourceTable.of(List.of(license));
    ClusterObject object =
        new ClusterObject(
            ObjectKind.NODE,
            "n1",
            1L,
            List.of(
                new Attribute("resources_available.ncpus", "16"),
                new Attribute("resources_available.lic", "3"),
                new Attribute("resources_available.arch", "sun4")),
            1L);
    Node node =
        Node.newBuilder()
            .setName("n1")
            .setHost("h1")
            .setMeasured(Map.of("ncpus", 2L, "mem", GB))
            .setHoldings(
                List.of(new Holding("1.vm", 1L, 1, Map.of("ncpus", 4L, "lic", 3L), 1, 0, false)))
            .build();
    assertEquals(
        Map.of("ncpus", 16L, "mem", GB, "lic", 3L), NodeAmounts.capacity(node, object, table));
    Map<String, Long> free = NodeAmounts.free(node, object, table);
    assertEquals(Map.of("ncpus", 12L, "mem", GB, "lic", 0L), free);
    assertTrue(NodeAmounts.fits(free, Map.of("ncpus", 12L, "mpiprocs", 99L)));
    assertFalse(NodeAmounts.fits(free, Map.of("ncpus", 1L, "lic", 1L)));
    Map<String, String> shown = NodeAmounts.properties(node, object, table);
    assertTrue(NodeAmounts.matches(shown, "arch", "sun4", table));
    assertFalse(NodeAmounts.matches(shown, "host", "h2", table));
  }
}
