package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A node of this shard: what it has, what is taken, and whether it may be used. */
public final class NodeState {

  private static final Sharing[] SHARINGS = Sharing.values();
  private static final long[] NOTHING = {};

  private final int id;
  private final String name;
  private Node node;
  private ClusterObject object;
  private HostState host;
  private PoolKey key = PoolKey.unbound(DefaultNames.PARTITION);
  private NodePool pool;
  private long priority;
  private int index;
  private boolean usable;
  private long[] capacity = NOTHING;
  private long[] used = NOTHING;
  private long[] free = NOTHING;
  private Map<String, String> properties = Map.of();
  private NodeSharing sharing = NodeSharing.DEFAULT_SHARED;
  private int holders;
  private int exclusive;
  private int hostExclusive;

  /** Runs and proposals by what they ask for. */
  private final int[] asking = new int[SHARINGS.length];

  private boolean touched;
  private long touchedFromMs;
  private final NodeReleases releases = new NodeReleases();
  private final NodePromises promises = new NodePromises();

  NodeState(int id, String name) {
    this.id = id;
    this.name = name;
  }

  public int id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** Run-time side; null until it was seen. Its holdings are not kept up to date here. */
  Node node() {
    return node;
  }

  /** As administrators see it; null when it is not defined. */
  public ClusterObject object() {
    return object;
  }

  /** Null while nothing is known of where it is. */
  public HostState host() {
    return host;
  }

  /** True when no other node is on its host. */
  public boolean aloneOnHost() {
    return host == null || host.single();
  }

  /** Of the pool in which it stands or would stand. */
  PoolKey key() {
    return key;
  }

  /** Pool in which it stands; null when it stands in none. */
  public NodePool pool() {
    return pool;
  }

  /** What administrators say of it; higher comes first where the order of nodes regards it. */
  long priority() {
    return priority;
  }

  /** Place in its pool. */
  public int index() {
    return index;
  }

  public boolean usable() {
    return usable;
  }

  /** By resource number, as all amounts here; none of them is to be changed or kept. */
  public long[] capacity() {
    return capacity;
  }

  /** What runs and proposals hold; free is capacity less this. */
  long[] used() {
    return used;
  }

  public long[] free() {
    return free;
  }

  public Map<String, String> properties() {
    return properties;
  }

  /** Who may be here together, as administrators say. */
  public NodeSharing sharing() {
    return sharing;
  }

  /** Runs and proposals on the node. */
  public int holders() {
    return holders;
  }

  /** Those of them that have it, or its host, for themselves. */
  public int exclusive() {
    return exclusive;
  }

  /** Those of them that have its host for themselves. */
  int hostExclusive() {
    return hostExclusive;
  }

  /** From when on more of it is free than when those who wait were woken last. */
  public long touchedFromMs() {
    return touchedFromMs;
  }

  /** Runs on it whose ends are known. */
  public NodeReleases releases() {
    return releases;
  }

  /** Promises that begin on it. */
  public NodePromises promises() {
    return promises;
  }

  /** The values of a property that it shows; several when it is shown as a list. */
  public List<String> values(String resource) {
    String shown = properties.get(resource);
    return shown == null
        ? List.of()
        : Arrays.stream(shown.split(",")).map(String::strip).filter(it -> !it.isEmpty()).toList();
  }

  /** True when jobs that do not ask to be alone may be together here. */
  public boolean shared() {
    return Sharing.UNSAID.on(sharing) == Sharing.SHARED;
  }

  /** Its run-time side is this from now on; null when it is not here any more. */
  void seen(Node now) {
    node = now;
  }

  /** Administrators define it so; null when they define it no more. */
  void defined(ClusterObject now) {
    object = now;
  }

  /** Administrators put it into a pool and give it a priority. */
  void belongs(PoolKey where, long nowPriority) {
    key = where;
    priority = nowPriority;
  }

  void joined(NodePool now) {
    pool = now;
  }

  void left(NodePool before) {
    if (pool == before) {
      pool = null;
    }
  }

  /** Its pool has put its nodes into an order. */
  void placed(int nowIndex) {
    index = nowIndex;
  }

  void moved(HostState now) {
    if (host != now) {
      leaveHost();
      host = now;
      now.joined(this);
    }
  }

  private void leaveHost() {
    if (host != null) {
      host.left(this);
      host = null;
    }
  }

  /** What it has and shows is known, and whether it may be used. */
  void measured(boolean nowUsable, long[] nowCapacity, Map<String, String> nowProperties) {
    usable = nowUsable;
    capacity = nowCapacity;
    properties = nowProperties;
    countFree();
  }

  /** Nothing of it is there any more. */
  void lost() {
    leaveHost();
    measured(false, NOTHING, Map.of());
  }

  private void countFree() {
    free = Arrays.copyOf(capacity, Math.max(capacity.length, used.length));
    for (int resource = 0; resource < used.length; resource++) {
      free[resource] -= used[resource];
    }
  }

  /** A run or proposal that asks so comes with these amounts, or (sign -1) goes. */
  void occupy(long[] amounts, Sharing asked, int sign) {
    if (used.length < amounts.length) {
      used = Arrays.copyOf(used, amounts.length);
    }
    if (free.length < amounts.length) {
      free = Arrays.copyOf(free, amounts.length);
    }
    for (int resource = 0; resource < amounts.length; resource++) {
      long amount = sign * amounts[resource];
      used[resource] += amount;
      free[resource] -= amount;
    }
    occupy(asked, sign);
  }

  private void occupy(Sharing asked, int sign) {
    Sharing here = asked.on(sharing);
    int wholeHost = here == Sharing.EXCLHOST ? sign : 0;
    asking[asked.ordinal()] += sign;
    holders += sign;
    exclusive += here == Sharing.SHARED ? 0 : sign;
    hostExclusive += wholeHost;
    if (host != null) {
      host.occupied(sign, wholeHost);
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
    promises.recount(id);
    if (host != null) {
      host.occupied(0, hostExclusive - before);
      host.nodes().forEach(it -> it.promises.recount(it.id));
    }
  }

  /** So much else is free than before, by which its pool finds nodes with room. */
  void freeChanged() {
    if (pool != null) {
      pool.freeChanged(this);
    }
  }

  /**
   * More of it is free from a time on, which its pool has to tell those who wait.
   *
   * @return false when the pool has to do so anyway
   */
  boolean touch(long fromMs) {
    touchedFromMs = touched ? Math.min(touchedFromMs, fromMs) : fromMs;
    boolean first = !touched;
    touched = true;
    return first;
  }

  /** Those who wait were told. */
  void told() {
    touched = false;
  }

  /** True when nobody has the node or its host, or is promised it, for himself alone. */
  public boolean sharedOnly() {
    return exclusive == 0
        && host != null
        && host.exclusive() == 0
        && promises.sharedOnly()
        && host.single();
  }

  /** True when a job that shares may use what is free. */
  public boolean openToShared() {
    return usable && exclusive == 0 && host.exclusive() == 0;
  }
}
