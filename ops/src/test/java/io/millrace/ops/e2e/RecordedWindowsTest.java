package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Windows lie here as they lay there, and those that were asked for are compared. */
class RecordedWindowsTest {

  private static final DateTimeFormatter ASKED = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");
  private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss");

  private final RecordedWindows windows =
      new RecordedWindows(LocalDateTime.of(2026, 11, 20, 15, 34, 48));

  private LocalDateTime start(String typed) {
    return LocalDateTime.parse(typed.replaceAll(".* -a (\\S+).*", "$1"), ASKED);
  }

  @Test
  void windowsKeepTheirDistances() {
    LocalDateTime before = LocalDateTime.now();
    LocalDateTime first = start(windows.typed("qrsub -a 202611201534.48 -d 0:0:40 -N a"));
    assertTrue(first.isAfter(before), "it begins in time to come");
    String typed = windows.typed("qrsub -a 202611201535.00 -e 202611201536.30 -N b");
    assertEquals(Duration.ofSeconds(12), Duration.between(first, start(typed)));
    LocalDateTime end = LocalDateTime.parse(typed.replaceAll(".* -e (\\S+).*", "$1"), ASKED);
    assertEquals(Duration.ofSeconds(90), Duration.between(start(typed), end));
    String absolute = "qrsub -a 203001010000 -e 202901010000";
    assertEquals(absolute, windows.typed(absolute));
  }

  @Test
  void onlyMomentsThatWereAskedForAreCompared() {
    LocalDateTime first = start(windows.typed("qrsub -a 202611201534.48 -d 0:0:40 -N a"));
    String recorded = windows.onRecordedClock("from " + first.format(SHOWN));
    assertEquals("from 11/20/2026 15:34:48", recorded);
    assertTrue(windows.isAsked("11/20/2026 15:34:48"));
    assertTrue(windows.isAsked("2026-11-20T15:35:28"), "its end");
    assertFalse(windows.isAsked("11/20/2026 15:34:49"));
    assertEquals("+40s", windows.recordedSeconds("1795188928"));
    assertEquals("TIME", windows.recordedSeconds("1795188929"));
    assertEquals("TIME", windows.localSeconds("1795188928"), "of another clock");
  }

  @Test
  void numbersOfReservationsAreTyped() {
    Recording.Entry recorded =
        new Recording.Entry(
            "alice", "qrsub -d 9", "Your advance reservation 7 has been granted\n", "", 0);
    String mine = "Your advance reservation 123 has been granted\n";
    Map<String, String> there = new HashMap<>();
    windows.learn(recorded, new Shell.Answer("qrsub -d 9", 0, mine, "", 1), there);
    assertEquals("7", there.get("123"));
    assertEquals("qrdel 123", windows.typed("qrdel 7"));
    assertEquals("qrstat -ar 123 -explain", windows.typed("qrstat -ar 7 -explain"));
    assertEquals("qrsub -d 7", windows.typed("qrsub -d 7"));
  }
}
