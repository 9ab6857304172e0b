package io.millrace.ops.gridengine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.JobOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.PromisedStart;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.SessionStart;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome.TaskOutcome;
import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import java.io.IOException;
import java.util.List;

/** What a replay writes: the file schedule, and outcome.json. */
final class CaseReport {

  private final ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private final SessionOutcome outcome;

  CaseReport(SessionOutcome outcome) {
    this.outcome = outcome;
  }

  String schedule() {
    StringBuilder text = new StringBuilder();
    for (List<String> section : outcome.sections()) {
      text.append(GridEngineScheduler.SECTION_MARK).append('\n');
      section.forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }

  String outcome(String scenario, String what) throws IOException {
    ObjectNode root = json.createObjectNode();
    root.put("scenario", scenario);
    root.put("what", what);
    root.put("t0_epoch", outcome.begin_s());
    root.put("intervals", outcome.sections().size() - 1);
    ObjectNode jobs = root.putObject("jobs");
    outcome.jobs().forEach(job -> write(job, jobs.putObject(job.job().identity().name())));
    return json.writeValueAsString(root) + "\n";
  }

  private void write(JobOutcome job, ObjectNode node) {
    node.put("id", job.job().number());
    node.put("submit_offset", job.arrival_s());
    ObjectNode tasks = node.putObject("tasks");
    job.tasks().forEach((number, task) -> write(task, tasks.putObject(String.valueOf(number))));
    if (!job.reasons().isEmpty()) {
      ObjectNode waited = node.putObject("scheduling_info");
      job.reasons()
          .forEach(
              (at, reasons) -> {
                ArrayNode texts = waited.putArray(String.valueOf(at));
                reasons.stream().map(Reason::text).forEach(texts::add);
              });
    }
  }

  private void write(TaskOutcome task, ObjectNode node) {
    task.start().ifPresent(start -> write(start, task.end_s(), node));
    if (!task.plans().isEmpty()) {
      ArrayNode plans = node.putArray("reservations");
      for (PromisedStart plan : task.plans()) {
        ObjectNode each = plans.addObject();
        each.put("first_interval", plan.firstRun());
        each.put("last_interval", plan.lastRun());
        ObjectNode planned = each.putObject("plan");
        planned.put("start_offset", plan.start_s());
        planned.put("duration", plan.duration_s());
        write(plan.uses(), planned.putArray("use"));
      }
    }
  }

  private static void write(SessionStart start, long end, ObjectNode node) {
    Assignment assignment = start.assignment();
    node.put("decided_offset", start.at_s());
    node.put("assumed_duration", assignment.duration());
    write(start.uses(), node.putArray("granted"));
    node.put("acct_start_offset", start.at_s());
    node.put("acct_end_offset", end);
    node.put("failed", "0");
    node.put("exit", "0");
    node.put("acct_slots", assignment.slots());
    node.put("acct_host", assignment.grants().get(0).queue().host());
  }

  private static void write(List<ResourceUse> uses, ArrayNode list) {
    for (ResourceUse use : uses) {
      ArrayNode each = list.addArray();
      each.add(String.valueOf(use.level().letter()));
      each.add(use.container());
      each.add(use.resource());
      each.add(use.amount());
    }
  }
}
