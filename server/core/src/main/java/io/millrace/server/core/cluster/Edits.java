package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AbsentAttributes;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.UnheldResources;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Changes the attributes of one object as a directive says: who may, which values, how. */
final class Edits {
  private static final Set<String> FREE_AND_OFFLINE = Set.of("free", "offline");
  private static final Set<String> WHOLE_REQUEST = Set.of("select", "place", "nodes", "nodect");

  private final View view;
  private final ObjectKind kind;
  private final Role by;
  private final ObjectRules rules;

  Edits(View view, ObjectKind kind, Role by, ObjectRules rules) {
    this.view = view;
    this.kind = kind;
    this.by = by;
    this.rules = rules;
  }

  /**
   * @param fresh whether the object is new: some attributes are given then or never
   */
  void set(List<AttributeEdit> edits, boolean fresh, Map<String, String> attributes)
      throws RejectedChange {
    for (AttributeEdit edit : edits) {
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
            case "ADD" -> changed(definition, name, now, value, false);
            case "REMOVE" -> changed(definition, name, now, value, true);
            default -> value;
          });
      refuseNegative(name, attributes.get(name));
      checkSum(definition, attributes.get(name));
      if (attributes.get(name).isEmpty()
          || (name.equals("state") && attributes.get(name).equals("free"))) {
        attributes.remove(name);
      }
    }
  }

  /** The result of += and -= has the same bounds as a value that is set. */
  private void checkSum(AttributeDefinition definition, String sum) throws RejectedChange {
    if (counted(definition) && !sum.isEmpty()) {
      rules.check(definition, sum);
    }
  }

  private static boolean counted(AttributeDefinition definition) {
    return switch (definition.type()) {
      case LONG, DURATION, SIZE -> true;
      default -> false;
    };
  }

  private static void refuseNegative(String name, String value) throws RejectedChange {
    boolean count = name.equals("backfill_depth") || name.startsWith("max_");
    if (count && value.startsWith("-")) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
  }

  void unset(List<AttributeEdit> edits, Map<String, String> attributes) throws RejectedChange {
    for (AttributeEdit edit : edits) {
      Optional<AttributeDefinition> whole = AttributeTable.ofResources(kind, edit.getName());
      if (whole.isPresent()) {
        allowed(whole.get());
        attributes.keySet().removeIf(name -> name.startsWith(whole.get().name() + "."));
        continue;
      }
      AttributeDefinition definition = settable(edit);
      String name = AttributeTable.spelling(definition, edit.getName());
      attributes.remove(name);
      String after = rules.afterUnset(definition);
      if (!after.isEmpty()) {
        attributes.put(name, after);
      }
    }
  }

  private AttributeDefinition settable(AttributeEdit edit) throws RejectedChange {
    Optional<AttributeDefinition> found = AttributeTable.find(kind, edit.getName());
    Optional<AttributeDefinition> whole = AttributeTable.ofResources(kind, edit.getName());
    if (whole.isPresent()) {
      allowed(whole.get());
      throw new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + whole.get().name());
    }
    if (found.isEmpty()) {
      String instead = AbsentAttributes.instead(kind, edit.getName()).orElse("");
      throw new RejectedChange(PbsError.UNDEFINED_ATTRIBUTE, instead);
    }
    return allowed(found.get());
  }

  private AttributeDefinition allowed(AttributeDefinition definition) throws RejectedChange {
    if (!definition.access().allows(by)) {
      // An ordinary user may change nothing; an operator is told which attribute is for managers.
      throw by == Role.USER
          ? new RejectedChange(PbsError.UNAUTHORIZED)
          : new RejectedChange(PbsError.READ_ONLY_ATTRIBUTE, " " + definition.name());
    }
    return definition;
  }

  private String normal(AttributeDefinition definition, String name, AttributeEdit edit)
      throws RejectedChange {
    Optional<String> value = definition.normalise(edit.getValue());
    if (definition.type() == AttributeType.NODE_STATE
        && Set.copyOf(Draft.words(edit.getValue())).equals(FREE_AND_OFFLINE)) {
      throw new RejectedChange(PbsError.MUTUALLY_EXCLUSIVE, " " + name);
    }
    if (value.isEmpty()) {
      throw new RejectedChange(
          definition.type() == AttributeType.NODE_STATE
              ? PbsError.ILLEGAL_NODE_STATE
              : PbsError.ILLEGAL_VALUE);
    }
    if (definition.type() == AttributeType.RESOURCES) {
      return amount(name, value.get());
    }
    boolean perResource = definition.type() == AttributeType.RESOURCE_LIMITS;
    String normal = perResource ? amounts(name, value.get()) : value.get();
    // A value that is removed may have been set before it became illegal; sums are checked in
    // checkSum.
    boolean added = edit.getOperation().equals("ADD") && !counted(definition);
    if (added || edit.getOperation().equals("ASSIGN")) {
      rules.check(definition, normal);
    }
    return normal;
  }

  /** The amounts of a limit, each in the form of its resource. */
  private String amounts(String name, String text) throws RejectedChange {
    List<LimitEntry> entries = new ArrayList<>();
    for (LimitEntry entry : LimitEntry.parse(text).orElse(List.of())) {
      entries.add(new LimitEntry(entry.whom(), entry.name(), amount(name, entry.amount())));
    }
    return LimitEntry.format(entries);
  }

  private String amount(String name, String text) throws RejectedChange {
    ResourceDefinition known = resource(name);
    if (name.startsWith("max_") && !known.consumable()) {
      // A resource that is not consumable cannot be limited.
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
    boolean ofJobs = ofJobs(name, known);
    try {
      return known.consumable() || (ofJobs && known.kind() != ResourceKind.STRING)
          ? Amounts.format(known, Amounts.parse(known, text))
          : text;
    } catch (RequestException e) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
  }

  private ResourceDefinition resource(String name) throws RejectedChange {
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(view, ObjectKind.RESOURCE, custom::add);
    String resource = name.substring(name.indexOf('.') + 1);
    String instead = UnheldResources.instead(resource).orElse("");
    if (!instead.isEmpty()) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": " + resource + " is not offered: " + instead);
    }
    return ResourceTable.of(custom)
        .find(resource)
        .orElseThrow(() -> new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + name));
  }

  /**
   * Whether the amount is about single jobs. Only what can be more or less has a bound; the form of
   * a request has no default, since its other parts follow from it.
   */
  private static boolean ofJobs(String name, ResourceDefinition resource) throws RejectedChange {
    boolean preset = name.startsWith("resources_default.");
    boolean bound = name.startsWith("resources_max.") || name.startsWith("resources_min.");
    if ((bound && !resource.kind().numeric())
        || (preset && WHOLE_REQUEST.contains(resource.name()))) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
    return bound || preset;
  }

  /** What += and -= leave; the empty text when there is nothing left. */
  private String changed(
      AttributeDefinition definition, String name, String now, String value, boolean less)
      throws RejectedChange {
    if (now == null || now.isEmpty()) {
      return less ? "" : value;
    }
    if (definition.type() == AttributeType.RESOURCES) {
      return Increments.amounts(resource(name), name, now, value, less);
    }
    Increments how = Increments.of(definition.type());
    return less ? how.remove(now, value) : how.add(now, value);
  }
}
