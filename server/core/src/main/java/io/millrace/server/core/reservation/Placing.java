package io.millrace.server.core.reservation;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.VnodeText;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.BookedRoom;
import io.millrace.server.core.placement.ComparedAmounts;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.NodeRoom;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.PlacementCheck;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.placement.SetCheck;
import io.millrace.server.core.reservation.past.PastOccurrences;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks where a reservation is to lie, node by node, against what this shard knows: nobody's word
 * is taken for what a node has or for what is free of it.
 */
final class Placing {
  /** Most bookings of one node; what a look at it costs is bounded by this. */
  static final int BOOKINGS_MAX = 10_000;

  private final Context c;
  private final ResourceTable resources;
  private final Reservation reservation;
  private final ReservationSpec spec;
  private final BookedRoom room;
  private final PlaceRequest place;
  private final ComparedAmounts compared;

  /** Number of a job whose run counts as one of the reservation's, or -1. */
  private final long run;

  /**
   * @param spec what it is to be: what it is, or what an alteration asks for
   */
  Placing(Context c, Reservation reservation, ReservationSpec spec) {
    this(c, reservation, spec, -1);
  }

  /**
   * The same.
   *
   * @param run number of a job that is to be the reservation's
   */
  Placing(Context c, Reservation reservation, ReservationSpec spec, long run) {
    this.c = c;
    this.run = run;
    this.resources = CustomResources.with(c.view());
    this.reservation = reservation;
    this.spec = spec;
    this.room = new BookedRoom(c.view(), resources, c.nowMs());
    this.place = PlaceRequest.of(spec.getRequest().getPlace());
    this.compared = ComparedAmounts.in(c.view(), resources, spec.getPartition());
  }

  private Placing(Placing other, ReservationSpec spec) {
    this.c = other.c;
    this.run = other.run;
    this.resources = other.resources;
    this.reservation = other.reservation;
    this.spec = spec;
    this.room = other.room;
    this.place = other.place;
    this.compared = other.compared;
  }

  /** The same reservation at another time; what was looked up for this one is not again. */
  Placing at(long startMs) {
    ReservationSpec then = Copies.of(spec);
    then.setStartMs(startMs);
    then.setEndMs(startMs + spec.getEndMs() - spec.getStartMs());
    return new Placing(this, then);
  }

  /** The record as it would be on these shares; it has the host of each node. */
  Reservation on(List<NodeShare> proposed) throws PbsRefusal {
    Placement there = lies(proposed);
    Reservation after = Revision.of(c, reservation);
    after.setSpec(spec);
    after.setAsked(null);
    after.setShares(there.getShares());
    after.setNodes(there.getNodes());
    after.setBooked(there.getBooked());
    after.setLost(LostNodes.of(c, after));
    PastOccurrences.changed(c, reservation, after);
    return after;
  }

  /** Where it would lie with these shares, which have the host of each node then. */
  Placement lies(List<NodeShare> proposed) throws PbsRefusal {
    Map<String, Map<String, Long>> wanted = sums(proposed);
    List<NodeShare> shares = new ArrayList<>();
    for (NodeShare share : proposed) {
      Node node = c.view().nodes().get(share.getNode());
      if (node == null) {
        throw new PbsRefusal(PbsError.NO_ROOM);
      }
      shares.add(
          new NodeShare(share.getNode(), node.getHost(), share.getChunks(), share.getAmounts()));
    }
    refuseMoved(shares);
    if (!PlacementCheck.covers(shares, spec.getRequest())) {
      throw new PbsRefusal(PbsError.NO_ROOM);
    }
    TreeMap<String, BookedNode> booked = new TreeMap<>();
    for (Map.Entry<String, Map<String, Long>> want : wanted.entrySet()) {
      book(want.getKey(), want.getValue(), booked);
    }
    String scheduler = PartitionTable.schedulerOf(c.view(), spec.getPartition());
    PlacementRule sets = SetCheck.rule(c.view(), null, scheduler).ofJob(place.group());
    if (!PlacementCheck.kept(c.view(), place.arrangement(), shares)
        || !SetCheck.kept(c.view(), sets, shares, resources)) {
      throw new PbsRefusal(PbsError.WRONG_PLACEMENT, spec.getRequest().getPlace());
    }
    String nodes = VnodeText.of(shares, spec.getResourceList(), resources, false);
    return new Placement(shares, List.copyOf(booked.values()), nodes);
  }

  private static Map<String, Map<String, Long>> sums(List<NodeShare> shares) throws PbsRefusal {
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    for (NodeShare share : shares) {
      Map<String, Long> sum = sums.computeIfAbsent(share.getNode(), name -> new TreeMap<>());
      for (Map.Entry<String, Long> amount : share.getAmounts().entrySet()) {
        try {
          sum.merge(amount.getKey(), amount.getValue(), Math::addExact);
        } catch (ArithmeticException e) {
          throw new PbsRefusal(PbsError.NO_ROOM);
        }
      }
    }
    return sums;
  }

  private void book(String name, Map<String, Long> amounts, Map<String, BookedNode> booked)
      throws PbsRefusal {
    Node node = c.view().nodes().get(name);
    ClusterObject object = PartitionTable.node(c.view(), name);
    BookedRoom.BookingPeriod span =
        new BookedRoom.BookingPeriod(Math.max(spec.getStartMs(), c.nowMs()), spec.getEndMs());
    Sharing sharing = JobRecords.sharing(place.sharing(), false, object);
    boolean stays = !own(node).isEmpty();
    boolean altered = !spec.equals(reservation.getSpec());
    boolean keeps =
        keepsBooked(name, amounts)
            && (stays
                || altered // it loses nothing that it has not lost already
                || usable(node, object) && !Reservations.isTaken(reservation, name));
    boolean fits =
        keeps
            || (stays || usable(node, object))
                && (isBooked(name) || c.view().bookings().count(name) < BOOKINGS_MAX)
                && isFree(node, compared.of(amounts, node, object), span, sharing);
    if (!fits) {
      throw new PbsRefusal(PbsError.NO_ROOM, " " + name);
    }
    booked.put(name, new BookedNode(name, amounts, sharing != Sharing.SHARED));
    if (sharing == Sharing.EXCLHOST) {
      for (ClusterObject beside : room.onHost(node.getHost())) {
        if (c.view().nodes().get(beside.getName()) != null) {
          booked.putIfAbsent(beside.getName(), new BookedNode(beside.getName(), Map.of(), true));
        }
      }
    }
  }

  /** Whether one of the node's bookings is that of its present window, which this replaces. */
  private boolean isBooked(String name) {
    return reservation.getBooked().stream().anyMatch(it -> it.getNode().equals(name));
  }

  /**
   * What it has booked of a node stays its own, for no longer and with no more than it has had it,
   * also while the node is under maintenance or has become too small: others are replaced beside
   * it.
   */
  private boolean keepsBooked(String name, Map<String, Long> amounts) {
    ReservationSpec now = reservation.getSpec();
    return spec.getStartMs() >= now.getStartMs()
        && spec.getEndMs() <= now.getEndMs()
        && reservation.getBooked().stream()
            .anyMatch(
                it -> it.getNode().equals(name) && NodeAmounts.fits(it.getAmounts(), amounts));
  }

  private boolean isFree(
      Node node, Map<String, Long> amounts, BookedRoom.BookingPeriod span, Sharing sharing) {
    BookedRoom.Asker asker = asker();
    ClusterObject object = PartitionTable.node(c.view(), node.getName());
    return NodeAmounts.fits(room.free(node, object, span, asker), amounts)
        && room.open(node, object, span, asker, sharing)
        && room.hostIsFree(node, span, asker);
  }

  /**
   * Whether all of this is free at other times, too, for as long; the node is gone through once.
   *
   * @param startsMs later ones than its own, in order: a run that does not last into its own time
   *     lasts into none of them
   */
  void again(List<BookedNode> booked, List<Long> startsMs) throws PbsRefusal {
    if (startsMs.isEmpty()) {
      return;
    }
    long lengthMs = spec.getEndMs() - spec.getStartMs();
    List<BookedRoom.BookingPeriod> spans = new ArrayList<>(startsMs.size());
    startsMs.forEach(it -> spans.add(new BookedRoom.BookingPeriod(it, it + lengthMs)));
    Sharing alone = place.sharing() == Sharing.EXCLHOST ? Sharing.EXCLHOST : Sharing.EXCL;
    for (BookedNode one : booked) {
      Node node = c.view().nodes().get(one.getNode());
      Sharing sharing = one.getExclusive() ? alone : Sharing.SHARED;
      ClusterObject object = PartitionTable.node(c.view(), one.getNode());
      Map<String, Long> amounts = compared.of(one.getAmounts(), node, object);
      if (!room.freeInEach(node, amounts, sharing, spans, asker())) {
        throw new PbsRefusal(PbsError.NO_ROOM, " " + one.getNode());
      }
    }
  }

  private BookedRoom.Asker asker() {
    boolean over = spec.getOthers() != null;
    return new BookedRoom.Asker(reservation.getNumber(), run, over);
  }

  /** A node that is not the reservation's already. */
  private boolean usable(Node node, ClusterObject object) {
    return LostNodes.why(c, spec.getPartition(), node, object).isEmpty()
        && NodeRoom.usable(node, object)
        && !"False".equals(Context.attribute(object, "resv_enable", "True"))
        && shows(node, object);
  }

  /** Whether each kind of chunk that could be meant for the node may be there. */
  private boolean shows(Node node, ClusterObject object) {
    Map<String, String> properties = NodeAmounts.properties(node, object, resources);
    return spec.getRequest().getChunks().stream()
        .anyMatch(
            chunk ->
                chunk.getMatches().entrySet().stream()
                    .filter(it -> compared.asks(it.getKey(), properties))
                    .allMatch(
                        it ->
                            NodeAmounts.matches(
                                properties, it.getKey(), it.getValue(), resources)));
  }

  /** What jobs of the reservation have on the node, those that are suspended included. */
  private List<Holding> own(Node node) {
    List<Holding> own = new ArrayList<>();
    for (List<Holding> part : List.of(node.getHoldings(), node.getSuspended())) {
      for (Holding holding : part) {
        Job job = c.view().jobs().get(Keys.number(holding.getNumber()));
        boolean its = job != null && job.getSpec().getQueue().equals(reservation.getQueue());
        if (its || holding.getNumber() == run) {
          own.add(holding);
        }
      }
    }
    return own;
  }

  /**
   * Nodes with running jobs of the reservation stay its own: with the same shares, or with as much
   * as the jobs hold where fewer chunks are asked for.
   */
  private void refuseMoved(List<NodeShare> shares) throws PbsRefusal {
    boolean fewer =
        !spec.getRequest().getChunks().equals(reservation.getSpec().getRequest().getChunks());
    Map<String, List<NodeShare>> before = byNode(reservation.getShares());
    Map<String, List<NodeShare>> after = byNode(shares);
    for (String name : before.keySet()) {
      Node node = c.view().nodes().get(name);
      List<Holding> own = node == null ? List.of() : own(node);
      if (own.isEmpty()) {
        continue;
      }
      boolean kept = same(before.get(name), after.getOrDefault(name, List.of()));
      if (!kept && !(fewer && holds(after.getOrDefault(name, List.of()), own))) {
        throw new PbsRefusal(PbsError.NO_ROOM, " " + name + " has jobs of the reservation");
      }
    }
  }

  private static Map<String, List<NodeShare>> byNode(List<NodeShare> shares) {
    Map<String, List<NodeShare>> byNode = new TreeMap<>();
    shares.forEach(it -> byNode.computeIfAbsent(it.getNode(), n -> new ArrayList<>()).add(it));
    return byNode;
  }

  private static boolean same(List<NodeShare> one, List<NodeShare> other) {
    List<NodeShare> rest = new ArrayList<>(other);
    return one.size() == other.size() && one.stream().allMatch(rest::remove);
  }

  private static boolean holds(List<NodeShare> shares, List<Holding> own) {
    Map<String, Long> has = new HashMap<>();
    shares.forEach(it -> NodeAmounts.add(has, it.getAmounts()));
    Map<String, Long> held = new HashMap<>();
    own.forEach(it -> NodeAmounts.add(held, it.getAmounts()));
    return NodeAmounts.fits(has, held);
  }
}
