package io.millrace.schemas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeLoadsTest {

  private static Map<String, Long> host(double medium, long freeMb) {
    Map<String, Long> loads = new HashMap<>();
    loads.put("ncpus", 2L);
    loads.put("load.load_short", 3_000_000L);
    loads.put("load.load_medium", Math.round(medium * 1e6));
    loads.put("load.load_long", 500_000L);
    loads.put("load.num_proc", 2L);
    loads.put("load.mem_total", 8192L << 20);
    loads.put("load.mem_free", freeMb << 20);
    loads.put("load.swap_total", 0L);
    loads.put("load.swap_free", 0L);
    return loads;
  }

  @Test
  void valuesAsAHostOfGridEngineReportsThem() {
    Map<String, String> texts = NodeLoads.texts(host(1.234375, 2048));
    assertEquals("1.234375", texts.get("load_avg"));
    assertEquals("0.617188", texts.get("np_load_avg"));
    assertEquals("2048.000000M", texts.get("mem_free"));
    assertEquals("6144.000000M", texts.get("virtual_used"));
    assertEquals("2", texts.get("num_proc"));
    assertEquals(Map.of(), NodeLoads.texts(Map.of("ncpus", 2L)));
  }

  @Test
  void whatComesAndGoesIsNoNews() {
    Map<String, Long> before = host(1.0, 2048);
    assertFalse(NodeLoads.news(before, host(1.2, 2100)));
    assertTrue(NodeLoads.news(before, host(1.3, 2048)));
    assertTrue(NodeLoads.news(before, host(1.0, 1024)));
    assertFalse(NodeLoads.news(host(40, 2048), host(41, 2048)));
    assertTrue(NodeLoads.news(Map.of(), before));
    assertTrue(NodeLoads.among(before));
    assertFalse(NodeLoads.among(Map.of("ncpus", 2L)));
    assertEquals(Map.of("ncpus", 2L), NodeLoads.without(before));
    assertEquals(Map.of("ncpus", 2L), NodeLoads.without(Map.of("ncpus", 2L)));
  }

  @Test
  void thatANodeIsAwayIsNewsAndStaysAmongItsAmounts() {
    Map<String, Long> here = Map.of("ncpus", 2L, NodeLoads.AWAY, 0L);
    Map<String, Long> silent = Map.of("ncpus", 2L, NodeLoads.AWAY, NodeLoads.SILENT);
    assertTrue(NodeLoads.news(Map.of(), here));
    assertFalse(NodeLoads.news(here, here));
    assertTrue(NodeLoads.news(here, silent));
    assertTrue(NodeLoads.news(silent, here));
    assertEquals(Map.of("ncpus", 2L), NodeLoads.without(here));
    assertEquals(silent, NodeLoads.without(silent));
    assertEquals(NodeLoads.SILENT, NodeLoads.away(silent));
    assertEquals(0, NodeLoads.away(Map.of("ncpus", 2L)));
  }

  @Test
  void whatOthersHoldIsNewsAndNoAmountOfTheNode() {
    Map<String, Long> some = Map.of("ncpus", 4L, NodeLoads.HELD + "ncpus", 3L, NodeLoads.AWAY, 0L);
    Map<String, Long> none = Map.of("ncpus", 4L, NodeLoads.HELD + "ncpus", 0L, NodeLoads.AWAY, 0L);
    assertTrue(NodeLoads.news(none, some));
    assertTrue(NodeLoads.news(some, none));
    assertFalse(NodeLoads.news(some, some));
    assertEquals(Map.of("ncpus", 3L), NodeLoads.held(some));
    assertEquals(Map.of(), NodeLoads.held(none));
    assertEquals(Map.of("ncpus", 4L), NodeLoads.without(some));
    assertEquals(Map.of("ncpus", 4L, NodeLoads.HELD + "ncpus", 3L), NodeLoads.ofRoom(some));
    assertEquals(Map.of("ncpus", 4L), NodeLoads.ofRoom(none));
  }

  /** A cluster that stayed a little under what is too much would be sent nothing for ever. */
  @Test
  void aStressThatPassesTheBoundIsNews() {
    Map<String, Long> over = Map.of(NodeLoads.STRESS, 850L);
    Map<String, Long> under = Map.of(NodeLoads.STRESS, 780L);
    assertTrue(NodeLoads.news(over, under));
    assertTrue(NodeLoads.news(under, over));
    assertFalse(NodeLoads.news(under, Map.of(NodeLoads.STRESS, 800L)));
    assertFalse(NodeLoads.news(over, Map.of(NodeLoads.STRESS, 910L)));
    assertTrue(NodeLoads.news(under, Map.of(NodeLoads.STRESS, 680L)));
  }
}
