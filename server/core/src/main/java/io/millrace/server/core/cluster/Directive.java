package io.millrace.server.core.cluster;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceDefinition;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.attributes.AttributeDefinition;
import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.attributes.AttributeType;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.Context;
import io.millrace.server.core.Keys;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Turns one qmgr directive into the objects it writes and deletes, and the shards that must agree.
 * Reads only the administrative shard's copy of the objects.
 */
final class Directive {
  private static final int SCHEDULER_NAME_MAX = 15;
  private static final int QUEUE_NAME_MAX = 15;
  static final String DEFAULT_SCHEDULER = "default";

  private final View view;
  private final CommandMeta by;
  private final ObjectChange change;
  private final long number;
  private final Map<String, ClusterObject> written = new LinkedHashMap<>();
  private final List<ClusterObject> deleted = new ArrayList<>();
  private final Set<Integer> consents = new LinkedHashSet<>();

  Directive(View view, CommandMeta by, ObjectChange change, long number) {
    this.view = view;
    this.by = by;
    this.change = change;
    this.number = number;
  }

  List<ClusterObject> written() {
    return List.copyOf(written.values());
  }

  List<ClusterObject> deleted() {
    return deleted;
  }

  List<Integer> consents() {
    return List.copyOf(consents);
  }

  void work() throws RejectedChange {
    if (change.getKind() == ObjectKind.PARTITION) {
      throw new RejectedChange(PbsError.UNSUPPORTED, ": a partition comes into being by its use");
    }
    switch (change.getOperation()) {
      case "CREATE" -> create();
      case "DELETE" -> delete();
      case "SET" -> set();
      case "UNSET" -> unset();
      default -> throw new IllegalArgumentException("operation " + change.getOperation());
    }
  }

  private ClusterObject find(ObjectKind kind, String name) {
    String key = Keys.object(kind, name);
    ClusterObject object = written.get(key);
    return object != null ? object : view.objects().get(key);
  }

  private void write(ObjectKind kind, String name, Map<String, String> attributes) {
    List<Attribute> list = new ArrayList<>(attributes.size());
    attributes.forEach((key, value) -> list.add(new Attribute(key, value)));
    written.put(Keys.object(kind, name), new ClusterObject(kind, name, number, list));
  }

  private static Map<String, String> attributes(ClusterObject object) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (object != null) {
      object.getAttributes().forEach(a -> attributes.put(a.getName(), a.getValue()));
    }
    return attributes;
  }

  private void requireManager() throws RejectedChange {
    if (by.getRole() != Role.MANAGER) {
      throw new RejectedChange(PbsError.UNAUTHORIZED);
    }
  }

  private void create() throws RejectedChange {
    requireManager();
    String name = change.getName();
    switch (change.getKind()) {
      case SERVER -> throw new RejectedChange(PbsError.UNSUPPORTED);
      case QUEUE -> {
        refuseExisting(PbsError.QUEUE_EXISTS);
        if (name.length() > QUEUE_NAME_MAX) {
          throw new RejectedChange(PbsError.QUEUE_NAME_LONG);
        }
      }
      case NODE -> refuseExisting(PbsError.NODE_EXISTS);
      case SCHEDULER -> {
        refuseExisting(PbsError.SCHEDULER_EXISTS);
        if (name.length() > SCHEDULER_NAME_MAX) {
          throw new RejectedChange(PbsError.SCHEDULER_NAME_LONG);
        }
      }
      case RESOURCE -> {
        if (ResourceTable.isBuiltIn(name) || find(ObjectKind.RESOURCE, name) != null) {
          throw new RejectedChange(PbsError.ILLEGAL_VALUE, ": resource " + name + " exists");
        }
      }
      case PARTITION -> throw new IllegalStateException("partitions are refused before");
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    if (change.getKind() == ObjectKind.SCHEDULER) {
      attributes.put("scheduling", "False");
      attributes.put("scheduler_iteration", "600");
      attributes.put("shard", String.valueOf(leastUsedShard()));
    }
    if (change.getKind() == ObjectKind.RESOURCE) {
      attributes.put("type", "string");
    }
    if (change.getKind() == ObjectKind.NODE && edit("Mom") == null) {
      attributes.put("Mom", name);
    }
    edit(attributes, true);
  }

  private void refuseExisting(PbsError error) throws RejectedChange {
    if (find(change.getKind(), change.getName()) != null) {
      throw new RejectedChange(error);
    }
  }

  private AttributeEdit edit(String name) {
    return change.getAttributes().stream()
        .filter(e -> e.getName().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }

  private ClusterObject existing() throws RejectedChange {
    ClusterObject object = find(change.getKind(), change.getName());
    if (object == null) {
      throw switch (change.getKind()) {
        case QUEUE -> new RejectedChange(PbsError.UNKNOWN_QUEUE);
        case NODE -> new RejectedChange(PbsError.UNKNOWN_NODE);
        case SCHEDULER -> new RejectedChange(PbsError.UNKNOWN_SCHEDULER);
        default -> new RejectedChange(PbsError.UNKNOWN_RESOURCE);
      };
    }
    return object;
  }

  private void delete() throws RejectedChange {
    requireManager();
    ClusterObject object = existing();
    switch (change.getKind()) {
      case SERVER -> throw new RejectedChange(PbsError.UNSUPPORTED);
      case SCHEDULER -> {
        if (object.getName().equals(DEFAULT_SCHEDULER)) {
          throw new RejectedChange(PbsError.DEFAULT_SCHEDULER_STAYS);
        }
        words(Context.attribute(object, "partition", "")).forEach(this::orphan);
      }
      case QUEUE, NODE -> askAllShards();
      case RESOURCE -> refuseUsed(object.getName());
      case PARTITION -> throw new IllegalStateException("partitions are refused before");
    }
    deleted.add(new ClusterObject(object.getKind(), object.getName(), number, List.of()));
  }

  private void refuseUsed(String resource) throws RejectedChange {
    List<String> users = new ArrayList<>();
    Nodes.each(
        view,
        ObjectKind.NODE,
        node -> {
          if (Context.attribute(node, "resources_available." + resource, null) != null) {
            users.add(node.getName());
          }
        });
    if (!users.isEmpty()) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": resource " + resource + " is set on node " + users.get(0));
    }
  }

  private void set() throws RejectedChange {
    edit(attributes(existing()), false);
  }

  private void unset() throws RejectedChange {
    ClusterObject object = existing();
    Map<String, String> attributes = attributes(object);
    for (AttributeEdit edit : change.getAttributes()) {
      AttributeDefinition definition = settable(edit);
      String name = AttributeTable.spelling(definition, edit.getName());
      attributes.remove(name);
      if (!definition.defaultValue().isEmpty() && change.getKind() == ObjectKind.SCHEDULER) {
        attributes.put(name, definition.defaultValue());
      }
    }
    finish(object, attributes);
  }

  private void edit(Map<String, String> attributes, boolean fresh) throws RejectedChange {
    ClusterObject before = fresh ? null : existing();
    for (AttributeEdit edit : change.getAttributes()) {
      AttributeDefinition definition = settable(edit);
      String name = AttributeTable.spelling(definition, edit.getName());
      if (name.equals("Mom") && !fresh) {
        throw new RejectedChange(PbsError.READ_ONLY_ATTRIBUTE, " " + name);
      }
      String value = normal(definition, name, edit);
      String now = attributes.get(name);
      attributes.put(
          name,
          switch (edit.getOperation()) {
            case "ADD" -> added(definition, now, value);
            case "REMOVE" -> removed(definition, now, value);
            default -> value;
          });
      if (attributes.get(name).isEmpty()
          || (name.equals("state") && attributes.get(name).equals("free"))) {
        attributes.remove(name);
      }
    }
    finish(before, attributes);
  }

  private AttributeDefinition settable(AttributeEdit edit) throws RejectedChange {
    Optional<AttributeDefinition> found = AttributeTable.find(change.getKind(), edit.getName());
    if (found.isEmpty()) {
      throw new RejectedChange(PbsError.UNDEFINED_ATTRIBUTE);
    }
    AttributeDefinition definition = found.get();
    if (!definition.access().allows(by.getRole())) {
      // An ordinary user may change nothing; a manager is told which attribute is not for him.
      throw by.getRole() == Role.USER
          ? new RejectedChange(PbsError.UNAUTHORIZED)
          : new RejectedChange(PbsError.READ_ONLY_ATTRIBUTE, " " + definition.name());
    }
    return definition;
  }

  private String normal(AttributeDefinition definition, String name, AttributeEdit edit)
      throws RejectedChange {
    Optional<String> value = definition.normalise(edit.getValue());
    if (value.isEmpty()) {
      throw new RejectedChange(
          definition.type() == AttributeType.NODE_STATE
              ? PbsError.ILLEGAL_NODE_STATE
              : PbsError.ILLEGAL_VALUE);
    }
    if (definition.type() == AttributeType.RESOURCES) {
      return amount(name, value.get());
    }
    boolean negative = definition.type() == AttributeType.LONG && value.get().startsWith("-");
    if (negative && change.getKind() == ObjectKind.SCHEDULER) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
    if (name.equals("default_queue") && find(ObjectKind.QUEUE, value.get()) == null) {
      throw new RejectedChange(PbsError.UNKNOWN_QUEUE);
    }
    return value.get();
  }

  private String amount(String name, String text) throws RejectedChange {
    String resource = name.substring(name.indexOf('.') + 1);
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(view, ObjectKind.RESOURCE, custom::add);
    Optional<ResourceDefinition> definition = ResourceTable.of(custom).find(resource);
    if (definition.isEmpty()) {
      throw new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + name);
    }
    try {
      return definition.get().consumable()
          ? Amounts.format(definition.get(), Amounts.parse(definition.get(), text))
          : text;
    } catch (RequestException e) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
  }

  private static String added(AttributeDefinition definition, String now, String value)
      throws RejectedChange {
    if (now == null || now.isEmpty()) {
      return value;
    }
    if (definition.type() == AttributeType.LONG) {
      return String.valueOf(Long.parseLong(now) + Long.parseLong(value));
    }
    if (definition.type() != AttributeType.LIST) {
      return value;
    }
    Set<String> words = new LinkedHashSet<>(words(now));
    words.addAll(words(value));
    return String.join(",", words);
  }

  private static String removed(AttributeDefinition definition, String now, String value) {
    if (now == null) {
      return "";
    }
    if (definition.type() == AttributeType.LONG) {
      return String.valueOf(Long.parseLong(now) - Long.parseLong(value));
    }
    if (definition.type() != AttributeType.LIST) {
      return now.equals(value) ? "" : now;
    }
    Set<String> words = new LinkedHashSet<>(words(now));
    words.removeAll(words(value));
    return String.join(",", words);
  }

  private static List<String> words(String list) {
    return Arrays.stream(list.split(",")).map(String::strip).filter(w -> !w.isEmpty()).toList();
  }

  /** What follows for other objects from the new attributes of this one. */
  private void finish(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String was = before == null ? "" : Context.attribute(before, "partition", "");
    String is = attributes.getOrDefault("partition", "");
    switch (change.getKind()) {
      case SERVER -> mirror(attributes);
      case QUEUE -> {
        if ("True".equals(attributes.get("enabled")) && !attributes.containsKey("queue_type")) {
          throw new RejectedChange(PbsError.QUEUE_INCOMPLETE);
        }
        refuseDefaultName(is);
        if (!was.equals(is)) {
          refuseBoundNodes(is);
        }
        ensurePartition(is);
      }
      case NODE -> {
        refuseDefaultName(is);
        checkBinding(attributes, edit("queue") != null);
        ensurePartition(is);
        if (before != null && !was.equals(is)) {
          askAllShards();
        }
      }
      case SCHEDULER -> schedulerPartitions(before, words(was), words(is), attributes);
      case RESOURCE, PARTITION -> {}
    }
    write(change.getKind(), change.getName(), attributes);
  }

  /** As in PBS, scheduling and scheduler_iteration of the server are the default scheduler's. */
  private void mirror(Map<String, String> attributes) {
    ClusterObject scheduler = find(ObjectKind.SCHEDULER, DEFAULT_SCHEDULER);
    if (scheduler == null) {
      return;
    }
    Map<String, String> mirrored = attributes(scheduler);
    for (String name : List.of("scheduling", "scheduler_iteration")) {
      AttributeEdit edit = edit(name);
      if (edit != null && attributes.containsKey(name)) {
        mirrored.put(name, attributes.get(name));
      }
    }
    if (!mirrored.equals(attributes(scheduler))) {
      write(ObjectKind.SCHEDULER, DEFAULT_SCHEDULER, mirrored);
    }
  }

  private static void refuseDefaultName(String partition) throws RejectedChange {
    if (partition.equals(Placement.DEFAULT_PARTITION)) {
      throw new RejectedChange(PbsError.DEFAULT_PARTITION_NAME);
    }
  }

  private void refuseBoundNodes(String partition) throws RejectedChange {
    boolean[] differs = {false};
    Nodes.each(
        view,
        ObjectKind.NODE,
        node ->
            differs[0] |=
                Context.attribute(node, "queue", "").equals(change.getName())
                    && !Context.attribute(node, "partition", "").equals(partition));
    if (differs[0]) {
      throw new RejectedChange(PbsError.INVALID_QUEUE_PARTITION);
    }
  }

  private void checkBinding(Map<String, String> attributes, boolean queueEdited)
      throws RejectedChange {
    String queueName = attributes.getOrDefault("queue", "");
    if (queueName.isEmpty()) {
      return;
    }
    ClusterObject queue = find(ObjectKind.QUEUE, queueName);
    if (queue == null) {
      throw new RejectedChange(PbsError.UNKNOWN_QUEUE);
    }
    String partition = attributes.getOrDefault("partition", "");
    String ofQueue = Context.attribute(queue, "partition", "");
    if (!partition.equals(ofQueue)) {
      throw queueEdited
          ? new RejectedChange(PbsError.NODE_PARTITION_NOT_OF_QUEUE, partition)
          : new RejectedChange(PbsError.NODE_QUEUE_NOT_IN_PARTITION, queueName);
    }
  }

  private void schedulerPartitions(
      ClusterObject before, List<String> was, List<String> is, Map<String, String> attributes)
      throws RejectedChange {
    String name = change.getName();
    if (name.equals(DEFAULT_SCHEDULER) && edit("partition") != null) {
      throw new RejectedChange(PbsError.DEFAULT_SCHEDULER_ONLY);
    }
    if (name.equals(DEFAULT_SCHEDULER)) {
      ClusterObject server = find(ObjectKind.SERVER, Initialise.SERVER);
      Map<String, String> mirrored = attributes(server);
      for (String shared : List.of("scheduling", "scheduler_iteration")) {
        mirrored.put(shared, attributes.get(shared));
      }
      write(ObjectKind.SERVER, Initialise.SERVER, mirrored);
    }
    for (String partition : is) {
      refuseDefaultName(partition);
      String owner = Placement.schedulerOf(view, partition);
      if (!owner.isEmpty() && !owner.equals(name)) {
        throw new RejectedChange(PbsError.PARTITION_TAKEN);
      }
    }
    for (String partition : was) {
      if (!is.contains(partition)) {
        orphan(partition);
      }
    }
    for (String partition : is) {
      Map<String, String> placed = new LinkedHashMap<>();
      placed.put("scheduler", name);
      placed.put("shard", attributes.get("shard"));
      write(ObjectKind.PARTITION, partition, placed);
    }
  }

  /** A partition that no scheduler serves stays where it is. */
  private void orphan(String partition) {
    ClusterObject object = find(ObjectKind.PARTITION, partition);
    write(
        ObjectKind.PARTITION, partition, Map.of("shard", Context.attribute(object, "shard", "0")));
  }

  private void ensurePartition(String partition) {
    if (!partition.isEmpty() && find(ObjectKind.PARTITION, partition) == null) {
      write(ObjectKind.PARTITION, partition, Map.of("shard", String.valueOf(leastUsedShard())));
    }
  }

  /** The shard with the fewest schedulers and partitions; the administrative one last. */
  private int leastUsedShard() {
    int[] used = new int[view.shards()];
    for (ObjectKind kind : List.of(ObjectKind.SCHEDULER, ObjectKind.PARTITION)) {
      Nodes.each(view, kind, o -> used[Integer.parseInt(Context.attribute(o, "shard", "0"))]++);
    }
    int best = view.shards() - 1;
    for (int shard = view.shards() - 1; shard > 0; shard--) {
      best = used[shard] <= used[best] ? shard : best;
    }
    return best;
  }

  /**
   * Jobs and nodes may still be in a shard where their queue or partition was, or on their way:
   * only all shards together know that nothing is left.
   */
  private void askAllShards() {
    for (int shard = 0; shard < view.shards(); shard++) {
      consents.add(shard);
    }
  }
}
