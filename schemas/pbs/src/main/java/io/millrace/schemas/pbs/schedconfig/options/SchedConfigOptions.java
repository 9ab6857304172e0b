package io.millrace.schemas.pbs.schedconfig.options;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption.OptionStanding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption.OptionWords;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of the options of sched_config. */
public final class SchedConfigOptions {

  public static final String ROUND_ROBIN = "round_robin";
  public static final String BY_QUEUE = "by_queue";
  public static final String STRICT_ORDERING = "strict_ordering";
  public static final String STRICT_FIFO = "strict_fifo";
  public static final String BACKFILL = "backfill";
  public static final String FAIR_SHARE = "fair_share";
  public static final String UNKNOWN_SHARES = "unknown_shares";
  public static final String USAGE_RES = "fairshare_usage_res";
  public static final String ENTITY = "fairshare_entity";
  public static final String DECAY_TIME = "fairshare_decay_time";
  public static final String DECAY_FACTOR = "fairshare_decay_factor";
  public static final String ENFORCE_NO_SHARES = "fairshare_enforce_no_shares";
  public static final String JOB_SORT_KEY = "job_sort_key";
  public static final String NODE_SORT_KEY = "node_sort_key";
  public static final String DISTRIBUTION = "smp_cluster_dist";
  public static final String BACKFILL_PRIME = "backfill_prime";
  public static final String PRIME_SPILL = "prime_spill";
  public static final String PRIME_EXEMPT = "prime_exempt_anytime_queues";
  public static final String PRIME_PREFIX = "primetime_prefix";
  public static final String NON_PRIME_PREFIX = "nonprimetime_prefix";
  public static final String DEDICATED_PREFIX = "dedicated_prefix";
  public static final String PREEMPTIVE = "preemptive_sched";
  public static final String RESOURCES = "resources";
  public static final String UNSET_INFINITE = "resource_unset_infinite";
  public static final String SERVER_DYN_RES = "server_dyn_res";
  public static final String UPDATE_COMMENTS = "update_comments";
  public static final String MAX_JOB_CHECK = "max_job_check";
  public static final String PREEMPT_ATTEMPTS = "preempt_attempts";

  /** Names of the value of {@link #MAX_JOB_CHECK} and {@link #PREEMPT_ATTEMPTS} without a bound. */
  public static final String ALL_JOBS = "ALL_JOBS";

  /** Old names, and the names under which their values are kept. */
  static final Map<String, String> OLD_NAMES =
      Map.of("half_life", DECAY_TIME, "sort_nodes", NODE_SORT_KEY);

  /** What OpenPBS advises in place of an old name; a name without an entry gets no advice. */
  static final Map<String, String> ADVICE =
      Map.ofEntries(
          Map.entry(STRICT_FIFO, STRICT_ORDERING),
          Map.entry(BACKFILL, "server's backfill_depth=0"),
          Map.entry("half_life", DECAY_TIME + " and " + DECAY_FACTOR + " instead"),
          Map.entry("sort_nodes", NODE_SORT_KEY),
          Map.entry("help_starving_jobs", "use eligible_time in job_sort_formula"),
          Map.entry("max_starve", "use eligible_time in job_sort_formula"),
          Map.entry("node_group_key", "nothing - set via qmgr"),
          Map.entry("log_filter", "nothing - set log_events via qmgr"),
          Map.entry("preempt_queue_prio", "nothing - set via qmgr"),
          Map.entry("preempt_prio", "nothing - set via qmgr"),
          Map.entry("preempt_order", "nothing - set via qmgr"),
          Map.entry("preempt_sort", "nothing - set via qmgr"));

  /** Names that OpenPBS does not know, though files of older releases have them. */
  static final Set<String> FORGOTTEN =
      Set.of(
          "mom_resources",
          "sort_by",
          "load_balancing",
          "cpus_per_ssinode",
          "mem_per_ssinode",
          "assign_ssinodes",
          "sync_time",
          "key");

  private static final Map<String, SchedConfigOption> ALL = new LinkedHashMap<>();

  static {
    order();
    shares();
    nodes();
    times();
    amounts();
    rest();
    old();
    absent();
  }

  private SchedConfigOptions() {}

  /** All options, in the order in which they are printed and documented. */
  public static List<SchedConfigOption> all() {
    return List.copyOf(ALL.values());
  }

  public static Optional<SchedConfigOption> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /** All names, for finding the one that was meant. */
  static Set<String> names() {
    return ALL.keySet();
  }

  private static void order() {
    starred(
        ROUND_ROBIN,
        ValueForm.TRUTH,
        "false",
        "queues of equal Priority take turns, one job each, before those of a lower Priority",
        "true: the job that is looked at next comes from the next queue; a job that cannot start"
            + " uses up its queue's turn");
    starred(
        BY_QUEUE,
        ValueForm.TRUTH,
        "false",
        "all jobs of a queue come before those of the next, queues by Priority",
        "false: the jobs of all queues stand in one list, whatever the Priority of the queues");
    starred(
        STRICT_ORDERING,
        ValueForm.TRUTH,
        "false",
        "nobody passes a job that cannot start but as backfill_depth allows",
        "true: the first waiting jobs get a promised start, and others start where they delay"
            + " none");
    starred(
        JOB_SORT_KEY,
        ValueForm.JOB_KEY,
        "",
        "jobs with more (HIGH) or less (LOW) of the key come first; several lines are keys one"
            + " after another",
        "a resource that jobs ask for, job_priority, fair_share_perc or preempt_priority decides"
            + " before the order of submission");
    starred(
        PREEMPTIVE,
        ValueForm.TRUTH,
        "false",
        "running jobs of a lower level are stopped for one that waits, as preempt_order says",
        "false: nothing is stopped, and levels do not count in the order either");
    acts(
        PREEMPT_ATTEMPTS,
        ValueForm.JOBS,
        ALL_JOBS,
        "for how many jobs a cycle tries to stop others",
        "a number: jobs that come later in the order have to wait for the next cycle");
    acts(
        MAX_JOB_CHECK,
        ValueForm.JOBS,
        ALL_JOBS,
        "how many jobs a cycle looks at",
        "a number: jobs behind these do not start in the cycle and get no comment");
  }

  private static void shares() {
    starred(
        FAIR_SHARE,
        ValueForm.TRUTH,
        "false",
        "jobs of those come first who have used less of their share",
        "true: the tree of resource_group decides after formula and level of preemption");
    acts(
        UNKNOWN_SHARES,
        ValueForm.COUNT,
        "0",
        "shares of the group unknown, to which everybody belongs who is not in resource_group",
        "more than 0: jobs of those who are not in resource_group start at all");
    acts(
        USAGE_RES,
        ValueForm.USAGE,
        "cput",
        "what counts as usage",
        "another resource or formula is added up while jobs run");
    acts(
        ENTITY,
        ValueForm.ENTITY,
        "euser",
        "whose usage is added up",
        "users, groups, accounts, queues, or users in their groups have the shares");
    acts(
        DECAY_TIME,
        ValueForm.TIME,
        "24:00:00",
        "after how long usage fades by the factor",
        "a longer time: what was used long ago counts for longer");
    acts(
        DECAY_FACTOR,
        ValueForm.FACTOR,
        "0.5",
        "what remains of usage each time",
        "a smaller factor: what was used before counts for less");
    acts(
        ENFORCE_NO_SHARES,
        ValueForm.TRUTH,
        "true",
        "jobs of those without shares never start",
        "false: they start after all others");
  }

  private static void nodes() {
    starred(
        NODE_SORT_KEY,
        ValueForm.NODE_KEY,
        "",
        "nodes with more (HIGH) or less (LOW) of the key are taken first; several lines are keys"
            + " one after another",
        "a resource, sort_priority or last_used_time decides before the order of the nodes'"
            + " creation");
    starred(
        DISTRIBUTION,
        ValueForm.DISTRIBUTION,
        "pack",
        "whether jobs of one chunk are packed or go round",
        "round_robin: each goes to the host behind the one that was used last");
  }

  private static void times() {
    starred(
        BACKFILL_PRIME,
        ValueForm.TRUTH,
        "false",
        "jobs do not run from prime into non-prime time or back",
        "true: a job that would not end in time waits, and one without a walltime always does");
    starred(
        PRIME_SPILL,
        ValueForm.TIME,
        "0:00:00",
        "by how much a job may run into the period that the line names",
        "a time: with backfill_prime jobs start that end so much after the change");
    acts(
        PRIME_EXEMPT,
        ValueForm.TRUTH,
        "false",
        "jobs of queues that are neither for prime nor for non-prime time may cross",
        "true: backfill_prime holds for queues with a prefix only");
    acts(
        PRIME_PREFIX,
        ValueForm.NAME,
        "",
        "queues whose names begin so are for prime time",
        "their jobs start in prime time only");
    acts(
        NON_PRIME_PREFIX,
        ValueForm.NAME,
        "",
        "queues whose names begin so are for non-prime time",
        "their jobs start in non-prime time only");
    acts(
        DEDICATED_PREFIX,
        ValueForm.NAME,
        "",
        "queues whose names begin so are for dedicated time",
        "their jobs start in dedicated time only, and no others do then");
  }

  private static void amounts() {
    acts(
        RESOURCES,
        ValueForm.NAMES,
        "",
        "resources that are compared with what there is; host, vnode and booleans of nodes"
            + " always are",
        "a job takes as much of a resource that is not listed as it wants; without a line all are"
            + " compared");
    acts(
        UNSET_INFINITE,
        ValueForm.NAMES,
        "mpiprocs, ompthreads",
        "resources of which a node that says nothing has endlessly much",
        "more names: a node without the resource takes jobs that ask for it");
    acts(
        SERVER_DYN_RES,
        ValueForm.PROGRAM,
        "",
        "a program whose first line of output is what the server has of a resource",
        "jobs wait while it says too little");
  }

  private static void rest() {
    acts(
        UPDATE_COMMENTS,
        ValueForm.TRUTH,
        "true",
        "waiting jobs get a comment that says why they wait",
        "false: they get none");
  }

  private static void old() {
    old(
        STRICT_FIFO,
        ValueForm.TRUTH,
        true,
        OptionStanding.OLD,
        "nobody of a queue passes a job of it that cannot start");
    old(
        BACKFILL,
        ValueForm.TRUTH,
        true,
        OptionStanding.OLD,
        "false: with strict_ordering nobody passes the first job that cannot start");
    old("half_life", ValueForm.TIME, false, OptionStanding.OLD, "the same as " + DECAY_TIME);
    old(
        "sort_nodes",
        ValueForm.TRUTH,
        true,
        OptionStanding.OLD,
        "the same as " + NODE_SORT_KEY + ": \"sort_priority HIGH\", whatever its value");
    for (String name :
        List.of(
            "help_starving_jobs",
            "max_starve",
            "sort_queues",
            "log_filter",
            "node_group_key",
            "preempt_queue_prio",
            "preempt_prio",
            "preempt_order",
            "preempt_sort")) {
      old(name, ValueForm.NAME, false, OptionStanding.GONE, "nothing any more");
    }
  }

  private static void old(
      String name, ValueForm form, boolean starred, OptionStanding standing, String meaning) {
    String advice = ADVICE.get(name);
    put(
        new SchedConfigOption(
            name,
            form,
            name.equals(BACKFILL) ? "true" : name.equals(STRICT_FIFO) ? "false" : "",
            starred,
            standing,
            new OptionWords(meaning, advice == null ? "it is out of date" : "instead: " + advice)));
  }

  private static void absent() {
    absent(
        "peer_queue",
        ValueForm.NAME,
        "fetches jobs of another server",
        "a queue with route_destinations hands jobs on");
    absent(
        "provision_policy",
        ValueForm.PROVISION,
        "how nodes are chosen that another system has to be put on",
        "Millrace puts no systems on nodes, so that only aggressive_provision says nothing new");
    absent(
        "allow_aoe_calendar",
        ValueForm.TRUTH,
        "jobs that need another system on their nodes get a promised start too",
        "Millrace puts no systems on nodes");
    absent(
        "resv_confirm_ignore",
        ValueForm.RESERVATION,
        "whether reservations may lie over dedicated times",
        "dedicated_time is refused: no reservation is confirmed by the scheduler here");
  }

  private static void starred(
      String name, ValueForm form, String usual, String meaning, String changes) {
    put(
        new SchedConfigOption(
            name, form, usual, true, OptionStanding.ACTS, new OptionWords(meaning, changes)));
  }

  private static void acts(
      String name, ValueForm form, String usual, String meaning, String changes) {
    put(
        new SchedConfigOption(
            name, form, usual, false, OptionStanding.ACTS, new OptionWords(meaning, changes)));
  }

  private static void absent(String name, ValueForm form, String meaning, String instead) {
    put(
        new SchedConfigOption(
            name, form, "", false, OptionStanding.ABSENT, new OptionWords(meaning, instead)));
  }

  private static void put(SchedConfigOption option) {
    ALL.put(option.name(), option);
  }
}
