package io.millrace.schedulers.core.state.node;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Node;
import java.util.Arrays;
import java.util.Map;

/** A node of this shard: its capacity, what is allocated, and whether it may be used. */
public final class NodeState {

  private static final Sharing[] SHARINGS = Sharing.values();
  private static final long[] NOTHING = {};

  private final int id;
  private final String name;
  private Node node;
  private ClusterObject object;
  private int turn;
  private HostState host;

  /** Kept here, too, since searches ask it of each node that they pass. */
  private boolean aloneOnHost = true;

  private PoolKey key = PoolKey.unbound(DefaultNames.PARTITION);
  private NodePool pool;
  private long priority;
  private int index;
  private boolean usable;
  private long[] capacity = NOTHING;
  private long[] used = NOTHING;
  private long[] outside = NOTHING;
  private long[] free = NOTHING;
  private Map<String, String> properties = Map.of();
  private NodeSharing sharing = NodeSharing.DEFAULT_SHARED;
  private int holders;
  private int exclusive;
  private int hostExclusive;

  /** Number of runs and proposals by the sharing that they ask for. */
  private final int[] asking = new int[SHARINGS.length];

  private long load;
  private long lastUse;
  private boolean touched;
  private long touchedFromMs;
  private final NodeReleases releases = new NodeReleases();
  private final NodePromises promises = new NodePromises();
  private BookingProfile bookings = BookingProfile.NONE;

  /** What was asked for last of {@link #taken}: reservations mostly have the same of a node. */
  private NodeAllocation taken;

  private boolean partly;
  private boolean reservable = true;

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

  /**
   * Record of the node at run time; null until one was read. The holdings in it are not kept up to
   * date here.
   */
  public Node node() {
    return node;
  }

  /** Number of the change that created it; 0 when it is not defined. */
  long created() {
    return object == null ? 0 : object.getCreated();
  }

  /** Place among the nodes of its pool when the cycle began, where that decides; else 0. */
  int turn() {
    return turn;
  }

  void turn(int now) {
    turn = now;
  }

  /** The node's object with its attributes; null when it is not defined. */
  public ClusterObject object() {
    return object;
  }

  /** Host of the node; null while it is unknown. */
  public HostState host() {
    return host;
  }

  /** The cluster of another system of which its host is; empty for one of none. */
  public String cluster() {
    return host == null ? "" : host.cluster();
  }

  /** True when no other node is on its host. */
  public boolean aloneOnHost() {
    return aloneOnHost;
  }

  /** Told by the host whenever nodes have joined or left it. */
  void aloneOnHost(boolean now) {
    aloneOnHost = now;
  }

  /** Key of the pool in which the node is, or would be if it were usable. */
  PoolKey key() {
    return key;
  }

  /** Pool of the node; null when it is in none. */
  public NodePool pool() {
    return pool;
  }

  /**
   * The node's attribute priority; nodes of higher priority come first where the order of nodes
   * uses it.
   */
  long priority() {
    return priority;
  }

  /** The load average that was reported last, in millionths. */
  public long load() {
    return load;
  }

  void loaded(long now) {
    load = now;
  }

  /** A run has ended here; later ends have larger numbers. */
  void usedUntil(long end) {
    lastUse = Math.max(lastUse, end);
  }

  /** Number of the last end of a run here; 0 where none has ended. */
  long lastUse() {
    return lastUse;
  }

  /** A number that is larger the longer nothing has run here; smallest while something does. */
  long idleness() {
    return holders > 0 ? Long.MIN_VALUE : -lastUse;
  }

  /** Index of the node in its pool. */
  public int index() {
    return index;
  }

  public boolean usable() {
    return usable;
  }

  /** Capacity by resource number; like all arrays of amounts here not to be changed or kept. */
  public long[] capacity() {
    return capacity;
  }

  /**
   * Amounts that runs and proposals hold; free is capacity less this, and less what jobs of its
   * cluster hold that are not ours.
   */
  long[] used() {
    return used;
  }

  public long[] free() {
    return free;
  }

  public Map<String, String> properties() {
    return properties;
  }

  /** The node's attribute sharing. */
  public NodeSharing sharing() {
    return sharing;
  }

  /** Runs and proposals on the node. */
  public int holders() {
    return holders;
  }

  /** Number of holders that have the node or its host exclusively. */
  public int exclusive() {
    return exclusive;
  }

  /** Number of holders that have the host exclusively. */
  int hostExclusive() {
    return hostExclusive;
  }

  /** Time from which more of the node is free than when waiting classes were woken last. */
  public long touchedFromMs() {
    return touchedFromMs;
  }

  /** The runs on the node with known ends. */
  public NodeReleases releases() {
    return releases;
  }

  /** The promises that begin on the node. */
  public NodePromises promises() {
    return promises;
  }

  /** What reservations have booked of the node. */
  public BookingProfile bookings() {
    return bookings;
  }

  /** True when a promise begins on the node between two times, or anything is booked of it. */
  public boolean anyPlannedIn(long fromMs, long toMs) {
    return promises.anyStartsIn(fromMs, toMs) || !bookings.freeIn(fromMs, toMs);
  }

  /** True for a reservation's part of a node that others use too. */
  public boolean partly() {
    return partly;
  }

  void partly(boolean others) {
    partly = others;
  }

  /** True when further reservations may have the node, whatever is free of it. */
  public boolean reservable() {
    return reservable && !bookings.isFull();
  }

  /** Books amounts of the node for a time, or (sign -1) gives them back. */
  void book(long fromMs, long toMs, long[] amounts, boolean exclusive, int sign) {
    if (bookings == BookingProfile.NONE) {
      bookings = new BookingProfile();
    }
    bookings.book(fromMs, toMs, amounts, exclusive, sign);
    if (bookings.isEmpty()) {
      bookings = BookingProfile.NONE;
    }
  }

  /**
   * An allocation of the node, the same object for as long as the same is asked for.
   *
   * @param amounts by resource number; not to be changed
   */
  public NodeAllocation taken(int chunks, long[] amounts) {
    if (taken == null || taken.chunks() != chunks || taken.amounts() != amounts) {
      taken = new NodeAllocation(this, chunks, amounts);
    }
    return taken;
  }

  /** True when jobs that do not ask for exclusive use may share the node. */
  public boolean shared() {
    return Sharing.UNSAID.on(sharing) == Sharing.SHARED;
  }

  /** Sets the node's record at run time; null when the node has left the shard. */
  void seen(Node now) {
    node = now;
  }

  /** Sets the node's object; null when it was deleted. */
  void defined(ClusterObject now) {
    object = now;
    reservable = now == null || !ObjectAttributes.text(now, "resv_enable", "").equals("False");
  }

  /** Sets pool and priority, which follow from the node's attributes. */
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

  /** Sets the node's index in its pool. */
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
      aloneOnHost = true;
    }
  }

  /** Sets what jobs of its cluster hold that are not ours, before {@link #measured}. */
  void heldOutside(long[] amounts) {
    outside = amounts;
  }

  /** Sets capacity, properties and whether the node may be used. */
  void measured(boolean nowUsable, long[] nowCapacity, Map<String, String> nowProperties) {
    usable = nowUsable;
    capacity = nowCapacity;
    properties = nowProperties;
    countFree();
  }

  /** Clears capacity and properties: the node is gone. */
  void lost() {
    leaveHost();
    outside = NOTHING;
    measured(false, NOTHING, Map.of());
  }

  private void countFree() {
    int length = Math.max(capacity.length, Math.max(used.length, outside.length));
    free = Arrays.copyOf(capacity, length);
    for (int resource = 0; resource < outside.length; resource++) {
      free[resource] -= outside[resource];
    }
    for (int resource = 0; resource < used.length; resource++) {
      free[resource] -= used[resource];
    }
  }

  /** Adds the amounts of a run or proposal with this sharing, or (sign -1) subtracts them. */
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

  /** Changes the node's sharing; exclusive holders and promises are counted again. */
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

  /** Tells the pool that the node's free amounts have changed, so that it updates its tree. */
  void freeChanged() {
    if (pool != null) {
      pool.freeChanged(this);
    }
  }

  /**
   * Records that more is free from a time on, which waiting classes have to be told.
   *
   * @return false when the node was recorded already
   */
  boolean touch(long fromMs) {
    touchedFromMs = touched ? Math.min(touchedFromMs, fromMs) : fromMs;
    boolean first = !touched;
    touched = true;
    return first;
  }

  /** Waiting classes were told what has become free. */
  void told() {
    touched = false;
  }

  /** True when no run or promise has the node or its host exclusively. */
  public boolean sharedOnly() {
    return exclusive == 0
        && host != null
        && host.exclusive() == 0
        && promises.sharedOnly()
        && aloneOnHost;
  }

  /** True when a shared job may use what is free on the node. */
  public boolean openToShared() {
    return usable && exclusive == 0 && host.exclusive() == 0;
  }
}
