package io.millrace.schemas.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MeasuresTest {

  private final Measures measures = new Measures();

  private List<String> lines(PartKind part) {
    return new String(measures.text(part), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Test
  void aPartTellsItsOwnNumbersAndNoOthers() {
    measures.count(Metric.SUBMISSIONS);
    measures.count(Metric.SUBMISSIONS, 2);
    measures.set(Metric.JOBS, 7, "0", "workq", "queued");
    measures.observe(Metric.START_LATENCY, 0.02);
    List<String> server = lines(PartKind.SERVER);
    assertTrue(server.contains("millrace_submissions_total 3.0"), server.toString());
    assertTrue(
        server.contains("millrace_jobs{queue=\"workq\",shard=\"0\",state=\"queued\"} 7.0"),
        server.toString());
    assertTrue(
        server.contains("millrace_start_latency_seconds_bucket{le=\"0.01\"} 0"), server.toString());
    assertTrue(
        server.contains("millrace_start_latency_seconds_bucket{le=\"0.025\"} 1"),
        server.toString());
    assertTrue(lines(PartKind.GATEWAY).stream().noneMatch(line -> line.contains("submissions")));
  }

  @Test
  void whatIsCountedIsThereBeforeItHappens() {
    assertTrue(lines(PartKind.SERVER).contains("millrace_dead_letters_total 0.0"));
  }

  @Test
  void aSeriesThatIsGoneIsNotTold() {
    measures.set(Metric.SHARD_OWNED, 1, "3");
    assertTrue(lines(PartKind.SERVER).contains("millrace_shard_owned{shard=\"3\"} 1.0"));
    measures.drop(Metric.SHARD_OWNED, "3");
    measures.drop(Metric.SHARD_OWNED, "4");
    assertTrue(lines(PartKind.SERVER).stream().noneMatch(line -> line.contains("shard_owned")));
  }

  @Test
  void whatIsAskedForIsAnsweredThen() {
    double[] open = {2};
    measures.answer(Metric.SESSIONS, into -> into.is(open[0]));
    assertTrue(lines(PartKind.GATEWAY).contains("millrace_sessions 2.0"));
    open[0] = 3;
    assertTrue(lines(PartKind.GATEWAY).contains("millrace_sessions 3.0"));
  }

  @Test
  void seriesAreBounded() {
    for (int i = 0; i < Measures.SERIES_MAX + 100; i++) {
      measures.set(Metric.JOBS, i, "0", "q" + i, "queued");
    }
    long jobs = lines(PartKind.SERVER).stream().filter(it -> it.contains("_jobs{")).count();
    assertEquals(Measures.SERIES_MAX, jobs);
    measures.drop(Metric.JOBS, "0", "q5", "queued");
    measures.set(Metric.JOBS, 1, "0", "new", "queued");
    assertTrue(lines(PartKind.SERVER).stream().anyMatch(it -> it.contains("\"new\"")));
  }

  @Test
  void namesAreThoseOfTheirKind() {
    Set<String> names = new HashSet<>();
    for (Metric metric : Metric.values()) {
      assertTrue(names.add(metric.text()), metric.text());
      boolean total = metric.text().endsWith("_total");
      assertEquals(metric.kind() == Metric.MetricKind.COUNTER, total, metric.text());
      assertFalse(metric.labels().contains("user") || metric.labels().contains("job"));
    }
  }

  @Test
  void aPartIsReadyWhenNothingIsInTheWay() {
    Health health = new Health(PartKind.WEB, measures);
    assertEquals("it starts", health.obstacle());
    assertTrue(lines(PartKind.WEB).contains("millrace_ready{part=\"web\"} 0.0"));
    health.ready(() -> "");
    assertTrue(lines(PartKind.WEB).contains("millrace_ready{part=\"web\"} 1.0"));
  }
}
