package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.List;
import java.util.Set;

/** sched_conf: what {@code qconf -ssconf} prints. */
public final class SchedulerOptions {

  private static final String NUMBER = "(\\d{1,15}(\\.\\d*)?|\\.\\d+)";

  /** Pattern of a load value or a number with its weight. */
  private static final String LOAD = "([A-Za-z_]\\w*|" + NUMBER + ")(\\*-?" + NUMBER + ")?";

  private static final String RANGE = "\\d{1,18}(-\\d{1,18})?";

  private static final String TICKETS =
      "Nothing: tickets of shares and functions are not handed out, so all jobs hold equally many.";

  private static final List<Option> ROWS =
      List.of(
          new Option(
              "algorithm",
              Form.oneOf("default"),
              "default",
              Effect.FIXED,
              "The way to decide.",
              "There is only one; any other word is refused."),
          new Option(
              "schedule_interval",
              new Form(
                  "a time above 0 ([[h:]m:]s)",
                  text ->
                      Numbers.time(text).filter(s -> s > 0 && s < Numbers.UNLIMITED_S).isPresent()),
              "0:0:15",
              Effect.DECIDES,
              "The time between two runs of the scheduler.",
              "A job waits up to this long for a run; a job that overruns its assumed duration is"
                  + " taken to end this much later."),
          new Option(
              "maxujobs",
              Form.COUNT,
              "0",
              Effect.DECIDES,
              "How many jobs of one user may run at once; 0 means any number.",
              "A user at the limit waits however much is free."),
          new Option(
              "queue_sort_method",
              Form.oneOf("load", "seqno"),
              "load",
              Effect.DECIDES,
              "What orders queue instances first: the load of the host, or seq_no of the queue.",
              "Which of several suitable queue instances is filled first."),
          new Option(
              "job_load_adjustments",
              Form.AMOUNTS,
              "NONE",
              Effect.DECIDES,
              "Load that a started job adds to its host until the host reports it.",
              "Hosts that just got a job come later and may pass their load thresholds."),
          new Option(
              "load_adjustment_decay_time",
              Form.TIME,
              "0:0:0",
              Effect.DECIDES,
              "The time in which an adjustment of load fades away.",
              "For how long a started job still counts as added load; 0 means that it never does."),
          new Option(
              "load_formula",
              Form.matching(
                  "a sum of load values with weights, without blanks",
                  "-?" + LOAD + "([+-]" + LOAD + ")*"),
              "np_load_avg",
              Effect.DECIDES,
              "What a host's load is computed from.",
              "The order of hosts, and of queue instances of equal seq_no."),
          new Option(
              "schedd_job_info",
              Form.matching(
                  "true, false or job_list N[-M],...",
                  "(?i)true|false|job_list\\s+" + RANGE + "([,\\s]+" + RANGE + ")*",
                  "true",
                  "false",
                  "job_list"),
              "true",
              Effect.DECIDES,
              "Whether reasons are collected, and for which jobs.",
              "What qstat -j says about jobs that wait."),
          new Option(
              "flush_submit_sec",
              Form.COUNT,
              "0",
              Effect.DECIDES,
              "Seconds from a submission to an extra run of the scheduler; 0 means no extra run.",
              "How long a new job waits for its first run."),
          new Option(
              "flush_finish_sec",
              Form.COUNT,
              "0",
              Effect.DECIDES,
              "Seconds from a job's end to an extra run of the scheduler; 0 means no extra run.",
              "How long freed resources lie idle."),
          new Option(
              "params",
              SchedulerParams.FORM,
              "none",
              Effect.DECIDES,
              "Further settings: " + SchedulerParams.NAMES + ".",
              "See the table of params."),
          new Option(
              "reprioritize_interval",
              Form.TIME,
              "0:0:0",
              Effect.KEPT,
              "How often running jobs get a new nice value from their tickets.",
              TICKETS),
          new Option(
              "halftime",
              Form.COUNT,
              "168",
              Effect.KEPT,
              "Hours in which past usage counts half, for the share tree.",
              TICKETS),
          new Option(
              "usage_weight_list",
              Form.USAGE,
              "cpu=1.000000,mem=0.000000,io=0.000000",
              Effect.KEPT,
              "What usage is made of, for the share tree.",
              TICKETS),
          new Option(
              "compensation_factor",
              Form.REAL,
              "5.000000",
              Effect.KEPT,
              "How fast the share tree makes up for past usage.",
              TICKETS),
          kept("weight_user", "0.250000", "The user's part of the functional shares."),
          kept("weight_project", "0.250000", "The project's part of the functional shares."),
          kept("weight_department", "0.250000", "The department's part of the functional shares."),
          kept("weight_job", "0.250000", "The job's own part of the functional shares."),
          new Option(
              "weight_tickets_functional",
              Form.oneOf("0"),
              "0",
              Effect.FIXED,
              "Tickets to hand out by functional shares.",
              "Only 0 is accepted: functional shares do not exist here."),
          new Option(
              "weight_tickets_share",
              Form.oneOf("0"),
              "0",
              Effect.FIXED,
              "Tickets to hand out by the share tree.",
              "Only 0 is accepted: the share tree does not exist here."),
          new Option(
              "share_override_tickets",
              Form.TRUTH,
              "TRUE",
              Effect.KEPT,
              "Whether override tickets are shared by an object's jobs.",
              TICKETS),
          new Option(
              "share_functional_shares",
              Form.TRUTH,
              "TRUE",
              Effect.KEPT,
              "Whether functional shares are shared by an object's jobs.",
              TICKETS),
          new Option(
              "max_functional_jobs_to_schedule",
              Form.COUNT,
              "200",
              Effect.KEPT,
              "How many waiting jobs the functional policy looks at.",
              TICKETS),
          new Option(
              "report_pjob_tickets",
              Form.TRUTH,
              "TRUE",
              Effect.KEPT,
              "Whether tickets of waiting jobs are reported.",
              TICKETS),
          new Option(
              "max_pending_tasks_per_job",
              Form.POSITIVE,
              "50",
              Effect.KEPT,
              "How many waiting tasks of an array get tickets.",
              TICKETS),
          new Option(
              "halflife_decay_list",
              Form.matching(
                  "none or a list NAME=NUMBER:...",
                  "(?i)none|\\w+=-?" + NUMBER + "(:\\w+=-?" + NUMBER + ")*"),
              "none",
              Effect.KEPT,
              "Decay of usage by kind, for the share tree.",
              TICKETS),
          new Option(
              "policy_hierarchy",
              Form.matching(
                  "NONE or letters of O, F and S, each once", "(?i)none|(?!.*(.).*\\1)[OFS]{1,3}"),
              "OFS",
              Effect.KEPT,
              "Which ticket policy influences which.",
              TICKETS),
          new Option(
              "weight_ticket",
              Form.REAL,
              "0.010000",
              Effect.DECIDES,
              "Weight of a job's normalised tickets in its priority.",
              "Moves all priorities by the same amount, as all jobs hold equally many tickets."),
          new Option(
              "weight_waiting_time",
              Form.REAL,
              "0.000000",
              Effect.DECIDES,
              "Urgency of one second of waiting.",
              "With a weight above 0 a job becomes more urgent as it waits."),
          new Option(
              "weight_deadline",
              Form.REAL,
              "3600000.000000",
              Effect.DECIDES,
              "Urgency of a deadline, divided by the seconds that are left.",
              "How early a deadline (-dl) lifts its job above others."),
          new Option(
              "weight_urgency",
              Form.REAL,
              "0.100000",
              Effect.DECIDES,
              "Weight of a job's normalised urgency in its priority.",
              "How much requests, waiting and deadline count against -p."),
          new Option(
              "weight_priority",
              Form.REAL,
              "1.000000",
              Effect.DECIDES,
              "Weight of -p, normalised as (p+1024)/2048, in a job's priority.",
              "How much -p counts against urgency."),
          new Option(
              "max_reservation",
              Form.COUNT,
              "0",
              Effect.DECIDES,
              "How many waiting jobs with -R y are promised a start in one run.",
              "With 0 no resources are held for jobs that cannot start; large jobs can starve."),
          new Option(
              "default_duration",
              Form.TIME,
              "INFINITY",
              Effect.DECIDES,
              "Assumed runtime of jobs that request neither h_rt nor s_rt; never enforced.",
              "Where such jobs fit before a reservation, and whether one can be made behind"
                  + " them."));

  public static final OptionTable TABLE =
      new OptionTable("the scheduler", ROWS, Set.of(), SchedulerOptions::checkTogether);

  private SchedulerOptions() {}

  /**
   * Refuses combinations in which a reserved job would have a duration of 0 and so hold nothing.
   */
  private static void checkTogether(OptionValues settings) {
    if (settings.number("max_reservation") > 0 && settings.seconds("default_duration") == 0) {
      throw settings.refused(
          "default_duration",
          "is "
              + settings.get("default_duration")
              + ", but must be above 0 while max_reservation is "
              + settings.get("max_reservation"));
    }
  }

  private static Option kept(String name, String usual, String meaning) {
    return new Option(name, Form.REAL, usual, Effect.KEPT, meaning, TICKETS);
  }
}
