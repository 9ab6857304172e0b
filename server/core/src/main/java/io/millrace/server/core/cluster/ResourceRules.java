package io.millrace.server.core.cluster;

import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.Context;
import io.millrace.server.core.PbsError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Custom resources: not those that PBS has, and not deleted while a node has some. */
record ResourceRules(ObjectChange change, Draft draft) implements ObjectRules {

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    String name = change.getName();
    if (ResourceTable.isBuiltIn(name) || draft.find(ObjectKind.RESOURCE, name) != null) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, ": resource " + name + " exists");
    }
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("type", "string");
    return attributes;
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_RESOURCE;
  }

  @Override
  public void delete(ClusterObject object) throws RejectedChange {
    String resource = object.getName();
    List<String> users = new ArrayList<>();
    Nodes.each(
        draft.view(),
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
}
