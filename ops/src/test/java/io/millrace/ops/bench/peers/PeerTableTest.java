package io.millrace.ops.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerTableTest {

  @Test
  void ratiosSayHowManyTimesBetterTheFirstIs() {
    List<BatchSystem> systems =
        List.of(system("millrace", "Millrace"), system("other", "Other"), system("none", "None"));
    Map<String, Double> figures =
        Map.of(
            "millrace_loop_1_per_s", 200.0,
            "other_loop_1_per_s", 50.0,
            "millrace_start_idle_p50_ms", 10.0,
            "other_start_idle_p50_ms", 25.0);
    List<String> lines = PeerTable.lines(figures, systems).stream().sorted().toList();
    assertEquals(3, lines.size());
    assertEquals("Millrace Other None", words(lines.get(0)));
    assertEquals("loop_1_per_s 200.0 50.0 (4.0x) -", words(lines.get(1)));
    assertEquals("start_idle_p50_ms 10.0 25.0 (2.5x) -", words(lines.get(2)));
  }

  @Test
  void thereIsNoRatioOfWhatCannotBeCompared() {
    List<BatchSystem> systems = List.of(system("millrace", "Millrace"), system("other", "Other"));
    Map<String, Double> figures =
        Map.of(
            "millrace_scripts_1000_daemons_ms", 4.0,
            "other_scripts_1000_daemons_ms", 8.0,
            "millrace_scripts_1000_machine_ms", 4.0,
            "other_scripts_1000_machine_ms", 8.0);
    List<String> lines = PeerTable.lines(figures, systems).stream().sorted().toList();
    assertEquals("scripts_1000_daemons_ms 4.0 8.0", words(lines.get(1)));
    assertEquals("scripts_1000_machine_ms 4.0 8.0 (2.0x)", words(lines.get(2)));
  }

  @Test
  void processesAreFoundByName() throws Exception {
    String own = ProcessHandle.current().info().command().orElseThrow();
    String name = own.substring(own.lastIndexOf('/') + 1);
    assertTrue(SystemTime.named(java.util.Set.of(name)).contains(ProcessHandle.current().pid()));
    assertEquals(List.of(), SystemTime.named(java.util.Set.of("no-such-process")));
  }

  private static BatchSystem system(String name, String title) {
    return new BatchSystem(name, title, "", "", Map.of(), List::of);
  }

  private static String words(String line) {
    return String.join(" ", line.strip().split(" +"));
  }
}
