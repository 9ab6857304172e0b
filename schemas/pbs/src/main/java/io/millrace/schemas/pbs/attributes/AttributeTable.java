package io.millrace.schemas.pbs.attributes;

import static io.millrace.schemas.pbs.attributes.AttributeAccess.MANAGER;
import static io.millrace.schemas.pbs.attributes.AttributeAccess.OPERATOR;
import static io.millrace.schemas.pbs.attributes.AttributeAccess.READ_ONLY;
import static io.millrace.schemas.pbs.attributes.AttributeType.BACKFILL_FUZZY;
import static io.millrace.schemas.pbs.attributes.AttributeType.BOOLEAN;
import static io.millrace.schemas.pbs.attributes.AttributeType.DURATION;
import static io.millrace.schemas.pbs.attributes.AttributeType.FLOAT;
import static io.millrace.schemas.pbs.attributes.AttributeType.JOB_RUN_WAIT;
import static io.millrace.schemas.pbs.attributes.AttributeType.LIMITS;
import static io.millrace.schemas.pbs.attributes.AttributeType.LIST;
import static io.millrace.schemas.pbs.attributes.AttributeType.LONG;
import static io.millrace.schemas.pbs.attributes.AttributeType.NIGHT;
import static io.millrace.schemas.pbs.attributes.AttributeType.NODE_SHARING;
import static io.millrace.schemas.pbs.attributes.AttributeType.NODE_SORT_KEY;
import static io.millrace.schemas.pbs.attributes.AttributeType.NODE_STATE;
import static io.millrace.schemas.pbs.attributes.AttributeType.PATH;
import static io.millrace.schemas.pbs.attributes.AttributeType.POLICY;
import static io.millrace.schemas.pbs.attributes.AttributeType.PREEMPT_ORDER;
import static io.millrace.schemas.pbs.attributes.AttributeType.PREEMPT_PRIO;
import static io.millrace.schemas.pbs.attributes.AttributeType.PREEMPT_SORT;
import static io.millrace.schemas.pbs.attributes.AttributeType.QUEUE_TYPE;
import static io.millrace.schemas.pbs.attributes.AttributeType.RESOURCES;
import static io.millrace.schemas.pbs.attributes.AttributeType.RESOURCE_FLAG;
import static io.millrace.schemas.pbs.attributes.AttributeType.RESOURCE_LIMITS;
import static io.millrace.schemas.pbs.attributes.AttributeType.RESOURCE_TYPE;
import static io.millrace.schemas.pbs.attributes.AttributeType.SIZE;
import static io.millrace.schemas.pbs.attributes.AttributeType.START_ACTION;
import static io.millrace.schemas.pbs.attributes.AttributeType.TEXT;

import io.millrace.schemas.common.ObjectKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All attributes that exist, in the order in which PBS prints them.
 *
 * <p>{@code scheduling} and {@code scheduler_iteration} of the server are those of the scheduler
 * "default", as in PBS: changing one changes the other.
 */
public final class AttributeTable {

  /** Attribute flag of a resource: letters for its properties (consumable, invisible, ...). */
  public static final String FLAG = "flag";

  /** Attribute of a scheduler object with the configuration that {@code policy=gridengine} uses. */
  public static final String GRID_ENGINE_CONFIGURATION = "gridengine_configuration";

  /** Attribute of a scheduler object with the texts that {@code policy=sched_config} goes by. */
  public static final String SCHED_CONFIG = "sched_config";

  /** Attribute of a scheduler object with the texts that {@code policy=origin2000} goes by. */
  public static final String ORIGIN2000 = "origin2000";

  /** Attribute of a scheduler object, read from its sched_config: whose usage is added up. */
  public static final String FAIRSHARE_ENTITY = "fairshare_entity";

  /** Attribute of a scheduler object, read from its sched_config: what counts as usage. */
  public static final String FAIRSHARE_USAGE = "fairshare_usage_res";

  /** Attribute of a scheduler object, read from its sched_config: seconds until usage fades. */
  public static final String FAIRSHARE_DECAY_TIME = "fairshare_decay_time";

  /** Attribute of a scheduler object, read from its sched_config: what is left of usage then. */
  public static final String FAIRSHARE_DECAY_FACTOR = "fairshare_decay_factor";

  /**
   * Attribute of a scheduler object, read from its sched_config: the programs that say what the
   * server has of resources, a line each.
   */
  public static final String SERVER_DYN_RES = "server_dyn_res";

  /**
   * Attribute of a scheduler object, read from its sched_config: the resources that are compared
   * with what there is.
   */
  public static final String COMPARED_RESOURCES = "resources";

  /**
   * Attribute of a scheduler object, read from its sched_config: the resources of which a node that
   * says nothing has endlessly much.
   */
  public static final String UNSET_INFINITE = "resource_unset_infinite";

  /**
   * Attribute of a scheduler object, read from its sched_config: False where waiting jobs get no
   * comment.
   */
  public static final String UPDATE_COMMENTS = "update_comments";

  /**
   * Attribute of a scheduler object that a sched_config was loaded into: the folder whose files are
   * loaded again whenever they change.
   */
  public static final String POLICY_FOLDER = "policy_folder";

  /** Attribute of a scheduler object: why the files of that folder are not loaded as they are. */
  public static final String POLICY_PROBLEM = "policy_problem";

  /**
   * Attribute of a scheduler object, read from its origin2000: from where its inputs come, a line
   * each.
   */
  public static final String POLICY_INPUTS_FROM = "policy_inputs_from";

  /** Attribute of a scheduler object that is only shown: what comes to its policy from outside. */
  public static final String POLICY_INPUTS = "policy_inputs";

  /** Begins what is said there of an input that keeps its last content. */
  public static final String NOT_READ = "could not be read";

  /** Attribute of scheduler objects: after how many seconds such a program is stopped. */
  public static final String SERVER_DYN_RES_ALARM = "server_dyn_res_alarm";

  /**
   * Attribute of the server while it is being shut down by qterm and jobs still run: the kind of
   * shutdown.
   */
  public static final String TERMINATING = "terminating";

  /** Attribute of the server and of scheduler objects: a {@link SortFormula}. */
  public static final String FORMULA = "job_sort_formula";

  /** Attribute of scheduler objects: jobs whose formula value is not above it wait. */
  public static final String FORMULA_THRESHOLD = "job_sort_formula_threshold";

  /** Attribute of scheduler objects: queue after queue. */
  public static final String BY_QUEUE = "by_queue";

  /** Attribute of scheduler objects: queues of equal Priority take turns. */
  public static final String ROUND_ROBIN = "round_robin";

  /** Attribute of scheduler objects: keys by which jobs are sorted. */
  public static final String JOB_SORT_KEY = "job_sort_key";

  /** Attribute of queue and server: the most output of a run; the queue's counts before. */
  public static final String MAX_OUTPUT = "max_output";

  /** Attribute of the server: how many reservations users and groups may have. */
  public static final String MAX_RESERVATIONS = "max_reservations";

  /** Attribute of the server: how much of each resource they may have reserved. */
  public static final String MAX_RESERVED = "max_reserved_res";

  /**
   * Attribute of the server and of scheduler objects: a ClassAd that says which nodes may be
   * reserved. That of the scheduler object counts before the server's.
   */
  public static final String RESERVABLE = "reservable_ad";

  /** Attribute of the server and of scheduler objects: the time zone of {@link #RESERVABLE}. */
  public static final String RESERVABLE_ZONE = "reservable_zone";

  /** Attribute of queues: their jobs use what others leave, and give way to them. */
  public static final String BEST_EFFORT = "best_effort";

  /** Attribute of best-effort queues: a job that had to give way waits again. */
  public static final String BEST_EFFORT_REQUEUE = "best_effort_requeue";

  /** Attribute of queues: when campaigns take it for night there. */
  public static final String NIGHT_WINDOW = "night_window";

  /**
   * Attribute of best-effort queues: where campaigns send jobs by night that are to be ordinary.
   */
  public static final String NIGHT_QUEUE = "night_queue";

  /**
   * Attribute of the server: after how many seconds other nodes are looked for again in the place
   * of those that a reservation has lost.
   */
  public static final String RESERVE_RETRY = "reserve_retry_time";

  /** What counts as long as it is not set. */
  public static final String RESERVE_RETRY_USUAL_S = "600";

  /**
   * Attribute of scheduler objects: what becomes of others' runs that would last into a reservation
   * of PluS.
   */
  public static final String RESERVATION_START = "reservation_start";

  /** Attribute of scheduler objects: so many seconds before the reservation begins. */
  public static final String RESERVATION_LEAD = "reservation_lead";

  private static final List<AttributeDefinition> APART_FROM_LIMITS =
      List.of(
          of(ObjectKind.SERVER, "server_state", TEXT, READ_ONLY),
          of(ObjectKind.SERVER, "server_host", TEXT, READ_ONLY),
          of(ObjectKind.SERVER, "scheduling", BOOLEAN, OPERATOR),
          of(ObjectKind.SERVER, "total_jobs", LONG, READ_ONLY),
          of(ObjectKind.SERVER, "state_count", TEXT, READ_ONLY),
          of(ObjectKind.SERVER, "acl_host_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "acl_hosts", LIST, MANAGER),
          of(ObjectKind.SERVER, "acl_user_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "acl_users", LIST, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_host_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_hosts", LIST, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_group_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_groups", LIST, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_user_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "acl_resv_users", LIST, MANAGER),
          of(ObjectKind.SERVER, "acl_roots", LIST, MANAGER),
          of(ObjectKind.SERVER, "managers", LIST, MANAGER),
          of(ObjectKind.SERVER, "operators", LIST, MANAGER),
          of(ObjectKind.SERVER, "default_queue", TEXT, OPERATOR),
          new AttributeDefinition(ObjectKind.SERVER, "log_events", LONG, OPERATOR, "511"),
          new AttributeDefinition(ObjectKind.SERVER, "mailer", TEXT, MANAGER, "/usr/sbin/sendmail"),
          new AttributeDefinition(ObjectKind.SERVER, "mail_from", TEXT, MANAGER, "adm"),
          new AttributeDefinition(ObjectKind.SERVER, "query_other_jobs", BOOLEAN, MANAGER, "True"),
          of(ObjectKind.SERVER, "query_other_jobs_in_full", BOOLEAN, MANAGER),
          of(ObjectKind.SERVER, "comment", TEXT, OPERATOR),
          of(ObjectKind.SERVER, "default_qsub_arguments", TEXT, OPERATOR),
          of(ObjectKind.SERVER, "resources_available", RESOURCES, OPERATOR),
          of(ObjectKind.SERVER, "resources_default", RESOURCES, OPERATOR),
          of(ObjectKind.SERVER, "default_chunk", RESOURCES, OPERATOR),
          of(ObjectKind.SERVER, "resources_max", RESOURCES, OPERATOR),
          of(ObjectKind.SERVER, "max_queued", LIMITS, OPERATOR),
          of(ObjectKind.SERVER, "max_queued_res", RESOURCE_LIMITS, OPERATOR),
          of(ObjectKind.SERVER, "resources_assigned", RESOURCES, READ_ONLY),
          of(ObjectKind.SERVER, "scheduler_iteration", LONG, OPERATOR),
          of(ObjectKind.SERVER, "job_accumulation_time", LONG, OPERATOR),
          new AttributeDefinition(ObjectKind.SERVER, "resv_enable", BOOLEAN, MANAGER, "True"),
          of(ObjectKind.SERVER, RESERVE_RETRY, LONG, MANAGER),
          new AttributeDefinition(ObjectKind.SERVER, "node_fail_requeue", LONG, OPERATOR, "310"),
          new AttributeDefinition(ObjectKind.SERVER, "max_array_size", LONG, OPERATOR, "10000"),
          of(ObjectKind.SERVER, PlacementRule.ENABLE, BOOLEAN, OPERATOR),
          of(ObjectKind.SERVER, PlacementRule.KEY, LIST, OPERATOR),
          // PBS bounds neither how many reservations there are nor what they have and when.
          of(ObjectKind.SERVER, MAX_RESERVATIONS, LIMITS, MANAGER),
          of(ObjectKind.SERVER, MAX_RESERVED, RESOURCE_LIMITS, MANAGER),
          of(ObjectKind.SERVER, "max_reservation_length", DURATION, MANAGER),
          of(ObjectKind.SERVER, "max_reservation_ahead", DURATION, MANAGER),
          // PluS has it in a file.
          of(ObjectKind.SERVER, RESERVABLE, TEXT, MANAGER),
          of(ObjectKind.SERVER, RESERVABLE_ZONE, TEXT, MANAGER),
          of(ObjectKind.SERVER, "backfill_depth", LONG, OPERATOR),
          of(ObjectKind.SERVER, FORMULA, TEXT, MANAGER),
          of(ObjectKind.SERVER, "pbs_version", TEXT, READ_ONLY),
          new AttributeDefinition(
              ObjectKind.SERVER, "eligible_time_enable", BOOLEAN, MANAGER, "False"),
          new AttributeDefinition(
              ObjectKind.SERVER, "job_history_enable", BOOLEAN, MANAGER, "True"),
          new AttributeDefinition(
              ObjectKind.SERVER, "job_history_duration", DURATION, MANAGER, "336:00:00"),
          of(ObjectKind.SERVER, "job_requeue_timeout", DURATION, OPERATOR),
          // Named as in Grid Engine; PBS configures this in its daemons' network layer.
          new AttributeDefinition(ObjectKind.SERVER, "max_unheard", LONG, MANAGER, "30"),
          // PBS bounds files (the resource "file"), not what a run prints.
          of(ObjectKind.SERVER, MAX_OUTPUT, SIZE, OPERATOR),
          of(ObjectKind.SERVER, "ledger_snapshot_facts", LONG, MANAGER),
          of(ObjectKind.SERVER, TERMINATING, TEXT, OPERATOR),
          of(ObjectKind.QUEUE, "queue_type", QUEUE_TYPE, OPERATOR),
          of(ObjectKind.QUEUE, "Priority", LONG, OPERATOR),
          of(ObjectKind.QUEUE, "max_queuable", LONG, OPERATOR),
          of(ObjectKind.QUEUE, "total_jobs", LONG, READ_ONLY),
          of(ObjectKind.QUEUE, "state_count", TEXT, READ_ONLY),
          of(ObjectKind.QUEUE, "max_queued", LIMITS, OPERATOR),
          of(ObjectKind.QUEUE, "max_queued_res", RESOURCE_LIMITS, OPERATOR),
          of(ObjectKind.QUEUE, "acl_host_enable", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "acl_hosts", LIST, OPERATOR),
          of(ObjectKind.QUEUE, "acl_user_enable", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "acl_users", LIST, OPERATOR),
          of(ObjectKind.QUEUE, "from_route_only", BOOLEAN, MANAGER),
          of(ObjectKind.QUEUE, "resources_max", RESOURCES, OPERATOR),
          of(ObjectKind.QUEUE, "resources_min", RESOURCES, OPERATOR),
          of(ObjectKind.QUEUE, "resources_default", RESOURCES, OPERATOR),
          of(ObjectKind.QUEUE, "acl_group_enable", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "acl_groups", LIST, OPERATOR),
          of(ObjectKind.QUEUE, "default_chunk", RESOURCES, OPERATOR),
          of(ObjectKind.QUEUE, "resources_available", RESOURCES, OPERATOR),
          of(ObjectKind.QUEUE, "resources_assigned", RESOURCES, READ_ONLY),
          of(ObjectKind.QUEUE, "kill_delay", LONG, OPERATOR),
          of(ObjectKind.QUEUE, MAX_OUTPUT, SIZE, OPERATOR),
          of(ObjectKind.QUEUE, "hasnodes", BOOLEAN, READ_ONLY),
          of(ObjectKind.QUEUE, PlacementRule.KEY, LIST, OPERATOR),
          of(ObjectKind.QUEUE, "route_destinations", LIST, MANAGER),
          of(ObjectKind.QUEUE, "route_held_jobs", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "route_retry_time", LONG, OPERATOR),
          of(ObjectKind.QUEUE, "route_lifetime", LONG, OPERATOR),
          of(ObjectKind.QUEUE, "enabled", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "started", BOOLEAN, OPERATOR),
          of(ObjectKind.QUEUE, "max_array_size", LONG, OPERATOR),
          of(ObjectKind.QUEUE, "comment", TEXT, OPERATOR),
          of(ObjectKind.QUEUE, "partition", TEXT, MANAGER),
          // PBS has no best effort; the word is OAR's.
          of(ObjectKind.QUEUE, BEST_EFFORT, BOOLEAN, MANAGER),
          of(ObjectKind.QUEUE, BEST_EFFORT_REQUEUE, BOOLEAN, MANAGER),
          // For campaigns, whose types are CiGri's.
          of(ObjectKind.QUEUE, NIGHT_WINDOW, NIGHT, MANAGER),
          of(ObjectKind.QUEUE, NIGHT_QUEUE, TEXT, MANAGER),
          // Cannot be changed after "create node X Mom=host".
          of(ObjectKind.NODE, "Mom", TEXT, MANAGER),
          of(ObjectKind.NODE, "ntype", TEXT, READ_ONLY),
          of(ObjectKind.NODE, "state", NODE_STATE, OPERATOR),
          of(ObjectKind.NODE, "Priority", LONG, OPERATOR),
          of(ObjectKind.NODE, "jobs", TEXT, READ_ONLY),
          of(ObjectKind.NODE, "resv", TEXT, READ_ONLY),
          of(ObjectKind.NODE, "resources_available", RESOURCES, OPERATOR),
          of(ObjectKind.NODE, "resources_assigned", RESOURCES, READ_ONLY),
          of(ObjectKind.NODE, "comment", TEXT, OPERATOR),
          of(ObjectKind.NODE, "queue", TEXT, MANAGER),
          new AttributeDefinition(ObjectKind.NODE, "resv_enable", BOOLEAN, MANAGER, "True"),
          new AttributeDefinition(
              ObjectKind.NODE,
              NodeSharing.ATTRIBUTE,
              NODE_SHARING,
              MANAGER,
              NodeSharing.DEFAULT_SHARED.word()),
          of(ObjectKind.NODE, "partition", TEXT, OPERATOR),
          of(ObjectKind.NODE, "last_state_change_time", LONG, READ_ONLY),
          of(ObjectKind.NODE, "last_used_time", LONG, READ_ONLY),
          of(ObjectKind.SCHEDULER, "sched_host", TEXT, MANAGER),
          new AttributeDefinition(
              ObjectKind.SCHEDULER, "sched_cycle_length", DURATION, MANAGER, "00:20:00"),
          of(ObjectKind.SCHEDULER, PlacementRule.DO_NOT_SPAN, BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, PlacementRule.ONLY_EXPLICIT, BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, "sched_preempt_enforce_resumption", BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, "preempt_targets_enable", BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, FORMULA_THRESHOLD, FLOAT, MANAGER),
          // Never stored: PBS's older word for the next one.
          of(ObjectKind.SCHEDULER, "throughput_mode", BOOLEAN, MANAGER),
          new AttributeDefinition(
              ObjectKind.SCHEDULER, "job_run_wait", JOB_RUN_WAIT, MANAGER, "runjob_hook"),
          of(ObjectKind.SCHEDULER, "opt_backfill_fuzzy", BACKFILL_FUZZY, MANAGER),
          // PBS leaves a scheduler down that died.
          of(ObjectKind.SCHEDULER, "takeover_time", LONG, MANAGER),
          of(ObjectKind.SCHEDULER, "job_accumulation_time", LONG, MANAGER),
          of(ObjectKind.SCHEDULER, "partition", LIST, MANAGER),
          of(ObjectKind.SCHEDULER, SchedulerFolders.PRIV, PATH, MANAGER),
          of(ObjectKind.SCHEDULER, SchedulerFolders.LOG, PATH, MANAGER),
          new AttributeDefinition(ObjectKind.SCHEDULER, "scheduling", BOOLEAN, MANAGER, "False"),
          new AttributeDefinition(
              ObjectKind.SCHEDULER, "scheduler_iteration", LONG, MANAGER, "600"),
          of(ObjectKind.SCHEDULER, "sched_user", TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, "comment", TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, "state", TEXT, READ_ONLY),
          new AttributeDefinition(ObjectKind.SCHEDULER, "preempt_queue_prio", LONG, MANAGER, "150"),
          new AttributeDefinition(
              ObjectKind.SCHEDULER,
              "preempt_prio",
              PREEMPT_PRIO,
              MANAGER,
              "express_queue, normal_jobs"),
          new AttributeDefinition(
              ObjectKind.SCHEDULER, "preempt_order", PREEMPT_ORDER, MANAGER, "SCR"),
          new AttributeDefinition(
              ObjectKind.SCHEDULER, "preempt_sort", PREEMPT_SORT, MANAGER, "min_time_since_start"),
          new AttributeDefinition(ObjectKind.SCHEDULER, "log_events", LONG, MANAGER, "767"),
          new AttributeDefinition(ObjectKind.SCHEDULER, SERVER_DYN_RES_ALARM, LONG, MANAGER, "30"),
          of(ObjectKind.SCHEDULER, "attr_update_period", LONG, MANAGER),
          // PBS sets strict_ordering in sched_config and has no named policies.
          of(ObjectKind.SCHEDULER, "policy", POLICY, MANAGER),
          // The texts of a Grid Engine's configuration, joined.
          of(ObjectKind.SCHEDULER, GRID_ENGINE_CONFIGURATION, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, SCHED_CONFIG, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, POLICY_FOLDER, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, POLICY_PROBLEM, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, RESERVABLE, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, RESERVABLE_ZONE, TEXT, MANAGER),
          // PluS has it in a script that its administrator changes.
          of(ObjectKind.SCHEDULER, RESERVATION_START, START_ACTION, MANAGER),
          of(ObjectKind.SCHEDULER, RESERVATION_LEAD, DURATION, MANAGER),
          of(ObjectKind.SCHEDULER, ORIGIN2000, TEXT, MANAGER),
          of(ObjectKind.SCHEDULER, FAIRSHARE_ENTITY, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, FAIRSHARE_USAGE, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, FAIRSHARE_DECAY_TIME, LONG, READ_ONLY),
          of(ObjectKind.SCHEDULER, FAIRSHARE_DECAY_FACTOR, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, SERVER_DYN_RES, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, COMPARED_RESOURCES, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, UNSET_INFINITE, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, UPDATE_COMMENTS, BOOLEAN, READ_ONLY),
          of(ObjectKind.SCHEDULER, POLICY_INPUTS_FROM, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, POLICY_INPUTS, TEXT, READ_ONLY),
          of(ObjectKind.SCHEDULER, "strict_ordering", BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, "backfill_depth", LONG, MANAGER),
          of(ObjectKind.SCHEDULER, FORMULA, TEXT, MANAGER),
          // PBS sets these three in sched_config.
          of(ObjectKind.SCHEDULER, BY_QUEUE, BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, ROUND_ROBIN, BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, JOB_SORT_KEY, AttributeType.JOB_SORT_KEY, MANAGER),
          of(ObjectKind.SCHEDULER, "node_sort_key", NODE_SORT_KEY, MANAGER),
          // PBS sets preemptive_sched in sched_config.
          of(ObjectKind.SCHEDULER, "preemptive_sched", BOOLEAN, MANAGER),
          of(ObjectKind.SCHEDULER, "shard", LONG, READ_ONLY),
          new AttributeDefinition(ObjectKind.RESOURCE, "type", RESOURCE_TYPE, MANAGER, "string"),
          of(ObjectKind.RESOURCE, FLAG, RESOURCE_FLAG, MANAGER),
          of(ObjectKind.PARTITION, "shard", LONG, READ_ONLY));

  private static final List<AttributeDefinition> ALL =
      Stream.of(APART_FROM_LIMITS, limits(ObjectKind.SERVER), limits(ObjectKind.QUEUE))
          .flatMap(List::stream)
          .toList();

  /** Those of each kind by name, whatever its case: every job's life asks for some of them. */
  private static final Map<ObjectKind, Map<String, AttributeDefinition>> PLAIN = byName(false);

  private static final Map<ObjectKind, Map<String, AttributeDefinition>> PER_RESOURCE =
      byName(true);

  private AttributeTable() {}

  private static Map<ObjectKind, Map<String, AttributeDefinition>> byName(boolean perResource) {
    Map<ObjectKind, Map<String, AttributeDefinition>> all = new EnumMap<>(ObjectKind.class);
    for (ObjectKind kind : ObjectKind.values()) {
      all.put(kind, new TreeMap<>(String.CASE_INSENSITIVE_ORDER));
    }
    ALL.stream()
        .filter(each -> each.perResource() == perResource)
        .forEach(each -> all.get(each.kind()).putIfAbsent(each.name(), each));
    return all;
  }

  /** Run limits; the forms of PBS before version 10 come last. */
  private static List<AttributeDefinition> limits(ObjectKind kind) {
    return List.of(
        of(kind, "max_run", LIMITS, OPERATOR),
        of(kind, "max_run_res", RESOURCE_LIMITS, OPERATOR),
        of(kind, "max_run_soft", LIMITS, OPERATOR),
        of(kind, "max_run_res_soft", RESOURCE_LIMITS, OPERATOR),
        of(kind, "max_running", LONG, OPERATOR),
        of(kind, "max_user_run", LONG, OPERATOR),
        of(kind, "max_group_run", LONG, OPERATOR),
        of(kind, "max_user_res", RESOURCES, OPERATOR),
        of(kind, "max_group_res", RESOURCES, OPERATOR),
        of(kind, "max_user_run_soft", LONG, OPERATOR),
        of(kind, "max_group_run_soft", LONG, OPERATOR),
        of(kind, "max_user_res_soft", RESOURCES, OPERATOR),
        of(kind, "max_group_res_soft", RESOURCES, OPERATOR));
  }

  private static AttributeDefinition of(
      ObjectKind kind, String name, AttributeType type, AttributeAccess access) {
    return new AttributeDefinition(kind, name, type, access, "");
  }

  /** The attributes of a kind in printing order. */
  public static List<AttributeDefinition> of(ObjectKind kind) {
    return ALL.stream().filter(d -> d.kind() == kind).toList();
  }

  /**
   * The attribute with this name, whatever its case; {@code resources_available.ncpus} finds {@code
   * resources_available}. Empty when there is none.
   */
  public static Optional<AttributeDefinition> find(ObjectKind kind, String name) {
    int dot = name.indexOf('.');
    return Optional.ofNullable(
        dot < 0 ? PLAIN.get(kind).get(name) : PER_RESOURCE.get(kind).get(name.substring(0, dot)));
  }

  /** The attribute of this name that has a value for each resource; empty when there is none. */
  public static Optional<AttributeDefinition> ofResources(ObjectKind kind, String name) {
    return ALL.stream()
        .filter(d -> d.kind() == kind && d.perResource() && d.name().equalsIgnoreCase(name))
        .findFirst();
  }

  /** PBS's spelling of a name that {@link #find} knows, with the resource when it has one. */
  public static String spelling(AttributeDefinition definition, String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? definition.name() : definition.name() + name.substring(dot);
  }

  /** Default value of an attribute; empty when it has none. */
  public static String defaultOf(ObjectKind kind, String name) {
    return find(kind, name).map(AttributeDefinition::defaultValue).orElse("");
  }
}
