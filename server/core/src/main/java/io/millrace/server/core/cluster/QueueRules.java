package io.millrace.server.core.cluster;

import io.millrace.schemas.attributes.AttributeDefinition;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.Context;
import io.millrace.server.core.PbsError;
import java.util.LinkedHashMap;
import java.util.Map;

/** Queues: in a partition, together with the nodes that are bound to them. */
record QueueRules(ObjectChange change, Draft draft) implements ObjectRules {
  private static final int NAME_MAX = 15;

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    ObjectRules.refuseExisting(change, draft, PbsError.QUEUE_EXISTS);
    if (change.getName().length() > NAME_MAX) {
      throw new RejectedChange(PbsError.QUEUE_NAME_LONG);
    }
    return new LinkedHashMap<>();
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_QUEUE;
  }

  @Override
  public void check(AttributeDefinition definition, String value) throws RejectedChange {
    ObjectRules.checkAccess(definition, value);
  }

  @Override
  public void delete(ClusterObject object) {
    draft.askAllShards();
  }

  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    if ("True".equals(attributes.get("enabled")) && !attributes.containsKey("queue_type")) {
      throw new RejectedChange(PbsError.QUEUE_INCOMPLETE);
    }
    String was = before == null ? "" : Context.attribute(before, "partition", "");
    String is = attributes.getOrDefault("partition", "");
    Partitions.refuseDefaultName(is);
    if (!was.equals(is)) {
      refuseBoundNodes(is);
    }
    new Partitions(draft).ensure(is);
  }

  private void refuseBoundNodes(String partition) throws RejectedChange {
    boolean[] differs = {false};
    Nodes.each(
        draft.view(),
        ObjectKind.NODE,
        node ->
            differs[0] |=
                Context.attribute(node, "queue", "").equals(change.getName())
                    && !Context.attribute(node, "partition", "").equals(partition));
    if (differs[0]) {
      throw new RejectedChange(PbsError.INVALID_QUEUE_PARTITION);
    }
  }
}
