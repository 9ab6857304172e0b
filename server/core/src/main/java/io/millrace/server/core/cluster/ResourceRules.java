package io.millrace.server.core.cluster;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.placement.Nodes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Custom resources. Those of PBS cannot be changed. One cannot be deleted, or get another type or
 * flag, while nodes have it, jobs ask for it, or limits, defaults or sort keys name it.
 */
record ResourceRules(ObjectChange change, Draft draft) implements ObjectRules {

  private static final List<ObjectKind> NAMING =
      List.of(ObjectKind.NODE, ObjectKind.QUEUE, ObjectKind.SERVER, ObjectKind.SCHEDULER);

  /** Attributes that decide how values are read. */
  private static final List<String> FORM = List.of("type", AttributeTable.FLAG);

  /** Flags of PBS, each with what is so instead. */
  private static final Map<Character, String> ABSENT_FLAGS =
      Map.of(
          'i', "everybody sees all resources",
          'm', "there are no hooks on hosts that could ask for it");

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    String name = change.getName();
    if (ResourceTable.isBuiltIn(name) || draft.find(ObjectKind.RESOURCE, name) != null) {
      throw new RejectedChange(PbsError.DUPLICATE_ENTRY);
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("type", "string");
    return attributes;
  }

  @Override
  public void check(AttributeDefinition definition, String value) throws RejectedChange {
    if (!definition.name().equals(AttributeTable.FLAG)) {
      return;
    }
    for (Map.Entry<Character, String> flag : ABSENT_FLAGS.entrySet()) {
      if (value.indexOf(flag.getKey()) >= 0) {
        String text = ": flag " + flag.getKey() + " is not offered: " + flag.getValue();
        throw new RejectedChange(PbsError.ILLEGAL_VALUE, text);
      }
    }
  }

  @Override
  public PbsError unknown() {
    return ResourceTable.isBuiltIn(change.getName())
        ? PbsError.INVALID_REQUEST
        : PbsError.UNKNOWN_RESOURCE;
  }

  @Override
  public void delete(ClusterObject object) throws RejectedChange {
    String resource = object.getName();
    for (ObjectKind kind : NAMING) {
      List<String> users = users(kind, resource);
      if (!users.isEmpty()) {
        String user = (kind.name().toLowerCase(Locale.ROOT) + " " + users.get(0)).strip();
        throw new RejectedChange(
            PbsError.ILLEGAL_VALUE, ": resource " + resource + " is set on " + user);
      }
    }
    draft.askAllShards();
  }

  /** Values that were written for the old type would be misread. */
  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    Map<String, String> was = Draft.attributes(before);
    boolean same = FORM.stream().allMatch(it -> Objects.equals(was.get(it), attributes.get(it)));
    if (before == null || same) {
      return;
    }
    for (ObjectKind kind : NAMING) {
      if (!users(kind, before.getName()).isEmpty()) {
        throw new RejectedChange(PbsError.RESOURCE_BUSY, kind.name().toLowerCase(Locale.ROOT));
      }
    }
    draft.askAllShards();
  }

  /** Names of the objects of a kind with an attribute about the resource. */
  private List<String> users(ObjectKind kind, String resource) {
    List<String> users = new ArrayList<>();
    Nodes.each(
        draft.view(),
        kind,
        user -> {
          if (user.getAttributes().stream().anyMatch(it -> names(it, resource))) {
            users.add(user.getName());
          }
        });
    return users;
  }

  private static final Set<String> KEYS =
      Set.of("node_sort_key", AttributeTable.JOB_SORT_KEY, PlacementRule.KEY);

  private static boolean names(Attribute attribute, String resource) {
    return attribute.getName().endsWith("." + resource)
        || KEYS.contains(attribute.getName())
            && List.of(attribute.getValue().split("[^\\w-]+")).contains(resource)
        || attribute.getName().equals(AttributeTable.FORMULA)
            && SortFormulas.names(attribute.getValue(), resource);
  }
}
