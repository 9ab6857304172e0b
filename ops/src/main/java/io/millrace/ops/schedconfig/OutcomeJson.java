package io.millrace.ops.schedconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.schedconfig.replay.SiteOutcome;
import java.util.Map;

/** What became of a session, in the form of a recorded outcome.json. */
final class OutcomeJson {

  private static final JsonMapper JSON = new JsonMapper();

  private OutcomeJson() {}

  static ObjectNode of(SiteOutcome outcome) {
    ObjectNode whole = JSON.createObjectNode();
    whole.put("cycles", outcome.considered().size());
    outcome.startOrder().forEach(whole.putArray("start_order")::add);
    ArrayNode considered = whole.putArray("considered");
    for (var cycle : outcome.considered()) {
      cycle.forEach(considered.addArray()::add);
    }
    ObjectNode jobs = whole.putObject("jobs");
    outcome.jobs().forEach((label, job) -> job(jobs.putObject(label), job));
    if (!outcome.shares().isEmpty()) {
      ArrayNode answers = whole.putArray("pbsfs");
      outcome.shares().forEach(answer -> answer(answers.addObject(), answer));
    }
    if (!outcome.snapshots().isEmpty()) {
      ArrayNode snapshots = whole.putArray("snapshots");
      outcome.snapshots().forEach(snapshot -> snapshot(snapshots.addObject(), snapshot));
    }
    return whole;
  }

  private static void job(ObjectNode node, SiteOutcome.SiteJobEnd job) {
    node.put("state", job.state());
    if (job.start() != null) {
      node.put("started", job.start().place());
      node.put("seconds", job.start().seconds());
      node.put("cycle", job.start().cycle());
      node.put("exec_vnode", job.start().nodes());
    }
    if (!job.comment().isEmpty()) {
      node.put("comment", job.comment());
    }
    if (job.promise() != null) {
      ObjectNode estimated = node.putObject("estimated");
      estimated.put("exec_vnode", job.promise().nodes());
      estimated.put("start_time", "+" + Math.round(job.promise().seconds()));
    }
  }

  private static void answer(ObjectNode node, SiteOutcome.ShareAnswer answer) {
    node.put("at", answer.atS());
    answer.args().forEach(node.putArray("args")::add);
    node.put("rc", answer.answer().status());
    answer.answer().out().forEach(node.putArray("out")::add);
    if (!answer.answer().err().isEmpty()) {
      answer.answer().err().forEach(node.putArray("err")::add);
    }
  }

  private static void snapshot(ObjectNode node, SiteOutcome.SiteSnapshot snapshot) {
    node.put("at", snapshot.atS());
    texts(node.putObject("jobs"), snapshot.states());
    texts(node.putObject("comments"), snapshot.comments());
  }

  private static void texts(ObjectNode node, Map<String, String> texts) {
    texts.forEach(node::put);
  }

  static String print(JsonNode outcome) {
    return outcome.toPrettyString() + "\n";
  }
}
