package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What administrators say: the scheduler's settings, queues, and the objects of nodes. */
public final class ClusterBook {

  private final String scheduler;
  private final NodeTable nodes;
  private final Map<String, QueueState> queues = new HashMap<>();
  private final Map<String, ClusterObject> resourceObjects = new TreeMap<>();

  /** Called with each class whose queue was changed. */
  private final Consumer<ClassState> changed;

  /** Called when the scheduler's settings may have changed. */
  private final Runnable settingsChanged;

  /** Called when limits have changed, or the jobs that they hold for. */
  private final Runnable limitsChanged;

  /** Called with each queue that is heard of for the first time. */
  private final Consumer<QueueState> found;

  private ResourceTable resources = ResourceTable.standard();
  private ClusterObject schedulerObject;
  private ClusterObject serverObject;
  private SchedulerSettings settings = SchedulerSettings.absent();
  private LimitRules serverLimits = LimitRules.NONE;

  /** What the server has of resources by others than its attributes. */
  private Map<String, String> outside = Map.of();

  private boolean regrouped;

  /** Version that changes whenever another pool may serve a queue. */
  private long served = 1;

  ClusterBook(
      String scheduler,
      NodeTable nodes,
      Consumer<ClassState> changed,
      Runnable settingsChanged,
      Runnable limitsChanged,
      Consumer<QueueState> found) {
    this.scheduler = scheduler;
    this.nodes = nodes;
    this.changed = changed;
    this.settingsChanged = settingsChanged;
    this.limitsChanged = limitsChanged;
    this.found = found;
  }

  SchedulerSettings settings() {
    return settings;
  }

  QueueState queue(String name) {
    QueueState known = queues.get(name);
    if (known == null) {
      known = new QueueState(name);
      known.groupedBy(rule(known));
      queues.put(name, known);
      found.accept(known);
    }
    return known;
  }

  /** Jobs of a reservation are placed on its nodes, which lie together as it asked. */
  private PlacementRule rule(QueueState queue) {
    return ReservationIds.isReserved(queue.name())
        ? settings.sets().withoutSets()
        : settings.sets();
  }

  private void regroup(QueueState queue) {
    regrouped |= queue.groupedBy(rule(queue));
  }

  /** True when jobs have been placed in other placement sets since the last call. */
  boolean takeRegrouped() {
    boolean any = regrouped;
    regrouped = false;
    return any;
  }

  /** A queue if anything is known of it; null otherwise. */
  QueueState find(String name) {
    return queues.get(name);
  }

  /** Forgets a queue that is gone, unless jobs are still in it. */
  void forget(QueueState queue) {
    if (queue.isEmpty()) {
      queues.remove(queue.name(), queue);
    }
  }

  /** Tells of the objects that hold for all jobs: resources, the server, the scheduler object. */
  public void retell(Consumer<ClusterObject> told) {
    resourceObjects.values().forEach(told);
    Stream.of(serverObject, schedulerObject).filter(Objects::nonNull).forEach(told);
  }

  /** All resources that exist. */
  ResourceTable resources() {
    return resources;
  }

  /** Limits of the server. */
  LimitRules serverLimits() {
    return serverLimits;
  }

  /** All queues that are known. */
  public Collection<QueueState> queues() {
    return queues.values();
  }

  /** Pool from which the queue's jobs are served; null when it is not this scheduler's. */
  Pool poolOf(QueueState queue) {
    if (!queue.poolFoundAt(served)) {
      queue.servedBy(serves(queue) ? nodes.pool(queue.partition(), queue.name()) : null, served);
    }
    return queue.pool();
  }

  /** True for a partition that is in the care of this scheduler. */
  boolean serves(String partition) {
    return settings.partitions().contains(partition);
  }

  /** True for a queue whose jobs this scheduler starts. */
  boolean serves(QueueState queue) {
    return settings.partitions().contains(queue.partition());
  }

  /** All pools of nodes. */
  Collection<Pool> pools() {
    return nodes.pools();
  }

  /** Why a queue's jobs have no node at all, not even when nothing runs. */
  public Shortage noNodes(QueueState queue) {
    if (nodes.bindings().hasNodes(queue.name())) {
      return Shortage.untilChange(ReasonCode.NO_QUEUE_NODES, queue.name());
    }
    boolean others =
        nodes.pools().stream()
            .filter(
                it -> it.key().partition().equals(queue.partition()) && !it.key().queue().isEmpty())
            .anyMatch(it -> it.usable() > 0);
    ReasonCode code = others ? ReasonCode.NO_UNBOUND_NODES : ReasonCode.NO_NODES;
    return Shortage.untilChange(code, queue.partition());
  }

  /** Records that a queue may be served by other nodes than before. */
  void servedAnew() {
    served++;
  }

  void eachClass(Consumer<ClassState> visitor) {
    queues.values().forEach(queue -> queue.eachClass(visitor));
  }

  void eachClass(String partition, Consumer<ClassState> visitor) {
    for (QueueState queue : queues.values()) {
      if (queue.partition().equals(partition)) {
        queue.eachClass(visitor);
      }
    }
  }

  void written(ClusterObject object) {
    switch (object.getKind()) {
      case SCHEDULER -> {
        if (object.getName().equals(scheduler)) {
          schedulerObject = object;
          settle(read());
        }
      }
      case SERVER -> {
        serverObject = object;
        SchedulerSettings now = read();
        if (!settings.equals(now)) {
          settle(now);
        }
        limitServer();
      }
      case QUEUE -> queue(object);
      case NODE -> nodes.object(object.getName(), object);
      case RESOURCE -> {
        resourceObjects.put(object.getName(), object);
        defined();
      }
      case PARTITION -> {
        // Does not affect scheduling.
      }
    }
    servedAnew();
  }

  void deleted(ObjectKind kind, String name) {
    switch (kind) {
      case SCHEDULER -> {
        if (name.equals(scheduler)) {
          schedulerObject = null;
          settle(read());
        }
      }
      case QUEUE -> {
        QueueState queue = queues.get(name);
        if (queue != null) {
          queue.starts(false);
          queue.prioritised(0);
          limit(queue, LimitRules.NONE);
          queue.eachClass(changed);
        }
      }
      case NODE -> {
        NodeState node = nodes.get(name);
        nodes.object(name, null);
        if (node != null && node.holders() == 0) {
          nodes.node(name, null);
        }
      }
      case RESOURCE -> {
        resourceObjects.remove(name);
        defined();
      }
      case SERVER, PARTITION -> {
        // Neither is deleted while it has jobs.
      }
    }
    servedAnew();
  }

  private void defined() {
    resources = ResourceTable.of(resourceObjects.values());
    nodes.resources(resources);
    limitsChanged.run();
  }

  private SchedulerSettings read() {
    return schedulerObject == null
        ? SchedulerSettings.absent()
        : SchedulerSettings.of(schedulerObject, serverObject);
  }

  private void settle(SchedulerSettings now) {
    settings = now;
    queues.values().forEach(this::regroup);
    servedAnew();
    settingsChanged.run();
  }

  /**
   * Sets what the server has of resources by others than its attributes, in place of those.
   *
   * @param amounts by resource
   */
  public void outside(Map<String, String> amounts) {
    if (!amounts.equals(outside)) {
      outside = Map.copyOf(amounts);
      limitServer();
    }
  }

  private void limitServer() {
    LimitRules limits =
        serverObject == null ? LimitRules.NONE : LimitRules.of(serverObject, outside);
    if (!limits.equals(serverLimits)) {
      serverLimits = limits;
      limitsChanged.run();
    }
  }

  private void limit(QueueState queue, LimitRules limits) {
    if (!limits.equals(queue.limits())) {
      queue.limited(limits);
      limitsChanged.run();
    }
  }

  private void queue(ClusterObject object) {
    QueueState queue = queue(object.getName());
    String partition = ObjectAttributes.text(object, "partition", "");
    boolean route = ObjectAttributes.text(object, "queue_type", "e").matches("[rR].*");
    String before = queue.partition();
    queue.belongs(partition.isEmpty() ? DefaultNames.PARTITION : partition);
    if (!queue.partition().equals(before)) {
      limitsChanged.run();
    }
    limit(queue, LimitRules.of(object));
    queue.prioritised(ObjectAttributes.signed(object, "Priority", 0));
    queue.createdBy(object.getCreated());
    queue.backfills((int) ObjectAttributes.signed(object, "backfill_depth", -1));
    queue.grouped(PlacementRule.keys(object));
    regroup(queue);
    queue.starts(
        !route && ObjectAttributes.text(object, "started", "False").equalsIgnoreCase("true"));
    queue.eachClass(changed);
  }
}
