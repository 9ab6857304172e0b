package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.Sizes;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.placement.CustomResources;
import java.util.Map;
import java.util.Optional;

/** What qmgr does differently for one kind of object. */
interface ObjectRules {

  /** What a new object has before the directive's own attributes; refuses what cannot be made. */
  Map<String, String> fresh() throws RejectedChange;

  /** The refusal when there is no object of the name. */
  PbsError unknown();

  /** Refuses a value that is well-formed and still not allowed. */
  default void check(AttributeDefinition definition, String value) throws RejectedChange {}

  /** Value of an attribute after UNSET; empty when it has none. */
  default String afterUnset(AttributeDefinition definition) {
    return "";
  }

  /** Prepares the deletion of the object, or refuses it. */
  void delete(ClusterObject object) throws RejectedChange;

  /**
   * Changes other objects as the new attributes of this one demand.
   *
   * @param before null when it is new
   */
  default void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {}

  /** The edit of an attribute in a directive; null when it has none. */
  static AttributeEdit edit(ObjectChange change, String name) {
    return change.getAttributes().stream()
        .filter(e -> e.getName().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }

  /** A list of users, groups or hosts has only entries that can match somebody. */
  static void checkAccess(AttributeDefinition definition, String value) throws RejectedChange {
    AccessList list = AccessList.of(definition.name());
    if (list != null && !list.valid(value)) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE);
    }
  }

  /** No array can have more subjobs than there are indices. */
  static void checkArrays(AttributeDefinition definition, String value) throws RejectedChange {
    long most = JobNumbers.INDEX_MAX + 1L;
    if (definition.name().equals("max_array_size")
        && (Long.parseLong(value) < 0 || Long.parseLong(value) > most)) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " max_array_size: 0 to " + most);
    }
  }

  /** Supervisors count in kilobytes, and without any a run could not be told why it was ended. */
  static void checkOutput(AttributeDefinition definition, String value) throws RejectedChange {
    if (definition.name().equals(AttributeTable.MAX_OUTPUT)
        && Sizes.parse(value).orElse(0L) < Sizes.KB) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE, ": " + AttributeTable.MAX_OUTPUT + " is 1kb or more");
    }
  }

  /** Sets of nodes are made of resources whose values are texts. */
  static void checkSets(AttributeDefinition definition, String value, Draft draft)
      throws RejectedChange {
    if (!definition.name().equals(PlacementRule.KEY)) {
      return;
    }
    ResourceTable resources = CustomResources.with(draft.view());
    for (String word : Draft.words(value)) {
      Optional<ResourceDefinition> resource = resources.find(word);
      if (resource.isEmpty()) {
        throw new RejectedChange(PbsError.UNKNOWN_RESOURCE, " " + definition.name());
      }
      if (resource.get().kind() != ResourceKind.STRING) {
        throw new RejectedChange(PbsError.RESOURCE_NOT_STRING, " " + definition.name());
      }
    }
  }

  static void refuseExisting(ObjectChange change, Draft draft, PbsError error)
      throws RejectedChange {
    if (draft.find(change.getKind(), change.getName()) != null) {
      throw new RejectedChange(error);
    }
  }
}
