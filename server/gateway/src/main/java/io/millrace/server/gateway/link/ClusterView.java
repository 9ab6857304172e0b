package io.millrace.server.gateway.link;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.ShardOwner;
import java.util.List;
import java.util.Optional;

/** The cluster's objects and shard owners as this gateway knows them now. Thread-safe. */
public interface ClusterView {

  /** The object of this kind and name. */
  Optional<ClusterObject> find(ObjectKind kind, String name);

  /** All objects of a kind, by name. */
  List<ClusterObject> all(ObjectKind kind);

  /** Shards that have had an owner, in ascending order. */
  List<Integer> shards();

  /** Who owns the shard; empty before its first owner. */
  Optional<ShardOwner> owner(int shard);

  /**
   * Waits until everything is known that was committed before this call.
   *
   * @throws LinkException when the broker cannot be reached
   */
  void barrier() throws LinkException, InterruptedException;

  /** What is shown of an outside cluster; empty when none of this name is observed. */
  default Optional<OutsidePicture> outside(String cluster) throws InterruptedException {
    return Optional.empty();
  }

  /** The one object of kind SERVER; empty before the cluster's first start. */
  default Optional<ClusterObject> server() {
    List<ClusterObject> servers = all(ObjectKind.SERVER);
    return servers.isEmpty() ? Optional.empty() : Optional.of(servers.get(0));
  }

  /** Value of an attribute that is set on the object. */
  static Optional<String> attribute(ClusterObject object, String name) {
    for (Attribute each : object.getAttributes()) {
      if (each.getName().equals(name)) {
        return Optional.of(each.getValue());
      }
    }
    return Optional.empty();
  }
}
