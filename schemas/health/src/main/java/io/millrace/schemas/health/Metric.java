package io.millrace.schemas.health;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Every number that a part tells. {@code docs/metrics.md} is made from this table. */
public enum Metric {
  READY(
      Kind.GAUGE,
      "millrace_ready",
      "0 or 1",
      "Whether the part can serve; /ready says why it cannot.",
      of(),
      "part"),
  STARTED(
      Kind.GAUGE,
      "process_start_time_seconds",
      "seconds since 1970",
      "When the process began.",
      of()),
  PROCESSOR(
      Kind.COUNTER, "process_cpu_seconds_total", "seconds", "Processor time of the process.", of()),
  HEAP_USED(
      Kind.GAUGE, "millrace_heap_used_bytes", "bytes", "What the heap of the process holds.", of()),
  HEAP_MOST(
      Kind.GAUGE, "millrace_heap_max_bytes", "bytes", "What the heap may hold at most.", of()),

  JOBS(
      Kind.GAUGE,
      "millrace_jobs",
      "jobs",
      "Jobs of a queue in a state, arrays as one. A sum over the shards is the cluster's.",
      of(PartKind.SERVER),
      "shard",
      "queue",
      "state"),
  NODES(
      Kind.GAUGE,
      "millrace_nodes",
      "nodes",
      "Nodes that live in a shard, by state: up or down.",
      of(PartKind.SERVER),
      "shard",
      "state"),
  SUBMISSIONS(
      Kind.COUNTER,
      "millrace_submissions_total",
      "jobs",
      "Jobs that this server has accepted, arrays as one.",
      of(PartKind.SERVER)),
  STARTS(
      Kind.COUNTER,
      "millrace_starts_total",
      "runs",
      "Runs that executors have reported to this server as begun.",
      of(PartKind.SERVER)),
  ENDS(
      Kind.COUNTER,
      "millrace_ends_total",
      "runs",
      "Runs that ended, and the jobs with them.",
      of(PartKind.SERVER)),
  REQUEUES(
      Kind.COUNTER,
      "millrace_requeues_total",
      "runs",
      "Runs that ended and whose jobs wait again, lost ones among them.",
      of(PartKind.SERVER)),
  START_LATENCY(
      Kind.HISTOGRAM,
      "millrace_start_latency_seconds",
      "seconds",
      "From when a job could run (its last hold or wait was over) to when its run began.",
      of(PartKind.SERVER)),
  REFUSED_PROPOSALS(
      Kind.COUNTER,
      "millrace_refused_proposals_total",
      "proposals",
      "Proposals of engines that a shard refused, since the state had moved on.",
      of(PartKind.SERVER)),
  REFUSED_COMMANDS(
      Kind.COUNTER,
      "millrace_refused_commands_total",
      "commands",
      "Commands that their writer may not send; each is a line of log/server-audit.log.",
      of(PartKind.SERVER)),
  DEAD_LETTERS(
      Kind.COUNTER,
      "millrace_dead_letters_total",
      "records",
      "Records of inboxes that are no commands and went to the topic dead-letters.",
      of(PartKind.SERVER)),
  INBOX_LAG(
      Kind.GAUGE,
      "millrace_inbox_lag_records",
      "records",
      "Records of a shard's inbox that this server has not fetched yet.",
      of(PartKind.SERVER),
      "shard"),
  SHARD_OWNED(
      Kind.GAUGE,
      "millrace_shard_owned",
      "1",
      "There for each shard that this server owns. The sum over all servers is the number of"
          + " shards.",
      of(PartKind.SERVER),
      "shard"),
  TRANSACTIONS(
      Kind.COUNTER,
      "millrace_transactions_total",
      "transactions",
      "Transactions that this server has committed.",
      of(PartKind.SERVER)),
  TRANSACTION_TIME(
      Kind.COUNTER,
      "millrace_transaction_commit_seconds_total",
      "seconds",
      "Time that this server has waited for the brokers to commit.",
      of(PartKind.SERVER)),
  SEND_RETRIES(
      Kind.COUNTER,
      "millrace_send_retries_total",
      "records",
      "Records of transactions that were sent again after a broker did not take them.",
      of(PartKind.SERVER)),
  THREADS_REPLACED(
      Kind.COUNTER,
      "millrace_shard_threads_replaced_total",
      "threads",
      "Threads of shards that ended with an error of Kafka or the disk, and were replaced.",
      of(PartKind.SERVER)),
  EXECUTORS_HEARD(
      Kind.GAUGE,
      "millrace_executors_heard",
      "executors",
      "Executors whose last heartbeat this server has just heard.",
      of(PartKind.SERVER)),
  EXECUTORS_LOST(
      Kind.COUNTER,
      "millrace_executors_lost_total",
      "nodes",
      "Nodes that went down, since nobody heard their executor or it left.",
      of(PartKind.SERVER)),

  CYCLE_TIME(
      Kind.HISTOGRAM,
      "millrace_cycle_seconds",
      "seconds",
      "Time of a scheduler's cycle.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLE_JOBS(
      Kind.GAUGE,
      "millrace_cycle_jobs",
      "jobs",
      "Jobs that the last cycle has looked at.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLE_PROMISES(
      Kind.COUNTER,
      "millrace_promises_total",
      "promises",
      "Promises of a start that cycles have made or moved.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLES_CUT(
      Kind.COUNTER,
      "millrace_cycles_cut_total",
      "cycles",
      "Cycles that ended at their bound of work before they were through.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  OLDEST_RUNNABLE(
      Kind.GAUGE,
      "millrace_oldest_runnable_job_seconds",
      "seconds",
      "For how long the job that could run for longest has waited; 0 when none waits.",
      of(PartKind.SERVER),
      "shard"),

  SESSIONS(
      Kind.GAUGE,
      "millrace_sessions",
      "sessions",
      "Commands of users that run in the gateway now.",
      of(PartKind.GATEWAY)),
  UNANSWERED(
      Kind.GAUGE,
      "millrace_unanswered_commands",
      "commands",
      "Commands that were sent to shards and have no answer yet.",
      of(PartKind.GATEWAY, PartKind.WEB)),
  REPEATED(
      Kind.COUNTER,
      "millrace_repeated_commands_total",
      "commands",
      "Commands that were sent to a shard once more, under the same id.",
      of(PartKind.GATEWAY, PartKind.WEB)),
  CONNECTIONS(
      Kind.GAUGE,
      "millrace_http_connections",
      "connections",
      "Connections to the door for HTTP.",
      of(PartKind.WEB)),

  SPOOL_RUNS(
      Kind.GAUGE,
      "millrace_spool_runs",
      "runs",
      "Runs in the spool: those that run, and ended ones whose report is not delivered.",
      of(PartKind.EXECUTOR)),
  REPORTS_WAITING(
      Kind.GAUGE,
      "millrace_reports_waiting",
      "reports",
      "Reports that the brokers have not acknowledged yet.",
      of(PartKind.EXECUTOR, PartKind.FORWARD)),
  REPORTS_REPEATED(
      Kind.COUNTER,
      "millrace_reports_repeated_total",
      "reports",
      "Reports that the brokers did not take, and that are sent again.",
      of(PartKind.EXECUTOR, PartKind.FORWARD)),

  LEDGER_LAG(
      Kind.GAUGE,
      "millrace_ledger_lag_records",
      "records",
      "Records of a shard's ledger that accounting has not read yet.",
      of(PartKind.ACCOUNTING),
      "shard"),
  WRITTEN(
      Kind.GAUGE,
      "millrace_accounting_written_timestamp_seconds",
      "seconds since 1970",
      "When accounting last had all that it had read in its files.",
      of(PartKind.ACCOUNTING)),

  CAMPAIGNS_OPEN(
      Kind.GAUGE,
      "millrace_campaigns_open",
      "campaigns",
      "Campaigns that have not ended.",
      of(PartKind.CAMPAIGNS)),
  CAMPAIGN_LOOKS(
      Kind.COUNTER,
      "millrace_campaign_looks_total",
      "looks",
      "Looks at the clusters of campaigns that have not ended: one a second.",
      of(PartKind.CAMPAIGNS)),
  CAMPAIGN_LOOKS_FAILED(
      Kind.COUNTER,
      "millrace_campaign_looks_failed_total",
      "looks",
      "Those among them that got no answer.",
      of(PartKind.CAMPAIGNS)),

  FORWARD_NODES(
      Kind.GAUGE,
      "millrace_forward_nodes",
      "nodes",
      "Nodes of the outside cluster that the forwarder serves.",
      of(PartKind.FORWARD)),
  FORWARD_RUNS(
      Kind.GAUGE,
      "millrace_forward_runs",
      "runs",
      "Runs that the forwarder has in the outside cluster, ended ones without a report among them.",
      of(PartKind.FORWARD)),
  FORWARD_UNANSWERED(
      Kind.GAUGE,
      "millrace_forward_unanswered_looks",
      "looks",
      "Questions for its hosts in a row that the outside cluster has not answered; one in 10 s.",
      of(PartKind.FORWARD));

  /** What may be done with a number. */
  public enum Kind {
    /** It only grows; its rate is of interest. */
    COUNTER,
    /** It is what it is now. */
    GAUGE,
    /** How many were at most so large, with sum and count. */
    HISTOGRAM
  }

  private final Kind kind;
  private final String text;
  private final String unit;
  private final String meaning;
  private final Set<PartKind> parts;
  private final List<String> labels;

  Metric(
      Kind kind, String text, String unit, String meaning, Set<PartKind> parts, String... labels) {
    this.kind = kind;
    this.text = text;
    this.unit = unit;
    this.meaning = meaning;
    this.parts = parts.isEmpty() ? EnumSet.allOf(PartKind.class) : parts;
    this.labels = List.of(labels);
  }

  /** None stands for all. */
  private static Set<PartKind> of(PartKind... parts) {
    Set<PartKind> set = EnumSet.noneOf(PartKind.class);
    Collections.addAll(set, parts);
    return set;
  }

  public Kind kind() {
    return kind;
  }

  /** Its name for who watches. */
  public String text() {
    return text;
  }

  public String unit() {
    return unit;
  }

  public String meaning() {
    return meaning;
  }

  /** Who tells it. */
  public Set<PartKind> parts() {
    return Collections.unmodifiableSet(parts);
  }

  public List<String> labels() {
    return labels;
  }
}
