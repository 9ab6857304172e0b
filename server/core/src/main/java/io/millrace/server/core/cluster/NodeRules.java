package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.RouteQueue;
import java.util.LinkedHashMap;
import java.util.Map;

/** Nodes: in a partition, perhaps bound to a queue of it. */
record NodeRules(ObjectChange change, Draft draft) implements ObjectRules {

  @Override
  public Map<String, String> fresh() throws RejectedChange {
    ObjectRules.refuseExisting(change, draft, PbsError.NODE_EXISTS);
    Map<String, String> attributes = new LinkedHashMap<>();
    if (ObjectRules.edit(change, "Mom") == null) {
      attributes.put("Mom", change.getName());
    }
    return attributes;
  }

  @Override
  public PbsError unknown() {
    return PbsError.UNKNOWN_NODE;
  }

  @Override
  public void delete(ClusterObject object) {
    draft.askAllShards();
  }

  @Override
  public void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String was = before == null ? "" : Context.attribute(before, "partition", "");
    String is = attributes.getOrDefault("partition", "");
    Partitions.refuseDefaultName(is);
    if (before == null || edits("queue") || edits("partition")) {
      checkBinding(attributes);
    }
    new Partitions(draft).ensure(is);
    if (before != null && (!was.equals(is) || othersMayShare(before, attributes))) {
      draft.askAllShards();
    }
  }

  /** Sharing of a node cannot change while it has runs, like its partition. */
  private static boolean othersMayShare(ClusterObject before, Map<String, String> attributes) {
    String shared = NodeSharing.DEFAULT_SHARED.word();
    return !Context.attribute(before, NodeSharing.ATTRIBUTE, shared)
        .equals(attributes.getOrDefault(NodeSharing.ATTRIBUTE, shared));
  }

  private boolean edits(String attribute) {
    return ObjectRules.edit(change, attribute) != null;
  }

  private void checkBinding(Map<String, String> attributes) throws RejectedChange {
    String queueName = attributes.getOrDefault("queue", "");
    if (queueName.isEmpty()) {
      return;
    }
    ClusterObject queue = draft.find(ObjectKind.QUEUE, queueName);
    if (queue == null) {
      throw new RejectedChange(PbsError.UNKNOWN_QUEUE);
    }
    if (RouteQueue.is(queue)) {
      throw new RejectedChange(PbsError.WRONG_QUEUE_TYPE);
    }
    String partition = attributes.getOrDefault("partition", "");
    String ofQueue = Context.attribute(queue, "partition", "");
    if (Partitions.differ(partition, ofQueue)) {
      throw edits("queue")
          ? new RejectedChange(PbsError.NODE_PARTITION_NOT_OF_QUEUE, partition)
          : new RejectedChange(PbsError.NODE_QUEUE_NOT_IN_PARTITION, queueName);
    }
  }
}
