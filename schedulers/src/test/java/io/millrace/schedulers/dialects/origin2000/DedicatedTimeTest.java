package io.millrace.schedulers.dialects.origin2000;

import static io.millrace.schedulers.dialects.origin2000.OriginScene.DEDICATED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schemas.pbs.origin.Outage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DedicatedTimeTest {

  private static final long NOW = Instant.parse("1999-11-09T20:00:00Z").getEpochSecond();

  /** All dedicated times of a host that still come, one after the other. */
  private static List<String> times(Map<String, String> outputs, String system) {
    OutageCache cache = new OutageCache();
    OutageCache.Asking asking =
        new OutageCache.Asking(
            name -> Optional.ofNullable(outputs.get(name)),
            Optional.ofNullable(system),
            0,
            ZoneOffset.UTC);
    List<String> times = new ArrayList<>();
    Optional<Outage> next = cache.next("h1.example.org", NOW, NOW, asking);
    while (next.isPresent()) {
      Outage it = next.get();
      String begin = Instant.ofEpochSecond(it.begin()).toString().substring(11, 19);
      String end = Instant.ofEpochSecond(it.end()).toString().substring(11, 19);
      times.add(it.name() + " " + begin + "-" + end);
      next = cache.next("h1.example.org", it.end(), NOW, asking);
    }
    return times;
  }

  private static String line(String name, String times) {
    return name + " 11/09/1999 " + times + " 11/09/1999 why\n";
  }

  @Test
  void theLinesOfTheHostThatAreNotOverCount() {
    String output =
        line("OTHER", "21:00-22:00")
            + line("H1", "18:00-20:00")
            + "        continued 11/09/1999 20:00-21:00 11/09/1999\n"
            + line("H1", "22:00-22:00")
            + line("H1", "21:00-22:00").replace("why", "CANCELLED")
            + line("h1", "22:00-23:00");
    assertEquals(List.of("h1 22:00:00-23:00:00"), times(Map.of("h1", output), null));
  }

  @Test
  void theSystemsTimesCutThoseOfTheHost() {
    String host = line("H1", "20:30-21:30") + line("H1", "22:00-23:30");
    String system = line("ALL", "21:00-22:10") + line("ALL", "22:30-22:40");
    assertEquals(
        List.of(
            "h1 20:30:00-20:59:59",
            "all 21:00:00-22:10:00",
            "h1 22:10:01-22:29:59",
            "all 22:30:00-22:40:00",
            "h1 22:40:01-23:30:00"),
        times(Map.of("h1", host, "all", system), "all"));
    assertEquals(
        List.of("all 20:00:00-23:59:00"),
        times(Map.of("h1", host, "all", line("ALL", "20:00-23:59")), "all"));
  }

  @Test
  void anAnswerThatCannotBeUsedLeavesTheLastOne() {
    String outage = "HOPPER 11/09/1999 22:00-23:00 11/09/1999";
    for (String bad : List.of("", "ERROR: no server", "nothing to say", "HOPPER 02/30/1999")) {
      OriginScene scene = new OriginScene(DEDICATED).dedicatedTime("hopper", outage);
      String told = scene.job("1", 4, "2:00:00", "").run();
      assertTrue(told.contains("Can't complete before next dedicated time"), told);
      told = scene.after(600).dedicatedTime("hopper", bad).job("2", 4, "2:00:00", "").run();
      assertTrue(told.contains("2: Can't complete before"), bad + " gives " + told);
    }
  }

  @Test
  void inDedicatedTimeTheDedicatedQueueRuns() {
    OriginScene scene =
        new OriginScene(DEDICATED)
            .queue("ded", 32, -1)
            .dedicatedTime("hopper", "HOPPER 11/09/1999 19:00-23:00 11/09/1999");
    String told =
        scene
            .job("1", 4, "1:00:00", "")
            .job("2", 4, "2:59:59", "queue=ded")
            .job("3", 8, "3:00:00", "queue=ded")
            .job("4", 40, "1:00:00", "queue=ded")
            .job("5", 30, "1:00:00", "queue=ded")
            .run();
    assertEquals(
        "1: All destination queues are too full to accept this job\n"
            + "2: Started on Tue Nov  9 20:00:00 1999\nrun 2 on ded@hopper\n"
            + "3: Can't complete within this dedicated time (hopper 11/09/1999 23:00)\n"
            + "delete 4: Would exceed queue 'ded' node limit (32).\n"
            + "5: Would over-subscribe node resources (32 max)",
        told);
  }
}
