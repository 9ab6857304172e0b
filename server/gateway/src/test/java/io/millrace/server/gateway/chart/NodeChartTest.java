package io.millrace.server.gateway.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.chart.NodeChart.Holder;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Charts of nodes at several widths, of several periods and of many nodes. */
class NodeChartTest {

  private static final long HOUR = 3_600_000;
  private static final long START = Instant.parse("2026-11-20T15:30:00Z").toEpochMilli();

  private static NodeChart day() {
    NodeChart chart = new NodeChart(START, START + 24 * HOUR);
    chart.node("n1", true);
    chart.node("n2", false);
    for (int i = 3; i < 13; i++) {
      chart.node("n" + i, true);
    }
    chart.hold("n1", START - HOUR, START + 6 * HOUR, Holder.JOB);
    chart.hold("n1", START + 5 * HOUR, START + 12 * HOUR, Holder.BOOKING);
    chart.hold("n2", START + 23 * HOUR, START + 99 * HOUR, Holder.MAINTENANCE);
    chart.hold("n2", START + 23 * HOUR, Long.MAX_VALUE, Holder.BOOKING);
    chart.hold("n12", START + 24 * HOUR, START + 25 * HOUR, Holder.BOOKING);
    chart.hold("n12", START - HOUR, START, Holder.JOB);
    chart.hold("gone", START, START + HOUR, Holder.BOOKING);
    return chart;
  }

  @Test
  void aDayInATerminal() {
    assertEquals(
        """
                       18:00    21:00    Nov 21   03:00   06:00    09:00    12:00
        n1      ==============%%%%##################...................................
        n2     !....................................................................MMM
        n3 +9   .......................................................................
        = job   # booked   % both   M maintenance   . free   ! not usable now
        """,
        day().text(80, ZoneOffset.UTC));
  }

  @Test
  void narrowAndWide() {
    assertEquals(
        """
                          Nov 21          12:00
        n1      ======%%########...............
        n2     !.............................MM
        n3 +9   ...............................
        = job   # booked   % both   M maintenance   . free   ! not usable now
        """,
        day().text(10, ZoneOffset.UTC));
    for (int width : new int[] {40, 79, 133, 500, 100_000}) {
      int longest =
          day().text(width, ZoneOffset.UTC).lines().mapToInt(String::length).max().orElseThrow();
      assertTrue(longest <= Math.max(70, Math.min(width, 500)), width + ": " + longest);
    }
  }

  @Test
  void timesOfADayOnWhichTheClockGoesBack() {
    long from = Instant.parse("2026-10-24T22:00:00Z").toEpochMilli();
    NodeChart chart = new NodeChart(from, from + 6 * HOUR);
    assertEquals(
        """
            Oct 25   01:00    02:00             03:00    04:00
        = job   # booked   % both   M maintenance   . free   ! not usable now
        """,
        chart.text(60, ZoneId.of("Europe/Berlin")));
  }

  @Test
  void periodsOfAMinuteAndOfMillennia() {
    NodeChart minute = new NodeChart(START, START + 60_000);
    assertEquals("    15:30", minute.text(40, ZoneOffset.UTC).lines().findFirst().orElseThrow());
    NodeChart all = new NodeChart(0, Instant.parse("9999-12-31T00:00:00Z").toEpochMilli());
    String labels = all.text(500, ZoneOffset.UTC).lines().findFirst().orElseThrow();
    assertTrue(labels.startsWith("    1970-01 "), labels);
    assertTrue(labels.length() <= 500, labels);
  }

  @Test
  void manyNodesThatDifferAreCut() {
    NodeChart chart = new NodeChart(START, START + 1000 * HOUR);
    for (int i = 0; i < 2000; i++) {
      chart.node("a-very-long-name-of-a-node-with-the-number-" + i, true);
      chart.hold(
          "a-very-long-name-of-a-node-with-the-number-" + i,
          START + i / 10 * HOUR * 5,
          START + (i / 10 + 1) * HOUR * 5,
          Holder.BOOKING);
    }
    List<String> lines = chart.text(500, ZoneOffset.UTC).lines().toList();
    assertEquals(1 + 50 + 1 + 1, lines.size());
    assertTrue(lines.get(1).startsWith("a-very-long-name-of-a-node-with-the-number-0 +9 "));
    assertEquals("150 more rows, of 1500 nodes, are not shown", lines.get(51));
    String narrow = chart.text(60, ZoneOffset.UTC).lines().skip(1).findFirst().orElseThrow();
    assertTrue(narrow.startsWith("a-very-long-n~ +49   #."), narrow);
  }
}
