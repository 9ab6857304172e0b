package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.schemas.attributes.NodeSharing;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A node of this shard: what it has, what is taken, and whether it may be used. */
final class NodeState {

  private static final Sharing[] SHARINGS = Sharing.values();

  final int id;
  final String name;

  /** Run-time side; null until it was seen. Its holdings are not kept up to date here. */
  Node node;

  /** As administrators see it; null when it is not defined. */
  ClusterObject object;

  HostState host;

  /** Of the pool in which it stands or would stand. */
  PoolKey key = PoolKey.unbound(SchedulerState.DEFAULT_PARTITION);

  /** Pool in which it stands and its place there; null when it stands in none. */
  Pool pool;

  /** What administrators say of it; higher comes first where the order of nodes regards it. */
  long priority;

  int index;
  boolean usable;
  long[] capacity = {};

  /** What runs and proposals hold; free is capacity less this. */
  long[] used = {};

  long[] free = {};
  Map<String, String> properties = Map.of();

  /** Who may be here together, as administrators say. */
  NodeSharing sharing = NodeSharing.DEFAULT_SHARED;

  /**
   * Runs and proposals on the node, and those of them that have it, or its host, for themselves.
   */
  int holders;

  int exclusive;
  int hostExclusive;

  /** All of them by what they ask for. */
  private final int[] asking = new int[SHARINGS.length];

  /** True while its pool has to tell those who wait that more of it is free, and from when on. */
  boolean touched;

  long touchedFromMs;

  /** Runs on it whose ends are known. */
  final NodeReleases releases = new NodeReleases();

  /** Promises that begin on it. */
  final NodePromises promises = new NodePromises(this);

  NodeState(int id, String name) {
    this.id = id;
    this.name = name;
  }

  /** The values of a property that it shows; several when it is shown as a list. */
  List<String> values(String resource) {
    String shown = properties.get(resource);
    return shown == null
        ? List.of()
        : Arrays.stream(shown.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  /** True when jobs that do not ask to be alone may be together here. */
  boolean shared() {
    return Sharing.UNSAID.on(sharing) == Sharing.SHARED;
  }

  /** A run or proposal that asks so comes, or (sign -1) goes. */
  void occupy(Sharing asked, int sign) {
    Sharing here = asked.on(sharing);
    asking[asked.ordinal()] += sign;
    holders += sign;
    exclusive += here == Sharing.SHARED ? 0 : sign;
    hostExclusive += here == Sharing.EXCLHOST ? sign : 0;
    if (host != null) {
      host.holders += sign;
      host.exclusive += here == Sharing.EXCLHOST ? sign : 0;
    }
  }

  /** Administrators say something else than before: who is here, or is to come, counts anew. */
  void share(NodeSharing other) {
    sharing = other;
    int before = hostExclusive;
    exclusive = 0;
    hostExclusive = 0;
    for (Sharing asked : SHARINGS) {
      Sharing here = asked.on(other);
      exclusive += here == Sharing.SHARED ? 0 : asking[asked.ordinal()];
      hostExclusive += here == Sharing.EXCLHOST ? asking[asked.ordinal()] : 0;
    }
    promises.recount();
    if (host != null) {
      host.exclusive += hostExclusive - before;
      host.nodes.forEach(it -> it.promises.recount());
    }
  }

  /** True when nobody has the node or its host, or is promised it, for himself alone. */
  boolean sharedOnly() {
    return exclusive == 0
        && host != null
        && host.exclusive == 0
        && promises.sharedOnly()
        && host.nodes.size() == 1;
  }

  /** True when a job that shares may use what is free. */
  boolean openToShared() {
    return usable && exclusive == 0 && host.exclusive == 0;
  }
}
