package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A line of Grid Engine's reporting file about a job. */
final class SgeReporting {

  /** Fields of the kinds of lines that are read, in their order. */
  static final Map<String, List<String>> KINDS =
      Map.of(
          "job_log",
          List.of(
              "time",
              "kind",
              "event_time",
              "event",
              "job_number",
              "task_number",
              "pe_taskid",
              "state",
              "user",
              "host",
              "state_time",
              "priority",
              "submission_time",
              "job_name",
              "owner",
              "group",
              "project",
              "department",
              "account",
              "message"),
          "new_job",
          List.of(
              "time",
              "kind",
              "submission_time",
              "job_number",
              "task_number",
              "pe_taskid",
              "job_name",
              "owner",
              "group",
              "project",
              "department",
              "account",
              "priority"));

  /** Kinds of lines that are passed over, each with the reason. */
  static final Map<String, String> PASSED_OVER =
      Map.of(
          "acct", "the accounting file has it too",
          "queue", "states of queues are asked for",
          "queue_consumable", "states of queues are asked for",
          "host", "loads of hosts are asked for",
          "host_consumable", "loads of hosts are asked for",
          "sharelog", "shares decide nothing here",
          "new_ar", "reservations are the other system's",
          "ar_attr", "reservations are the other system's",
          "ar_log", "reservations are the other system's",
          "ar_acct", "reservations are the other system's");

  private SgeReporting() {}

  /** Takes a line apart; empty when it is of none of the kinds that are read. */
  static Optional<Map<String, String>> fields(String line) {
    String[] words = line.split(":", 100);
    List<String> names = words.length > 1 ? KINDS.get(words[1]) : null;
    if (names == null || words.length < names.size()) {
      return Optional.empty();
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < names.size() - 1; i++) {
      fields.put(names.get(i), words[i]);
    }
    // The last field is a message, which may have colons.
    fields.put(
        names.get(names.size() - 1),
        String.join(":", List.of(words).subList(names.size() - 1, words.length)));
    return Optional.of(fields);
  }

  /** What the line says a job has begun to do; empty when it says nothing of that kind. */
  static Optional<OutsideMove> move(String line) {
    return fields(line)
        .filter(it -> it.get("pe_taskid").equals("NONE"))
        .filter(it -> it.get("job_number").matches("[1-9][0-9]{0,17}"))
        .flatMap(it -> it.containsKey("event") ? changed(it) : made(it));
  }

  private static Optional<OutsideMove> changed(Map<String, String> fields) {
    Optional<OutsideState> state =
        switch (fields.get("event")) {
          case "delivered", "unsuspended" -> Optional.of(OutsideState.RUNNING);
          case "suspended" -> Optional.of(OutsideState.SUSPENDED);
          case "finished" -> Optional.of(OutsideState.ENDING);
          default -> Optional.empty();
        };
    String task = fields.get("task_number");
    return state.isEmpty() || !task.matches("[0-9]{1,18}")
        ? Optional.empty()
        : move(fields, Long.parseLong(task), state.get(), fields.get("event_time"));
  }

  /** A job that is new; of an array it is the whole. */
  private static Optional<OutsideMove> made(Map<String, String> fields) {
    return move(fields, 0, OutsideState.WAITING, fields.get("submission_time"));
  }

  private static Optional<OutsideMove> move(
      Map<String, String> fields, long task, OutsideState state, String at) {
    if (!at.matches("[0-9]{1,12}")) {
      return Optional.empty();
    }
    return Optional.of(
        new OutsideMove(
            new OutsideId(Long.parseLong(fields.get("job_number")), task),
            fields.get("owner"),
            OutsideTag.read(fields.get("account")),
            state,
            Instant.ofEpochSecond(Long.parseLong(at)),
            Optional.of(fields.get("job_name")).filter(it -> !fields.containsKey("event"))));
  }
}
