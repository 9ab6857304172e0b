package io.millrace.ops.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.simulator.Metrics;
import io.millrace.schedulers.simulator.TraceFinding;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.Workload;
import java.util.List;
import java.util.Locale;

/**
 * Results as one JSON object: the trace, the metrics of the first policy, and under {@code
 * policies} those of each.
 */
final class ResultJson {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ResultJson() {}

  static String text(String trace, Workload workload, List<Result> results) {
    ObjectNode all = JSON.createObjectNode();
    all.put("trace", trace).put("processors", workload.processors());
    put(all, results.get(0));
    ArrayNode policies = all.putArray("policies");
    results.forEach(result -> put(policies.addObject(), result));
    all.set("findings", findings(workload.findings()));
    return all.toPrettyString();
  }

  static ObjectNode put(ObjectNode to, Result result) {
    Metrics metrics = result.metrics();
    return to.put("policy", result.policy())
        .put("jobs", metrics.jobs())
        .put("bounded_slowdown_mean", metrics.boundedSlowdownMean())
        .put("wait_mean_s", metrics.waitMeanS())
        .put("utilisation", metrics.utilisation())
        .put("makespan_s", metrics.makespanS())
        .put("elapsed_s", result.elapsedS());
  }

  private static ArrayNode findings(TraceFindings findings) {
    ArrayNode all = JSON.createArrayNode();
    for (TraceFinding finding : TraceFinding.values()) {
      if (findings.count(finding) > 0) {
        ObjectNode one = all.addObject();
        one.put("code", finding.name().toLowerCase(Locale.ROOT));
        one.put("lines", findings.count(finding));
        one.put("damage", finding.damage());
        findings.lines(finding).forEach(one.putArray("first_lines")::add);
      }
    }
    return all;
  }
}
