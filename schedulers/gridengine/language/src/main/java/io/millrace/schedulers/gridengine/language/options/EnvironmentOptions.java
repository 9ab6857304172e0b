package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.List;
import java.util.Set;

/** sge_pe: what {@code qconf -sp NAME} prints. */
public final class EnvironmentOptions {

  private static final String AT_START =
      "Nothing about who starts where: it acts when a job starts.";

  private static final List<Option> ROWS =
      List.of(
          new Option(
              "pe_name",
              Form.NAME,
              "template",
              Effect.DECIDES,
              "The environment's name.",
              "Which -pe requests and pe_lists of queues mean it."),
          new Option(
              "slots",
              Form.COUNT,
              "0",
              Effect.DECIDES,
              "How many slots all jobs in the environment may hold together.",
              "At 0 nothing starts in it; a reservation waits for its slots too."),
          new Option(
              "user_lists",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Access lists of which a user must be in one.",
              "Who may use the environment."),
          new Option(
              "xuser_lists",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Access lists of which a user must be in none.",
              "Who may not use the environment."),
          new Option(
              "start_proc_args",
              Form.TEXT,
              "NONE",
              Effect.KEPT,
              "Command before a parallel job.",
              AT_START),
          new Option(
              "stop_proc_args",
              Form.TEXT,
              "NONE",
              Effect.KEPT,
              "Command after a parallel job.",
              AT_START),
          new Option(
              "allocation_rule",
              Form.matching(
                  "a number above 0, $pe_slots, $fill_up or $round_robin",
                  "[1-9]\\d{0,8}|(?i)\\$pe_slots|\\$fill_up|\\$round_robin",
                  "$pe_slots",
                  "$fill_up",
                  "$round_robin"),
              "$pe_slots",
              Effect.DECIDES,
              "How slots are spread over hosts: so many on each, all on one, host after host, or one"
                  + " on each in turn.",
              "Which hosts a parallel job gets."),
          new Option(
              "control_slaves",
              Form.TRUTH,
              "FALSE",
              Effect.KEPT,
              "Whether the job's tasks run under the execution daemon.",
              AT_START),
          new Option(
              "job_is_first_task",
              Form.TRUTH,
              "TRUE",
              Effect.KEPT,
              "Whether the script counts as a task.",
              AT_START),
          new Option(
              "urgency_slots",
              Form.matching(
                  "min, max, avg or a number", "(?i)min|max|avg|\\d{1,9}", "min", "max", "avg"),
              "min",
              Effect.DECIDES,
              "Which number of a slot range counts for urgency.",
              "The place in the order of jobs that request ranges."),
          new Option(
              "accounting_summary",
              Form.TRUTH,
              "FALSE",
              Effect.KEPT,
              "Whether the tasks are accounted for together.",
              AT_START),
          new Option(
              "qsort_args",
              Form.TEXT,
              "NONE",
              Effect.KEPT,
              "Arguments of a library that orders queues.",
              "Nothing: such libraries are not loaded."));

  public static final OptionTable TABLE =
      new OptionTable("a parallel environment", ROWS, Set.of("pe_name"));

  private EnvironmentOptions() {}
}
