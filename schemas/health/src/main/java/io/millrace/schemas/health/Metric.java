package io.millrace.schemas.health;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Every number that a part tells. {@code docs/metrics.md} is made from this table. */
public enum Metric {
  READY(
      MetricKind.GAUGE,
      "millrace_ready",
      "0 or 1",
      "Whether the part can serve; /ready says why it cannot.",
      of(),
      "part"),
  STARTED(
      MetricKind.GAUGE,
      "process_start_time_seconds",
      "seconds since 1970",
      "When the process began.",
      of()),
  PROCESSOR(
      MetricKind.COUNTER,
      "process_cpu_seconds_total",
      "seconds",
      "Processor time of the process.",
      of()),
  HEAP_USED(
      MetricKind.GAUGE,
      "millrace_heap_used_bytes",
      "bytes",
      "What the heap of the process holds.",
      of()),
  HEAP_MOST(
      MetricKind.GAUGE,
      "millrace_heap_max_bytes",
      "bytes",
      "What the heap may hold at most.",
      of()),

  JOBS(
      MetricKind.GAUGE,
      "millrace_jobs",
      "jobs",
      "Jobs of a queue in a state, arrays as one. A sum over the shards is the cluster's. Of a"
          + " reservation's queue what it has is told, and nothing while it has none.",
      of(PartKind.SERVER),
      "shard",
      "queue",
      "state"),
  NODES(
      MetricKind.GAUGE,
      "millrace_nodes",
      "nodes",
      "Nodes that live in a shard, by state: up or down.",
      of(PartKind.SERVER),
      "shard",
      "state"),
  SUBMISSIONS(
      MetricKind.COUNTER,
      "millrace_submissions_total",
      "jobs",
      "Jobs that this server has accepted, arrays as one.",
      of(PartKind.SERVER)),
  STARTS(
      MetricKind.COUNTER,
      "millrace_starts_total",
      "runs",
      "Runs that executors have reported to this server as begun.",
      of(PartKind.SERVER)),
  ENDS(
      MetricKind.COUNTER,
      "millrace_ends_total",
      "runs",
      "Runs that ended, and the jobs with them.",
      of(PartKind.SERVER)),
  REQUEUES(
      MetricKind.COUNTER,
      "millrace_requeues_total",
      "runs",
      "Runs that ended and whose jobs wait again, lost ones among them.",
      of(PartKind.SERVER)),
  START_LATENCY(
      MetricKind.HISTOGRAM,
      "millrace_start_latency_seconds",
      "seconds",
      "From when a job could run (its last hold or wait was over) to when its run began.",
      of(PartKind.SERVER)),
  REFUSED_PROPOSALS(
      MetricKind.COUNTER,
      "millrace_refused_proposals_total",
      "proposals",
      "Proposals of engines that a shard refused, since the state had moved on.",
      of(PartKind.SERVER)),
  REFUSED_COMMANDS(
      MetricKind.COUNTER,
      "millrace_refused_commands_total",
      "commands",
      "Commands that their writer may not send; each is a line of log/server-audit.log.",
      of(PartKind.SERVER)),
  DEAD_LETTERS(
      MetricKind.COUNTER,
      "millrace_dead_letters_total",
      "records",
      "Records of inboxes that are no commands and went to the topic dead-letters.",
      of(PartKind.SERVER)),
  INBOX_LAG(
      MetricKind.GAUGE,
      "millrace_inbox_lag_records",
      "records",
      "Records of a shard's inbox that this server has not fetched yet.",
      of(PartKind.SERVER),
      "shard"),
  SHARD_OWNED(
      MetricKind.GAUGE,
      "millrace_shard_owned",
      "1",
      "There for each shard that this server owns. The sum over all servers is the number of"
          + " shards.",
      of(PartKind.SERVER),
      "shard"),
  TRANSACTIONS(
      MetricKind.COUNTER,
      "millrace_transactions_total",
      "transactions",
      "Transactions that this server has committed.",
      of(PartKind.SERVER)),
  TRANSACTION_TIME(
      MetricKind.COUNTER,
      "millrace_transaction_commit_seconds_total",
      "seconds",
      "Time that this server has waited for the brokers to commit.",
      of(PartKind.SERVER)),
  SEND_RETRIES(
      MetricKind.COUNTER,
      "millrace_send_retries_total",
      "records",
      "Records of transactions that were sent again after a broker did not take them.",
      of(PartKind.SERVER)),
  THREADS_REPLACED(
      MetricKind.COUNTER,
      "millrace_shard_threads_replaced_total",
      "threads",
      "Threads of shards that ended with an error of Kafka or the disk, and were replaced.",
      of(PartKind.SERVER)),
  ENGINE_FACTS(
      MetricKind.COUNTER,
      "millrace_engine_facts_total",
      "facts",
      "Facts that a shard has told the engine of a scheduler beside it.",
      of(PartKind.SERVER),
      "scheduler"),
  EXECUTORS_HEARD(
      MetricKind.GAUGE,
      "millrace_executors_heard",
      "executors",
      "Executors whose last heartbeat this server has just heard.",
      of(PartKind.SERVER)),
  EXECUTORS_LOST(
      MetricKind.COUNTER,
      "millrace_executors_lost_total",
      "nodes",
      "Nodes that went down, since nobody heard their executor or it left.",
      of(PartKind.SERVER)),

  CYCLE_TIME(
      MetricKind.HISTOGRAM,
      "millrace_cycle_seconds",
      "seconds",
      "Time of a scheduler's cycle.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLE_JOBS(
      MetricKind.GAUGE,
      "millrace_cycle_jobs",
      "jobs",
      "Jobs that the last cycle has looked at.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLE_PROMISES(
      MetricKind.COUNTER,
      "millrace_promises_total",
      "promises",
      "Promises of a start that cycles have made or moved.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  CYCLES_CUT(
      MetricKind.COUNTER,
      "millrace_cycles_cut_total",
      "cycles",
      "Cycles that ended at their bound of work before they were through.",
      of(PartKind.SERVER, PartKind.ENGINE),
      "scheduler"),
  OLDEST_RUNNABLE(
      MetricKind.GAUGE,
      "millrace_oldest_runnable_job_seconds",
      "seconds",
      "For how long the job that could run for longest has waited; 0 when none waits.",
      of(PartKind.SERVER),
      "shard"),

  SESSIONS(
      MetricKind.GAUGE,
      "millrace_sessions",
      "sessions",
      "Commands of users that run in the gateway now.",
      of(PartKind.GATEWAY)),
  UNANSWERED(
      MetricKind.GAUGE,
      "millrace_unanswered_commands",
      "commands",
      "Commands that were sent to shards and have no answer yet.",
      of(PartKind.GATEWAY, PartKind.WEB)),
  REPEATED(
      MetricKind.COUNTER,
      "millrace_repeated_commands_total",
      "commands",
      "Commands that were sent to a shard once more, under the same id.",
      of(PartKind.GATEWAY, PartKind.WEB)),
  CONNECTIONS(
      MetricKind.GAUGE,
      "millrace_http_connections",
      "connections",
      "Connections to the door for HTTP.",
      of(PartKind.WEB)),

  SPOOL_RUNS(
      MetricKind.GAUGE,
      "millrace_spool_runs",
      "runs",
      "Runs in the spool: those that run, and ended ones whose report is not delivered.",
      of(PartKind.EXECUTOR)),
  REPORTS_WAITING(
      MetricKind.GAUGE,
      "millrace_reports_waiting",
      "reports",
      "Reports that the brokers have not acknowledged yet.",
      of(PartKind.EXECUTOR, PartKind.FORWARD)),
  REPORTS_REPEATED(
      MetricKind.COUNTER,
      "millrace_reports_repeated_total",
      "reports",
      "Reports that the brokers did not take, and that are sent again.",
      of(PartKind.EXECUTOR, PartKind.FORWARD)),

  LEDGER_LAG(
      MetricKind.GAUGE,
      "millrace_ledger_lag_records",
      "records",
      "Records of a shard's ledger that accounting has not read yet.",
      of(PartKind.ACCOUNTING),
      "shard"),
  WRITTEN(
      MetricKind.GAUGE,
      "millrace_accounting_written_timestamp_seconds",
      "seconds since 1970",
      "When accounting last had all that it had read in its files.",
      of(PartKind.ACCOUNTING)),

  CAMPAIGNS_OPEN(
      MetricKind.GAUGE,
      "millrace_campaigns_open",
      "campaigns",
      "Campaigns that have not ended.",
      of(PartKind.CAMPAIGNS)),
  CAMPAIGN_LOOKS(
      MetricKind.COUNTER,
      "millrace_campaign_looks_total",
      "looks",
      "Looks at the clusters of campaigns that have not ended: one a second.",
      of(PartKind.CAMPAIGNS)),
  CAMPAIGN_LOOKS_FAILED(
      MetricKind.COUNTER,
      "millrace_campaign_looks_failed_total",
      "looks",
      "Those among them that got no answer.",
      of(PartKind.CAMPAIGNS)),

  FORWARD_NODES(
      MetricKind.GAUGE,
      "millrace_forward_nodes",
      "nodes",
      "Nodes of the outside cluster that the forwarder serves.",
      of(PartKind.FORWARD)),
  FORWARD_RUNS(
      MetricKind.GAUGE,
      "millrace_forward_runs",
      "runs",
      "Runs that the forwarder has in the outside cluster, ended ones without a report among them.",
      of(PartKind.FORWARD)),
  FORWARD_UNANSWERED(
      MetricKind.GAUGE,
      "millrace_forward_unanswered_looks",
      "looks",
      "Questions for its hosts in a row that the outside cluster has not answered; one in 10 s.",
      of(PartKind.FORWARD)),

  SITE_REQUESTS(
      MetricKind.COUNTER,
      "millrace_site_requests_total",
      "requests",
      "What was done about parts of reservations in other installations, looks among it.",
      of(PartKind.SITES)),
  SITE_REQUESTS_UNCLEAR(
      MetricKind.COUNTER,
      "millrace_site_requests_unclear_total",
      "requests",
      "Those among them that got no answer, or none that is understood.",
      of(PartKind.SITES));

  /** What may be done with a number. */
  public enum MetricKind {
    /** It only grows; its rate is of interest. */
    COUNTER,
    /** A value that rises and falls. */
    GAUGE,
    /** How many were at most so large, with sum and count. */
    HISTOGRAM
  }

  private final MetricKind kind;
  private final String text;
  private final String unit;
  private final String meaning;
  private final Set<PartKind> parts;
  private final List<String> labels;

  Metric(
      MetricKind kind,
      String text,
      String unit,
      String meaning,
      Set<PartKind> parts,
      String... labels) {
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

  public MetricKind kind() {
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
