package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One job of qstat -j. */
final class StatDetail {

  static final String RULE = "=".repeat(62) + "\n";

  /** Column in which values begin. */
  private static final int COLUMN = 28;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  private final long number;
  private final List<Map.Entry<String, String>> lines = new ArrayList<>();
  private final List<Map.Entry<String, Object>> elements = new ArrayList<>();
  private final List<String> messages;

  StatDetail(CellView view, long number, List<String> messages, ZoneId zone) {
    this.number = number;
    this.messages = messages;
    describe(view, view.jobs().get(number).get(0), view.asked(number), zone);
  }

  private void describe(CellView view, Job job, Submission asked, ZoneId zone) {
    JobSpec spec = job.getSpec();
    both("job_number", "JB_job_number", Long.toString(number));
    line("submission_time", TIME.format(Instant.ofEpochMilli(job.getQueuedMs()).atZone(zone)));
    element("JB_submission_time", job.getQueuedMs() / 1000);
    both("owner", "JB_owner", spec.getOwner());
    both("group", "JB_group", spec.getGroup());
    line("sge_o_home", variable(spec, "SGE_O_HOME"));
    line("sge_o_log_name", spec.getOwner());
    line("sge_o_path", variable(spec, "SGE_O_PATH"));
    line("sge_o_shell", variable(spec, "SGE_O_SHELL"));
    line("sge_o_workdir", variable(spec, "SGE_O_WORKDIR"));
    line("sge_o_host", spec.getSubmitHost());
    both("account", "JB_account", spec.getAccount().isEmpty() ? "sge" : spec.getAccount());
    element("JB_merge_stderr", asked.joined());
    given("reserve", asked.reserve() ? "y" : "");
    given("hard resource_list", asked.hardText());
    given("soft resource_list", asked.softText());
    given("hard_queue_list", asked.queuesText());
    line("mail_list", spec.getOwner() + "@" + spec.getSubmitHost());
    line("notify", "FALSE");
    both("job_name", "JB_job_name", spec.getName());
    given("priority", spec.getPriority() == 0 ? "" : Integer.toString(spec.getPriority()));
    line("jobshare", "0");
    given("shell_list", asked.shell().map(shell -> "NONE:" + shell).orElse(""));
    List<String> command = asked.command();
    boolean binary = !spec.getArgv().isEmpty();
    given(
        "job_args",
        String.join(",", binary ? List.of(argv(spec)) : spec.getGridEngine().getArguments()));
    given("script_file", binary || command.isEmpty() ? variable(spec, "JOB_SCRIPT") : "");
    given("jid_predecessor_list (req)", String.join(",", asked.after()));
    given("jid_predecessor_list", numbers(view.predecessors(number)));
    given("jid_successor_list", numbers(view.successors(number)));
    asked
        .environmentText()
        .ifPresent(
            pe -> lines.add(Map.entry("parallel environment:", pe.replaceFirst(" ", " range: "))));
    given("job-array tasks", asked.array() ? asked.tasks().toString() : "");
    given(
        "maximum concurrency", asked.concurrent() > 0 ? Integer.toString(asked.concurrent()) : "");
    line("binding", "NONE");
    line("job_type", binary ? "binary" : "NONE");
    element("JB_script_file", variable(spec, "JOB_SCRIPT"));
    element("JB_reserve", asked.reserve());
    element("JB_priority", spec.getPriority() + 1024);
    element("JB_ja_task_concurrency", asked.concurrent());
  }

  /** What the shell is told to do; the words cannot be told apart any more. */
  private static String argv(JobSpec spec) {
    String words = spec.getArgv().get(spec.getArgv().size() - 1);
    int blank = words.indexOf(' ');
    return blank < 0 ? "" : words.substring(blank + 1).replace(' ', ',');
  }

  private static String numbers(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String variable(JobSpec spec, String name) {
    for (Attribute variable : spec.getVariables()) {
      if (variable.getName().equals(name)) {
        return variable.getValue();
      }
    }
    return "";
  }

  private void line(String name, String value) {
    lines.add(Map.entry(name + ":", value));
  }

  private void given(String name, String value) {
    if (!value.isEmpty()) {
      line(name, value);
    }
  }

  private void element(String name, Object value) {
    elements.add(Map.entry(name, value));
  }

  private void both(String name, String element, String value) {
    line(name, value);
    element(element, value);
  }

  long number() {
    return number;
  }

  /** Why it waits. */
  List<String> messages() {
    return messages;
  }

  List<Map.Entry<String, Object>> elements() {
    return elements;
  }

  /** The lines, and after them why it waits. */
  String text(List<String> queues) {
    StringBuilder text = new StringBuilder(RULE);
    for (Map.Entry<String, String> line : lines) {
      boolean environment = line.getKey().startsWith("parallel environment");
      text.append(environment ? line.getKey() + "  " : pad(line.getKey()));
      text.append(line.getValue()).append('\n');
    }
    List<String> all = new ArrayList<>(queues);
    all.addAll(messages);
    return text.append(information(all)).toString();
  }

  /** The lines of scheduling information; none when there are none. */
  static String information(List<String> messages) {
    StringBuilder text = new StringBuilder();
    for (String message : messages) {
      text.append(pad(text.length() == 0 ? "scheduling info:" : "")).append(message).append('\n');
    }
    return text.toString();
  }

  private static String pad(String name) {
    return name + " ".repeat(Math.max(1, COLUMN - name.length()));
  }
}
