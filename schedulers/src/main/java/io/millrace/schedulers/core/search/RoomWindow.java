package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.ExpectedEnd;
import io.millrace.schedulers.core.state.node.HostState;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.Arrays;
import java.util.Map;

/**
 * What each node can give to one job from a time on until the job's end: from now, or from a later
 * time at which some holds have ended and some promises have begun. Promises that begin within the
 * window are respected.
 */
public final class RoomWindow {

  private static final long[] NOTHING = {};

  private final NodeTable nodes;
  private final ResourceNames names;
  private long afterMs;
  private long endMs;
  private boolean blind;
  private boolean empty;
  private boolean reserving;
  private NodeGate gate = NodeGate.OPEN;
  private final BookingRoom booked;

  // Whether the window begins later than now, and the last run that has ended by then; null when
  // all runs that end in that instant have.
  private boolean later;
  private ExpectedEnd last;
  private long[] freeThen = {};
  private long[] rest = {};

  // What the placement in progress has taken so far.
  private int placement;
  private int[] takenMarks = {};
  private long[][] taken = {};

  RoomWindow(NodeTable nodes, ResourceNames names) {
    this.nodes = nodes;
    this.names = names;
    this.booked = new BookingRoom(names);
  }

  /**
   * Opens the window from now to an end.
   *
   * @param withoutPromises true to ignore promises
   */
  public void now(long toMs, boolean withoutPromises) {
    later = false;
    reserving = false;
    gate = NodeGate.OPEN;
    empty = false;
    blind = withoutPromises;
    afterMs = Long.MIN_VALUE;
    endMs = toMs;
    booked.within(afterMs, toMs, null, anyBookedBefore(toMs));
  }

  /** Opens a window in which nothing runs and all nodes are usable. */
  public void empty() {
    now(Long.MAX_VALUE, true);
    empty = true;
    booked.ignored();
  }

  private boolean anyBookedBefore(long timeMs) {
    return nodes.bookings().firstMs() < timeMs;
  }

  /** Goes on with the window as if there were no bookings. */
  public void withoutBookings() {
    booked.ignored();
  }

  /**
   * Opens the window for a reservation, which comes before promises.
   *
   * @param which nodes it may take
   */
  public void forReservation(long fromMs, long toMs, NodeGate which) {
    at(fromMs, toMs, null);
    blind = true;
    reserving = true;
    gate = which;
  }

  /**
   * Opens the window from a later time to an end.
   *
   * @param lastEnd of the runs that end in the instant only those up to this one have ended; null
   *     when all have
   */
  public void at(long fromMs, long toMs, ExpectedEnd lastEnd) {
    later = true;
    reserving = false;
    gate = NodeGate.OPEN;
    blind = false;
    empty = false;
    afterMs = fromMs;
    endMs = toMs;
    last = lastEnd;
    booked.within(fromMs, toMs, lastEnd, anyBookedBefore(toMs));
  }

  /**
   * What is free on the node at the beginning of the window, by resource number; not to be kept.
   */
  long[] free(NodeState node) {
    if (empty) {
      return node.capacity();
    }
    return later ? freeThen(node) : node.free();
  }

  private long[] freeThen(NodeState node) {
    int passed = node.releases().passed(afterMs, last);
    if (passed == 0 && (blind || node.promises().isEmpty())) {
      return node.free();
    }
    int size = Math.max(names.size(), node.free().length);
    if (freeThen.length < size) {
      freeThen = new long[size];
    }
    long[] freed = passed == 0 ? NOTHING : node.releases().freed(passed);
    for (int resource = 0; resource < freeThen.length; resource++) {
      freeThen[resource] =
          ResourceNames.at(node.free(), resource)
              + ResourceNames.at(freed, resource)
              - (blind ? 0 : node.promises().active(resource, afterMs));
    }
    return freeThen;
  }

  /** True when a new job may use the node at all, whatever it needs. */
  public boolean open(NodeState node, Sharing asked) {
    if (empty) {
      return node.host() != null;
    }
    if (reserving && !node.reservable()) {
      return false;
    }
    Sharing sharing = asked.on(node.sharing());
    if (!booked.open(node, sharing) || node.partly() && sharing != Sharing.SHARED) {
      return false;
    }
    if (sharing == Sharing.SHARED && node.sharedOnly()) {
      return node.usable();
    }
    if (!node.usable() || exclusive(node) > 0 || hostExclusive(node.host()) > 0) {
      return false;
    }
    return switch (sharing) {
      case UNSAID, SHARED -> blind || node.promises().open(sharing, afterMs, endMs);
      case EXCL -> holders(node) == 0 && (blind || node.promises().open(sharing, afterMs, endMs));
      case EXCLHOST, WHOLE -> hostHolders(node.host()) == 0 && (blind || hostOpen(node.host()));
    };
  }

  private boolean hostOpen(HostState host) {
    for (NodeState node : host.nodes()) {
      if (!node.promises().open(Sharing.EXCLHOST, afterMs, endMs)) {
        return false;
      }
    }
    return true;
  }

  private int exclusive(NodeState node) {
    if (!later) {
      return node.exclusive();
    }
    int runs = node.exclusive();
    if (runs > 0) {
      runs -= node.releases().alone(node.releases().passed(afterMs, last), node.sharing());
    }
    return blind ? runs : runs + node.promises().activeAlone(afterMs, false);
  }

  private int holders(NodeState node) {
    if (!later) {
      return node.holders();
    }
    int runs = node.holders() - node.releases().passed(afterMs, last);
    return blind ? runs : runs + node.promises().active(afterMs);
  }

  private int hostHolders(HostState host) {
    if (!later) {
      return host.holders();
    }
    int count = host.holders();
    for (int i = 0; i < host.nodes().size(); i++) {
      NodeState node = host.nodes().get(i);
      count += holders(node) - node.holders();
    }
    return count;
  }

  private int hostExclusive(HostState host) {
    if (!later) {
      return host.exclusive();
    }
    int count = host.exclusive();
    if (count == 0 && blind) {
      return 0;
    }
    for (int i = 0; i < host.nodes().size(); i++) {
      NodeState node = host.nodes().get(i);
      if (host.exclusive() > 0) {
        count -= node.releases().hostAlone(node.releases().passed(afterMs, last), node.sharing());
      }
      count += blind ? 0 : node.promises().activeAlone(afterMs, true);
    }
    return count;
  }

  /** Chunks of a kind that an open node can take, at most {@code most}; properties aside. */
  int room(NodeState node, ChunkKind kind, int most) {
    if (node.id() < takenMarks.length && takenMarks[node.id()] == placement && placement > 0) {
      return roomBesideTaken(node, kind, most);
    }
    int room = later ? roomThen(node, kind, most) : roomNow(node, kind, most);
    return room == 0 || booked.none(node) ? room : booked.room(node, kind, room, blind);
  }

  /** Bookings aside. */
  private int roomNow(NodeState node, ChunkKind kind, int most) {
    int room = kind.howMany(empty ? node.capacity() : node.free(), most);
    return room == 0 || blind || node.promises().isEmpty()
        ? room
        : node.promises().room(kind, room, afterMs, endMs);
  }

  /** Bookings aside. */
  private int roomThen(NodeState node, ChunkKind kind, int most) {
    int passed = node.releases().passed(afterMs, last);
    long[] freed = passed == 0 ? NOTHING : node.releases().freed(passed);
    int[] resources = kind.resources();
    if (rest.length < resources.length) {
      rest = new long[resources.length];
    }
    for (int i = 0; i < resources.length; i++) {
      rest[i] = ResourceNames.at(node.free(), resources[i]) + ResourceNames.at(freed, resources[i]);
      if (rest[i] < kind.amounts()[i]) {
        return 0;
      }
    }
    return blind
        ? kind.howManyOf(rest, most)
        : node.promises().roomFrom(kind, rest, most, afterMs, endMs);
  }

  /** True when these amounts are free on the node and stay so until the end. */
  public boolean fits(NodeState node, long[] amounts) {
    if (!covers(free(node), amounts)) {
      return false;
    }
    for (int i = 0; i < node.promises().size() && !blind; i++) {
      long start = node.promises().fromMs(i);
      if (start > afterMs && start < endMs && !covers(node.promises().left(i), amounts)) {
        return false;
      }
    }
    return booked.none(node) || booked.covers(node, amounts, blind);
  }

  private boolean covers(long[] free, long[] amounts) {
    for (int resource = 0; resource < amounts.length; resource++) {
      if (amounts[resource] > 0
          && amounts[resource] > ResourceNames.at(free, resource)
          && !names.withoutLimit(resource)) {
        return false;
      }
    }
    return true;
  }

  /** True when a reservation may take the node. Asked last, of a node that is taken then. */
  boolean allows(NodeState node) {
    return gate.allows(node);
  }

  /** Whether a node has to show a property that a chunk asks for. */
  boolean asks(NodeState node, String property) {
    return nodes.asks(node, property);
  }

  /** True when the node shows all properties that a chunk of this kind asks for. */
  boolean matches(NodeState node, ChunkKind kind) {
    if (kind.matches().isEmpty()) {
      return true;
    }
    for (Map.Entry<String, String> match : kind.matches().entrySet()) {
      if (nodes.asks(node, match.getKey())
          && !NodeAmounts.matches(
              node.properties(), match.getKey(), match.getValue(), nodes.resources())) {
        return false;
      }
    }
    return true;
  }

  /** Begins to look for nodes of a reservation anew. */
  void restart() {
    gate.restart();
  }

  /** Begins to place a job several of whose chunks may land on one node. */
  void beginPlacement() {
    placement++;
    gate.restart();
    if (takenMarks.length < nodes.idBound()) {
      takenMarks = Arrays.copyOf(takenMarks, nodes.idBound());
      taken = Arrays.copyOf(taken, nodes.idBound());
    }
  }

  /** Notes chunks that were placed on a node. */
  void take(NodeState node, ChunkKind kind, int count, int resourceCount) {
    if (takenMarks[node.id()] != placement) {
      takenMarks[node.id()] = placement;
      taken[node.id()] = new long[resourceCount];
    }
    kind.addTo(taken[node.id()], count);
  }

  /** Ends a placement and forgets what it took. */
  void endPlacement() {
    placement++;
  }

  private int roomBesideTaken(NodeState node, ChunkKind kind, int most) {
    long[] used = taken[node.id()];
    int room = kind.howMany(less(free(node), used), most);
    for (int i = 0; i < node.promises().size() && room > 0 && !blind; i++) {
      long start = node.promises().fromMs(i);
      if (start > afterMs && start < endMs) {
        room = kind.howMany(less(node.promises().left(i), used), room);
      }
    }
    if (room > 0 && !booked.none(node)) {
      room = booked.roomBeside(node, kind, room, used, blind);
    }
    return room;
  }

  private static long[] less(long[] amounts, long[] used) {
    long[] rest = Arrays.copyOf(amounts, Math.max(amounts.length, used.length));
    for (int i = 0; i < used.length; i++) {
      rest[i] -= used[i];
    }
    return rest;
  }
}
