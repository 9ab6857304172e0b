package io.millrace.server.core.cluster;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceDefinition;
import io.millrace.reservations.resources.ResourceKind;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which resources attributes of queues and the server may be about, and with which values. */
final class NamedResources {
  private static final String OF_CHUNKS = "default_chunk.";

  private NamedResources() {}

  /** Refuses what could never have an effect. */
  static void check(View view, Map<String, String> attributes) throws RejectedChange {
    ResourceTable table = null;
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      if (attribute.getKey().startsWith(OF_CHUNKS)) {
        table = table == null ? table(view) : table;
        ofChunks(table, attribute.getKey(), attribute.getValue());
      }
    }
  }

  private static ResourceTable table(View view) {
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(view, ObjectKind.RESOURCE, custom::add);
    return ResourceTable.of(custom);
  }

  /** A chunk has only what hosts have. */
  private static void ofChunks(ResourceTable table, String name, String value)
      throws RejectedChange {
    ResourceDefinition resource = table.find(name.substring(OF_CHUNKS.length())).orElse(null);
    if (resource == null || !resource.onHost()) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
    try {
      if (resource.kind() != ResourceKind.STRING) {
        Amounts.parse(resource, value);
      }
    } catch (RequestException e) {
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, " " + name);
    }
  }
}
