package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.PreemptOrder;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Scheduler objects: each in one shard, with all partitions that it serves. */
record SchedulerRules(ObjectChange change, Draft draft) implements ObjectRules {
  static final List<String> SHARED_WITH_SERVER = List.of("scheduling", "scheduler_iteration");

  /** Keys of job_sort_key that are no resources of hosts. */
  private static final Set<String> JOB_KEYS =
      Set.of(
          "job_priority",
          "preempt_priority",
          "walltime",
          "queue_priority",
          "queue_order",
          "queue_turn",
          "submit_time",
          "nodect",
          "euser",
          "egroup",
          "submit_host");

  /** Keys of node_sort_key that are no resources. */
  private static final Set<String> NODE_KEYS =
      Set.of("sort_priority", "name", "loadave", "idle_time");

  private static final int NAME_MAX = 15;

  /**
   * Longest value of an attribute, in characters: every shard keeps a copy, and each change is one
   * record.
   */
  private static final int TEXT_MAX = 256 << 10;

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    ObjectRules.refuseExisting(change, draft, PbsError.SCHEDULER_EXISTS);
    if (change.getName().length() > NAME_MAX) {
      throw new RejectedChange(PbsError.SCHEDULER_NAME_LONG);
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("scheduling", "False");
    attributes.put("scheduler_iteration", "600");
    attributes.put("shard", String.valueOf(new Partitions(draft).leastUsedShard()));
    return attributes;
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_SCHEDULER;
  }

  @Override
  public void check(AttributeDefinition definition, String value) throws RejectedChange {
    boolean negative = definition.type() == AttributeType.LONG && value.startsWith("-");
    if (negative && !definition.name().equals("preempt_queue_prio")) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    if (definition.name().equals("sched_host")) {
      refuseOtherHost(value);
    }
    if (definition.type() == AttributeType.NODE_SORT_KEY) {
      refuseUnsortable(value);
    }
    if (definition.type() == AttributeType.JOB_SORT_KEY) {
      refuseUnknownKeys(value);
    }
    if (definition.type() == AttributeType.PREEMPT_ORDER) {
      refuseCheckpointing(value);
    }
    if (value.length() > TEXT_MAX) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": " + definition.name() + " is over " + TEXT_MAX + " characters");
    }
  }

  /** sched_host does not move an engine; only the host on which it runs is accepted. */
  private void refuseOtherHost(String host) throws RejectedChange {
    ClusterObject server = draft.find(ObjectKind.SERVER, Keys.SERVER);
    String here = Context.attribute(server, "server_host", host);
    if (!host.equalsIgnoreCase(here)) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " sched_host");
    }
  }

  private static void refuseCheckpointing(String order) throws RejectedChange {
    if (PreemptOrder.parse(order).orElseThrow().only('C')) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": only C in preempt_order: there is no checkpointing; add S, R or D");
    }
  }

  /** Keys of jobs are numeric resources of hosts, and a few words. */
  private void refuseUnknownKeys(String keys) throws RejectedChange {
    for (String key : keys.split(", ")) {
      String name = key.substring(0, key.indexOf(' ')).split("=", 2)[0];
      if (name.equals("fair_share_perc")) {
        throw new RejectedChange(
            PbsError.ILLEGAL_VALUE,
            ": " + name + " in job_sort_key: fair share comes with a sched_config");
      }
      Optional<ResourceDefinition> resource = resources().find(name);
      boolean amount = resource.map(it -> it.onHost() && it.kind().numeric()).orElse(false);
      if (!JOB_KEYS.contains(name) && !amount) {
        throw new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + name);
      }
    }
  }

  private ResourceTable resources() {
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(draft.view(), ObjectKind.RESOURCE, custom::add);
    return ResourceTable.of(custom);
  }

  private void refuseUnsortable(String keys) throws RejectedChange {
    ResourceTable resources = resources();
    for (String key : keys.split(", ")) {
      String name = key.substring(0, key.indexOf(' '));
      Optional<ResourceDefinition> resource = resources.find(name);
      if (!NODE_KEYS.contains(name) && !resource.map(it -> it.consumable()).orElse(false)) {
        throw new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + name);
      }
    }
  }

  @Override
  public String afterUnset(AttributeDefinition definition) {
    return definition.defaultValue();
  }

  @Override
  public void delete(ClusterObject object) throws RejectedChange {
    if (object.getName().equals(Draft.DEFAULT_SCHEDULER)) {
      throw new RejectedChange(PbsError.DEFAULT_SCHEDULER_STAYS);
    }
    Partitions partitions = new Partitions(draft);
    Draft.words(Context.attribute(object, "partition", "")).forEach(partitions::orphan);
  }

  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    SortFormulas.check(draft, ObjectKind.SCHEDULER, attributes);
    SchedulerFolderRules.check(draft, change, attributes);
    throughputMode(attributes);
    boolean byFormula =
        attributes.containsKey(AttributeTable.FORMULA)
            || attributes.containsKey(AttributeTable.FORMULA_THRESHOLD);
    if (byFormula
        && attributes.getOrDefault("policy", "").equals("gridengine")
        && !attributes.getOrDefault("strict_ordering", "").equals("True")) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": job_sort_formula and its threshold say nothing where policy is gridengine");
    }
    ReservableRules.follow(before, attributes);
    SchedConfigRules.follow(before, attributes);
    FollowedFolderRules.follow(before, attributes);
    OriginTextRules.follow(attributes);
    new BestEffortRules(draft).scheduler(change.getName(), attributes);
    if (change.getName().equals(Draft.DEFAULT_SCHEDULER)) {
      followDefault(attributes);
    }
    List<String> is = Draft.words(attributes.getOrDefault("partition", ""));
    List<String> was = Draft.words(Context.attribute(before, "partition", ""));
    refuseTaken(is);
    if (was.isEmpty()) {
      goTo(is, before, attributes);
    }
    Partitions partitions = new Partitions(draft);
    for (String partition : was) {
      if (!is.contains(partition)) {
        partitions.orphan(partition);
      }
    }
    for (String partition : is) {
      Map<String, String> placed = new LinkedHashMap<>();
      placed.put("scheduler", change.getName());
      placed.put("shard", attributes.get("shard"));
      int shard = PartitionTable.shardOf(draft.view(), partition);
      if (shard >= 0 && !String.valueOf(shard).equals(attributes.get("shard"))) {
        draft.ask(shard); // its reservations keep it there
      }
      partitions.place(partition, placed);
    }
  }

  /**
   * A scheduler that has no partition takes the shard of the first one that it is given and that
   * there is: so the partition's jobs, nodes and reservations stay where they are. One that adds up
   * usage stays with that; one that has added some up in the past is kept by its shard.
   *
   * @param before null when it is new
   */
  private void goTo(List<String> given, ClusterObject before, Map<String, String> attributes) {
    boolean counts =
        attributes.containsKey(AttributeTable.FAIRSHARE_ENTITY)
            || attributes.containsKey(AttributeTable.ORIGIN2000);
    if (counts || change.getName().equals(Draft.DEFAULT_SCHEDULER)) {
      return;
    }
    for (String partition : given) {
      ClusterObject known = draft.find(ObjectKind.PARTITION, partition);
      String shard = known == null ? "" : Context.attribute(known, "shard", "");
      if (!shard.isEmpty()) {
        String own = attributes.put("shard", shard);
        if (before != null && !shard.equals(own)) {
          draft.ask(Integer.parseInt(own)); // what it has added up keeps it there
        }
        return;
      }
    }
  }

  /** PBS's older word for job_run_wait: whichever is set last says both. */
  private void throughputMode(Map<String, String> attributes) {
    String mode = attributes.remove("throughput_mode");
    AttributeEdit edit = ObjectRules.edit(change, "throughput_mode");
    if (edit != null && change.getOperation().equals("UNSET")) {
      attributes.remove("job_run_wait");
    } else if (mode != null && ObjectRules.edit(change, "job_run_wait") == null) {
      attributes.put("job_run_wait", mode.equals("True") ? "runjob_hook" : "execjob_hook");
    }
  }

  private void followDefault(Map<String, String> attributes) throws RejectedChange {
    // As in PBS, what it cannot be set to can be unset, which changes nothing.
    if (ObjectRules.edit(change, "partition") != null && !change.getOperation().equals("UNSET")) {
      throw new RejectedChange(PbsError.DEFAULT_SCHEDULER_ONLY);
    }
    ClusterObject server = draft.find(ObjectKind.SERVER, Keys.SERVER);
    Map<String, String> mirrored = Draft.attributes(server);
    for (String shared : SHARED_WITH_SERVER) {
      mirrored.put(shared, attributes.get(shared));
    }
    draft.write(ObjectKind.SERVER, Keys.SERVER, mirrored);
  }

  private void refuseTaken(List<String> partitions) throws RejectedChange {
    for (String partition : partitions) {
      Partitions.refuseDefaultName(partition);
      String owner = PartitionTable.schedulerOf(draft.view(), partition);
      if (!owner.isEmpty() && !owner.equals(change.getName())) {
        throw new RejectedChange(PbsError.PARTITION_TAKEN);
      }
    }
  }
}
