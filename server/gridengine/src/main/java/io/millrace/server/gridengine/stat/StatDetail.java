package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.print.ShownText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** One job of qstat -j. */
final class StatDetail {

  static final String RULE = "=".repeat(62) + "\n";

  /** Column in which values begin. */
  private static final int COLUMN = 28;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  private final CellJobFacts facts;
  private final StringBuilder text = new StringBuilder(RULE);
  private final List<String> messages;

  StatDetail(CellJobFacts facts, List<String> messages, ZoneId zone) {
    this.facts = facts;
    this.messages = messages;
    origin(zone);
    request();
    tasks(zone);
  }

  private void origin(ZoneId zone) {
    JobSpec spec = facts.spec();
    Instant submitted = Instant.ofEpochMilli(facts.job().getQueuedMs());
    line("job_number", Long.toString(facts.number()));
    line("submission_time", TIME.format(submitted.atZone(zone)));
    line("owner", spec.getOwner());
    line("group", spec.getGroup());
    submitted("HOME");
    line("sge_o_log_name", spec.getOwner());
    submitted("PATH");
    submitted("SHELL");
    submitted("WORKDIR");
    line("sge_o_host", spec.getSubmitHost());
    line("account", facts.account());
  }

  /** What the submission found in its environment. */
  private void submitted(String name) {
    if (facts.inFull()) {
      line("sge_o_" + name.toLowerCase(Locale.ROOT), facts.variable("SGE_O_" + name));
    }
  }

  private void request() {
    JobSpec spec = facts.spec();
    Submission asked = facts.asked();
    StatRequests requests = new StatRequests(facts.view(), false);
    given("reserve", asked.reserve() ? "y" : "");
    given("hard resource_list", list(requests.hard(asked)));
    given("soft resource_list", list(requests.soft(asked)));
    given("hard_queue_list", asked.queuesText());
    given("soft_queue_list", asked.softQueuesText());
    line("mail_list", spec.getOwner() + "@" + spec.getSubmitHost());
    line("notify", "FALSE");
    line("job_name", spec.getName());
    given("priority", spec.getPriority() == 0 ? "" : Integer.toString(spec.getPriority()));
    line("jobshare", "0");
    given("shell_list", asked.shell().map(shell -> "NONE:" + shell).orElse(""));
    given(
        "env_list",
        facts.exported().entrySet().stream()
            .map(e -> e.getKey() + "=" + (e.getValue().isEmpty() ? "NONE" : e.getValue()))
            .collect(Collectors.joining(",")));
    given("job_args", String.join(",", facts.arguments()));
    given("script_file", facts.script());
    given("jid_predecessor_list (req)", String.join(",", asked.after()));
    given(
        "jid_predecessor_list", numbers(facts.view().dependencies().predecessors(facts.number())));
    given("jid_successor_list", numbers(facts.view().successors(facts.number())));
    asked
        .environmentText()
        .ifPresent(
            pe ->
                text.append("parallel environment:  ")
                    .append(pe.replaceFirst(" ", " range: "))
                    .append('\n'));
  }

  private void tasks(ZoneId zone) {
    Submission asked = facts.asked();
    given("verify_suitable_queues", verification(asked));
    given("job-array tasks", asked.array() ? asked.tasks().toString() : "");
    given(
        "maximum concurrency", asked.concurrent() > 0 ? Integer.toString(asked.concurrent()) : "");
    asked.advance().ifPresent(it -> line("ar_id", Long.toString(it)));
    line("binding", "NONE");
    line("job_type", facts.binary() ? "binary" : "NONE");
    for (Job run : facts.runs()) {
      line(String.format("binding    %4d", CellJobFacts.task(run)), "NONE");
    }
    for (Job task : facts.inError()) {
      line(
          String.format("error reason %10d", CellJobFacts.task(task)),
          "  " + CellJobFacts.error(task, zone));
    }
  }

  /** The number of -w; a job in a reservation is verified also without it. */
  private static String verification(Submission asked) {
    return switch (asked.verify()) {
      case "w" -> "1";
      case "e" -> "2";
      default -> asked.advance().isPresent() ? "2" : "";
    };
  }

  private static String list(List<StatRequests.RequestWithUrgency> requests) {
    return requests.stream()
        .map(wish -> wish.name() + "=" + wish.value())
        .collect(Collectors.joining(","));
  }

  private static String numbers(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private void line(String name, String value) {
    text.append(pad(name + ":")).append(ShownText.of(value)).append('\n');
  }

  private void given(String name, String value) {
    if (!value.isEmpty()) {
      line(name, value);
    }
  }

  CellJobFacts facts() {
    return facts;
  }

  /** Why it waits. */
  List<String> messages() {
    return messages;
  }

  /** The lines, and after them why it waits. */
  String text(List<String> queues) {
    List<String> all = new ArrayList<>(queues);
    all.addAll(messages);
    return text + information(all);
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
