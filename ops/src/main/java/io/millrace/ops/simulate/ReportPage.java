package io.millrace.ops.simulate;

import static java.util.regex.Matcher.quoteReplacement;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceJob;
import io.millrace.schedulers.simulator.Workload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One HTML page with plots of all results; its plotting library is included, so it needs no
 * network.
 */
final class ReportPage {

  private static final int BINS = 500;
  private static final int QUANTILES = 400;
  private static final int BARS_MAX = 40_000;
  private static final Pattern PLACE = Pattern.compile("@(TITLE|LIBRARY|PLOTS|DATA)@");
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportPage() {}

  static void write(Path file, String trace, List<Result> results) throws IOException {
    Map<String, String> parts =
        Map.of(
            "@TITLE@", escaped(trace),
            "@LIBRARY@", resource("/META-INF/echarts/echarts.min.js"),
            "@PLOTS@", resource("report.js"),
            // Inside a script element even a string of JSON must not look like a tag.
            "@DATA@", data(trace, results).toString().replace("<", "\\u003c"));
    // All placeholders in one pass, because a trace or policy may be named like a placeholder.
    String page =
        PLACE
            .matcher(resource("report.html"))
            .replaceAll(it -> quoteReplacement(parts.get(it.group())));
    Files.writeString(file, page);
  }

  private static ObjectNode data(String trace, List<Result> results) {
    Schedule first = results.get(0).schedule();
    Workload workload = first.workload();
    long fromS = workload.jobs().get(0).submitS();
    long toS = fromS + 1;
    for (Result result : results) {
      toS = Math.max(toS, fromS + result.metrics().makespanS());
    }
    ReportSeries series = new ReportSeries(fromS, toS, BINS);
    GanttWindow window = GanttWindow.of(first, series, series.waiting(first));
    ObjectNode all = JSON.createObjectNode();
    all.put("trace", trace).put("processors", workload.processors());
    all.put("startEpochS", workload.startEpochS());
    all.put("fromS", fromS).put("binS", series.binS());
    all.put("ganttFromS", window.fromS()).put("ganttToS", window.toS());
    all.put("ganttWhole", window.fromS() == fromS && window.toS() == toS);
    workload.findings().sentences().forEach(all.putArray("findings")::add);
    ArrayNode policies = all.putArray("policies");
    for (Result result : results) {
      ObjectNode one = ResultJson.put(policies.addObject(), result);
      curve(one.putArray("utilisationCurve"), series.utilisation(result.schedule()));
      curve(one.putArray("waitingCurve"), series.waiting(result.schedule()));
      long[] quantiles = ReportSeries.waitQuantiles(result.schedule(), QUANTILES);
      Arrays.stream(quantiles).forEach(one.putArray("waitQuantiles")::add);
      bars(one.putArray("bars"), result.schedule(), window);
    }
    return all;
  }

  private static void curve(ArrayNode to, double[] curve) {
    for (double value : curve) {
      to.add(Math.round(value * 1e4) / 1e4);
    }
  }

  /** Start, end, lowest and highest processor, job number, processors, wait and estimate. */
  private static void bars(ArrayNode to, Schedule schedule, GanttWindow window) {
    for (List<GanttRows.Bar> ofJob : GanttRows.of(schedule)) {
      for (GanttRows.Bar bar : ofJob) {
        if (!window.shows(schedule, bar.job()) || to.size() >= BARS_MAX) {
          continue;
        }
        TraceJob job = schedule.workload().jobs().get(bar.job());
        to.addArray()
            .add(schedule.startS()[bar.job()])
            .add(schedule.endS(bar.job()))
            .add(bar.from())
            .add(bar.to())
            .add(job.id())
            .add(job.processors())
            .add(schedule.waitS(bar.job()))
            .add(job.estimateS());
      }
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the distribution lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
