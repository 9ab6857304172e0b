package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which resources attributes of queues and the server may be about, and with which values. */
final class NamedResources {
  private static final String OF_CHUNKS = "default_chunk.";
  private static final String AVAILABLE = "resources_available.";

  private NamedResources() {}

  /** Refuses attribute values that could never have an effect. */
  static void check(View view, ObjectKind kind, Map<String, String> attributes)
      throws RejectedChange {
    if (kind != ObjectKind.QUEUE && kind != ObjectKind.SERVER) {
      return;
    }
    ResourceTable table = null;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      String name = attribute.getKey();
      if (name.startsWith(OF_CHUNKS) || name.startsWith(AVAILABLE)) {
        table = table == null ? table(view) : table;
        check(table, name, attribute.getValue());
      }
    }
  }

  private static ResourceTable table(View view) {
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(view, ObjectKind.RESOURCE, custom::add);
    return ResourceTable.of(custom);
  }

  /** Chunks have host-level resources only; limits on all jobs together need consumable ones. */
  private static void check(ResourceTable table, String name, String value) throws RejectedChange {
    ResourceDefinition resource = table.find(name.substring(name.indexOf('.') + 1)).orElse(null);
    boolean fits =
        resource != null
            && (name.startsWith(OF_CHUNKS) ? resource.onHost() : resource.consumable());
    try {
      if (fits && (resource.kind() == ResourceKind.STRING || Amounts.parse(resource, value) >= 0)) {
        return;
      }
    } catch (RequestException e) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
    throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
  }
}
