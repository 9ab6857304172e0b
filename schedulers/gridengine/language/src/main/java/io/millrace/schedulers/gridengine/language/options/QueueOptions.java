package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** queue_conf: what {@code qconf -sq NAME} prints. */
public final class QueueOptions {

  private static final String AT_RUN = "Nothing about who starts where: it acts on the host.";
  private static final String LIMITS = "Jobs that request more do not start in the queue.";

  /** Limits of a queue that requests are compared with. */
  public static final List<String> LIMIT_NAMES =
      List.of(
          "s_rt", "h_rt", "s_cpu", "h_cpu", "s_fsize", "h_fsize", "s_data", "h_data", "s_stack",
          "h_stack", "s_core", "h_core", "s_rss", "h_rss", "s_vmem", "h_vmem");

  public static final OptionTable TABLE =
      new OptionTable("a cluster queue", rows(), Set.of("qname"));

  private QueueOptions() {}

  /** Whether the option's value may have exceptions for hosts. */
  public static boolean perHost(String option) {
    return !option.equals("qname") && !option.equals("hostlist");
  }

  /** In the order in which {@code qconf -sq} prints them. */
  private static List<Option> rows() {
    List<Option> rows = new ArrayList<>();
    addInstances(rows);
    addKinds(rows);
    addHostSettings(rows);
    addAccess(rows);
    for (String limit : LIMIT_NAMES) {
      rows.add(limit(limit));
    }
    return rows;
  }

  /** Which instances there are, and when they are overloaded. */
  private static void addInstances(List<Option> rows) {
    rows.add(
        new Option(
            "qname",
            Form.NAME,
            "template",
            Effect.DECIDES,
            "The queue's name.",
            "Which -q requests mean it."));
    rows.add(
        new Option(
            "hostlist",
            Form.HOSTS,
            "NONE",
            Effect.DECIDES,
            "Hosts and host groups (@NAME) on which the queue has an instance.",
            "Where its jobs can run."));
    rows.add(
        decides(
            "seq_no",
            Form.COUNT,
            "0",
            "The instance's number in the order of queues.",
            "Which instance is filled first, see queue_sort_method."));
    rows.add(
        decides(
            "load_thresholds",
            Form.AMOUNTS,
            "NONE",
            "Load from which on the instance takes no job.",
            "When the instance is dropped as overloaded."));
    rows.add(
        new Option(
            "suspend_thresholds",
            PerHost.form(Form.oneOf("NONE")),
            "NONE",
            Effect.FIXED,
            "Load from which on jobs are suspended.",
            "Only NONE is accepted: no job is suspended for its host's load here."));
    rows.add(unthrottled("nsuspend", Form.COUNT, "1", "How many jobs are suspended at once."));
    rows.add(
        unthrottled(
            "suspend_interval", Form.TIME, "00:05:00", "The time between two suspensions."));
    rows.add(kept("priority", Form.INTEGER, "0", "The nice value of the queue's jobs."));
    rows.add(kept("min_cpu_interval", Form.TIME, "00:05:00", "Time between two checkpoints."));
    rows.add(kept("processors", Form.TEXT, "UNDEFINED", "Processors to use on the host."));
  }

  /** Which jobs the queue takes, and how many. */
  private static void addKinds(List<Option> rows) {
    rows.add(
        decides(
            "qtype",
            Form.matching(
                "NONE or of BATCH and INTERACTIVE",
                "(?i)(none|(batch|interactive)([\\s,]+|$)){1,2}",
                "NONE",
                "BATCH",
                "INTERACTIVE"),
            "BATCH INTERACTIVE",
            "Kinds of jobs that the queue takes.",
            "Sequential jobs need BATCH, immediate ones (-now y) INTERACTIVE."));
    rows.add(kept("ckpt_list", Form.NAMES, "NONE", "Checkpointing environments of the queue."));
    rows.add(
        decides(
            "pe_list",
            Form.NAMES,
            "NONE",
            "Parallel environments of the queue.",
            "Which parallel jobs may use its slots."));
    rows.add(kept("rerun", Form.TRUTH, "FALSE", "Whether jobs start again after the host failed."));
    rows.add(
        decides(
            "slots",
            Form.COUNT,
            "1",
            "How many slots the instance has.",
            "How many tasks run there at once."));
  }

  /** How the host starts, warns and ends jobs. */
  private static void addHostSettings(List<Option> rows) {
    for (String[] path :
        new String[][] {
          {"tmpdir", "/tmp"},
          {"shell", "/bin/sh"},
          {"prolog", "NONE"},
          {"epilog", "NONE"},
          {"starter_method", "NONE"},
          {"suspend_method", "NONE"},
          {"resume_method", "NONE"},
          {"terminate_method", "NONE"}
        }) {
      rows.add(kept(path[0], Form.TEXT, path[1], "How the host starts and handles jobs."));
    }
    rows.add(
        kept(
            "shell_start_mode",
            Form.oneOf("posix_compliant", "unix_behavior", "script_from_stdin"),
            "posix_compliant",
            "How the host starts a job's shell."));
    rows.add(kept("notify", Form.TIME, "00:00:60", "Warning time before a job is stopped."));
    rows.add(kept("owner_list", Form.NAMES, "NONE", "Who may suspend the queue."));
  }

  /** Whose jobs the queue takes, what it offers them, and when it is open. */
  private static void addAccess(List<Option> rows) {
    rows.add(access("user_lists", "Access lists of which a user must be in one."));
    rows.add(access("xuser_lists", "Access lists of which a user must be in none."));
    rows.add(
        new Option(
            "subordinate_list",
            PerHost.form(Form.oneOf("NONE")),
            "NONE",
            Effect.FIXED,
            "Queues that are suspended when this one fills.",
            "Only NONE is accepted: no queue suspends another here."));
    rows.add(
        decides(
            "complex_values",
            Form.AMOUNTS,
            "NONE",
            "What the instance offers: amounts of consumables, values of the others.",
            "Which requests fit here, and how many at once."));
    rows.add(access("projects", "Projects of which a job must be in one."));
    rows.add(access("xprojects", "Projects of which a job must be in none."));
    rows.add(
        new Option(
            "calendar",
            PerHost.form(Form.oneOf("NONE")),
            "NONE",
            Effect.FIXED,
            "When the queue is open.",
            "Only NONE is accepted: calendars do not exist here."));
    rows.add(
        decides(
            "initial_state",
            Form.oneOf("default", "enabled", "disabled"),
            "default",
            "Whether the instance begins disabled.",
            "A disabled instance takes no job."));
  }

  /** Whether a limit is a time; the others are amounts of memory. */
  public static boolean isTime(String limit) {
    return limit.endsWith("_rt") || limit.endsWith("_cpu");
  }

  private static Option limit(String name) {
    Form form = isTime(name) ? Form.TIME : Form.MEMORY;
    String enforced =
        switch (name) {
          case "h_rt" -> " A run that lasts longer is killed.";
          case "s_rt" -> " A run that lasts longer gets SIGUSR1.";
          default -> "";
        };
    return decides(name, form, "INFINITY", "Limit of the queue's jobs." + enforced, LIMITS);
  }

  private static Option decides(
      String name, Form form, String usual, String meaning, String changes) {
    return new Option(name, PerHost.form(form), usual, Effect.DECIDES, meaning, changes);
  }

  private static Option access(String name, String meaning) {
    return decides(name, Form.NAMES, "NONE", meaning, "Whose jobs the instance takes.");
  }

  /** An option that would describe how suspend_thresholds act. */
  private static Option unthrottled(String name, Form form, String usual, String meaning) {
    String nothing = "Nothing: suspend_thresholds is NONE, so no load suspends a job.";
    return new Option(name, PerHost.form(form), usual, Effect.KEPT, meaning, nothing);
  }

  private static Option kept(String name, Form form, String usual, String meaning) {
    return new Option(name, PerHost.form(form), usual, Effect.KEPT, meaning, AT_RUN);
  }
}
