package io.millrace.ops.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.TraceJob;
import io.millrace.schedulers.simulator.Workload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {

  private static final List<TraceJob> JOBS =
      List.of(new TraceJob(7, 100, 50, 2, 60), new TraceJob(8, 100, 5, 1, 60));

  /** Two jobs: the first runs at once on both processors, the second waits for it. */
  private static Schedule two() {
    return new Schedule(new Workload(2, 0, JOBS, new TraceFindings()), new long[] {100, 150});
  }

  @TempDir Path folder;

  @Test
  void theMetricsHaveTheirNames() throws IOException {
    Schedule schedule = two();
    List<Result> results = List.of(Schedules.result("EASY", schedule));
    JsonNode json =
        new ObjectMapper().readTree(ResultJson.text("two", schedule.workload(), results));
    for (JsonNode one : List.of(json, json.get("policies").get(0))) {
      assertEquals("EASY", one.get("policy").asText());
      assertEquals(2, one.get("jobs").asInt());
      assertEquals((1 + 5.5) / 2, one.get("bounded_slowdown_mean").asDouble(), 1e-12);
      assertEquals(25, one.get("wait_mean_s").asDouble(), 1e-12);
      assertEquals(105.0 / 110, one.get("utilisation").asDouble(), 1e-12);
      assertEquals(55, one.get("makespan_s").asLong());
      assertEquals(0.5, one.get("elapsed_s").asDouble(), 1e-12);
    }
  }

  @Test
  void eachJobHasALineOfTheCsv() throws IOException {
    Path file = folder.resolve("out.csv");
    ScheduleCsv.write(file, List.of(Schedules.result("a,\"b\"", two())));
    assertEquals(
        List.of(
            "policy,job,processors,submit_s,start_s,end_s,wait_s,run_s,estimate_s,bounded_slowdown",
            "\"a,\"\"b\"\"\",7,2,100,100,150,0,50,60,1.000",
            "\"a,\"\"b\"\"\",8,1,100,150,155,50,5,60,5.500"),
        Files.readAllLines(file));
  }

  @Test
  void anErasedBarDoesNotComeAgain() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicLong nanos = new AtomicLong();
    ProgressBar bar = new ProgressBar(new PrintStream(out), true, "easy", nanos::get);
    bar.at(1, 30);
    assertEquals("", out.toString(), "what ends at once needs no bar");
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    bar.at(15, 30);
    String shown = "\r\u001b[Keasy [" + "#".repeat(15) + ".".repeat(15) + "] 15 of 30 jobs";
    assertEquals(shown, out.toString());
    bar.end();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    bar.at(16, 30);
    bar.end();
    assertEquals(shown + "\r\u001b[K", out.toString());
  }

  @Test
  void curvesAreMeansOverTheirBins() {
    ReportSeries series = new ReportSeries(100, 160, 6);
    double[] full = {1, 1, 1, 1, 1, 0.25};
    assertArrayEquals(full, series.utilisation(two()), 1e-12);
    assertArrayEquals(new double[] {1, 1, 1, 1, 1, 0}, series.waiting(two()), 1e-12);
    assertArrayEquals(new long[] {0, 0, 50}, ReportSeries.waitQuantiles(two(), 2));
  }

  @Test
  void thePageNeedsNothingFromElsewhere() throws IOException {
    Path file = folder.resolve("report.html");
    Schedule schedule = Schedules.random(3, 16, 4000);
    String policy = "<!--<script>'\"&@PLOTS@";
    ReportPage.write(file, "a </script><b>@DATA@", List.of(Schedules.result(policy, schedule)));
    String page = Files.readString(file);
    try (InputStream in =
        ReportPage.class.getResourceAsStream("/META-INF/echarts/echarts.min.js")) {
      String library = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(page.contains(library));
      page = page.replace(library, "");
    }
    assertFalse(page.contains("@TITLE@") || page.contains("@LIBRARY@"));
    assertFalse(page.contains("<!--"), "a script that begins within one has no end");
    assertFalse(page.matches("(?s).*<(script|link|img|iframe)[^>]*(src|href)=.*"));
    assertTrue(
        page.contains("<div class=\"wide\"><table") && page.contains(".wide { overflow-x: auto;"),
        "in a narrow window the table has a bar of its own to scroll by");
    assertTrue(page.contains("<h1>a &lt;/script&gt;&lt;b&gt;@DATA@</h1>"));
    assertFalse(page.contains("a </script>"));
    int begin = page.indexOf("id=\"data\">") + "id=\"data\">".length();
    JsonNode data =
        new ObjectMapper().readTree(page.substring(begin, page.indexOf("</script>", begin)));
    assertEquals("a </script><b>@DATA@", data.get("trace").asText());
    assertEquals(policy, data.get("policies").get(0).get("policy").asText());
    assertTrue(
        page.contains("echarts.format.encodeHTML(p.seriesName)"), "it is made part of a page");
    assertFalse(data.get("ganttWhole").asBoolean());
    assertTrue(data.get("policies").get(0).get("bars").size() > 2000);
  }
}
