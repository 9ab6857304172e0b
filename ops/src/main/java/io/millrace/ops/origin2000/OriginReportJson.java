package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Packed;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.QueueFigures;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport.Sorted;
import java.util.List;

/** What a cycle did and saw, as {@code expected.json} has it. */
final class OriginReportJson {

  private OriginReportJson() {}

  static void tell(ObjectNode cycle, OriginReport report) {
    ArrayNode sorted = cycle.putArray("sorted");
    ArrayNode detail = cycle.putArray("sorted_detail");
    for (Sorted it : report.sorted()) {
      sorted.add(it.job());
      detail.add(
          it.job()
              + " "
              + it.state()
              + " "
              + it.nodes()
              + "n "
              + it.flags()
              + " eligible="
              + it.eligibleS());
    }
    if (!report.drains().isEmpty()) {
      drains(cycle.putArray("drain_checks"), report.drains());
    }
    if (!report.packed().isEmpty()) {
      packed(cycle, report.packed());
    }
  }

  private static void drains(ArrayNode list, List<OriginReport.QueueDrain> drains) {
    for (OriginReport.QueueDrain drain : drains) {
      ObjectNode told = list.addObject().put("job", drain.job());
      if (drain.queue().isEmpty()) {
        told.putNull("queue");
      } else {
        OriginReport.Drained queue = drain.queue().get();
        told.put("queue", queue.queue())
            .put("drain_by", queue.by())
            .put("nodes_reserved", queue.reserved());
      }
    }
  }

  private static void packed(ObjectNode cycle, List<Packed> all) {
    ArrayNode considered = cycle.putArray("considered");
    ArrayNode packed = cycle.putArray("packed");
    for (Packed each : all) {
      ObjectNode before = considered.addObject();
      ArrayNode queues = before.putArray("queues");
      for (QueueFigures queue : each.before()) {
        queues
            .addObject()
            .put("queue", queue.queue().toString())
            .put("nodes_max", queue.nodesMax())
            .put("nodes_assigned", queue.assigned())
            .put("nodes_reserved", queue.reserved())
            .put("running", queue.running())
            .put("draining", queue.draining() ? 1 : 0)
            .put("observe_prime", queue.prime() ? 1 : 0);
      }
      ArrayNode jobs = before.putArray("jobs");
      each.jobs().forEach(jobs::add);
      ObjectNode after = packed.addObject();
      ArrayNode left = after.putArray("queues");
      for (QueueFigures queue : each.after()) {
        left.addObject()
            .put("queue", queue.queue().toString())
            .put("nodes_assigned", queue.assigned())
            .put("running", queue.running())
            .put("observe_prime", queue.prime() ? 1 : 0);
      }
      after.put("ran", each.ran());
    }
  }

  /** The jobs of the server. */
  static ArrayNode jobs(OriginCaseServer server) {
    ArrayNode jobs = CaseJson.MAPPER.createArrayNode();
    for (ObjectNode job : server.allJobs()) {
      jobs.addObject()
          .put("job", job.path("id").asText())
          .put("state", job.path("state").asText())
          .put("queue", job.path("queue").asText())
          .put("comment", job.path("comment").asText(""));
    }
    return jobs;
  }
}
