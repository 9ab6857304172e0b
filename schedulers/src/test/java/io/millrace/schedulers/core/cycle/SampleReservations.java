package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Reservations as a shard records them, changed as facts change them. */
public final class SampleReservations {

  private SampleReservations() {}

  public static ReservationSpec spec(String partition, long fromMs, long toMs, String request) {
    ResourceRequest parsed = Records.request(request);
    return ReservationSpec.newBuilder()
        .setOwner("u@h")
        .setSubmitHost("h")
        .setPartition(partition)
        .setStartMs(fromMs)
        .setEndMs(toMs)
        .setRequest(
            new ResourceRequest(
                parsed.getChunks(), parsed.getPlace(), (toMs - fromMs) / 1000, Map.of()))
        .setResourceList(List.of())
        .build();
  }

  /** A new reservation that no scheduler has looked at. */
  public static Reservation asked(long number, ReservationSpec spec) {
    return Reservation.newBuilder()
        .setId("R" + number + ".vm")
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.UNCONFIRMED)
        .setSubstate(ReservationState.UNCONFIRMED)
        .setCreatedMs(0)
        .setModifiedMs(0)
        .build();
  }

  private static Reservation.Builder next(Reservation before) {
    return Reservation.newBuilder(before).setRevision(before.getRevision() + 1);
  }

  /**
   * The reservation lies on these shares, as it was asked for.
   *
   * @param sharing of each node by its name
   */
  public static Reservation confirmed(
      Reservation before, List<NodeShare> shares, Function<String, NodeSharing> sharing) {
    ReservationSpec spec = before.getAsked() == null ? before.getSpec() : before.getAsked();
    Sharing asked = PlaceRequest.of(spec.getRequest().getPlace()).sharing();
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    for (NodeShare share : shares) {
      NodeAmounts.add(
          sums.computeIfAbsent(share.getNode(), it -> new HashMap<>()), share.getAmounts());
    }
    List<BookedNode> booked = new ArrayList<>();
    sums.forEach(
        (node, amounts) ->
            booked.add(
                new BookedNode(node, amounts, asked.on(sharing.apply(node)) != Sharing.SHARED)));
    boolean runs = before.getStartedMs() >= 0;
    return next(before)
        .setSpec(spec)
        .setAsked(null)
        .setShares(shares)
        .setBooked(booked)
        .setLost(List.of())
        .setState(runs ? ReservationState.RUNNING : ReservationState.CONFIRMED)
        .build();
  }

  public static Reservation confirmed(Reservation before, List<NodeShare> shares) {
    return confirmed(before, shares, it -> NodeSharing.DEFAULT_SHARED);
  }

  /** A standing one whose later occurrences lie there. */
  public static Reservation confirmed(
      Reservation before,
      List<NodeShare> shares,
      List<List<NodeShare>> placements,
      List<Integer> lies) {
    List<Placement> places = new ArrayList<>();
    for (List<NodeShare> each : placements) {
      places.add(new Placement(each, confirmed(before, each).getBooked(), ""));
    }
    return Reservation.newBuilder(confirmed(before, shares))
        .setPlacements(places)
        .setLies(lies)
        .build();
  }

  /** The next occurrence of a standing one. */
  public static Reservation returned(Reservation before) {
    Reservation after = next(before).setStartedMs(-1).build();
    ReservationSpec spec = after.getSpec();
    long lengthMs = BookedTime.laterLengthMs(before);
    Placement there = before.getPlacements().get(before.getLies().get(0));
    int all = before.getLies().size();
    spec.setStartMs(spec.getLaterMs().get(0));
    spec.setEndMs(spec.getStartMs() + lengthMs);
    spec.setLaterMs(List.copyOf(spec.getLaterMs().subList(1, all)));
    after.setLies(List.copyOf(before.getLies().subList(1, all)));
    if (after.getUsual() != null) {
      spec.setRequest(after.getUsual().getRequest());
      after.setUsual(null);
    }
    after.setShares(there.getShares());
    after.setBooked(there.getBooked());
    after.setState(ReservationState.CONFIRMED);
    return after;
  }

  public static Reservation begun(Reservation before, long atMs) {
    return next(before).setState(ReservationState.RUNNING).setStartedMs(atMs).build();
  }

  public static Reservation altered(Reservation before, ReservationSpec asked) {
    return next(before).setAsked(asked).setSubstate(ReservationState.BEING_ALTERED).build();
  }

  /** An alteration for which there was no room: the reservation stays as it was. */
  public static Reservation asBefore(Reservation before) {
    return next(before).setAsked(null).build();
  }

  /** Nodes of 8 processors under maintenance. */
  public static Reservation maintained(long number, long fromMs, long toMs, String... nodes) {
    ReservationSpec spec = spec("pbs-default", fromMs, toMs, "select=1:ncpus=8,place=exclhost");
    spec.setMaintained(List.of(nodes));
    List<NodeShare> shares = new ArrayList<>();
    List<BookedNode> booked = new ArrayList<>();
    for (String node : nodes) {
      shares.add(new NodeShare(node, node, 1, Map.of("ncpus", 8L)));
      booked.add(new BookedNode(node, Map.of("ncpus", 8L), true));
    }
    return next(asked(number, spec))
        .setId("M" + number + ".vm")
        .setQueue("M" + number)
        .setShares(shares)
        .setBooked(booked)
        .setState(ReservationState.CONFIRMED)
        .build();
  }

  public static Reservation taken(Reservation before, String node) {
    List<LostNode> lost = List.of(new LostNode(node, "under maintenance", 0L, "M3.vm"));
    return next(before).setLost(lost).setSubstate(ReservationState.IN_CONFLICT).build();
  }

  public static Reservation lost(Reservation before, String... nodes) {
    List<LostNode> lost = new ArrayList<>();
    for (String node : nodes) {
      lost.add(new LostNode(node, "down", 0L, ""));
    }
    return next(before).setLost(lost).setState(ReservationState.DEGRADED).build();
  }

  public static Reservation ended(Reservation before) {
    return next(before).setState(ReservationState.FINISHED).setAsked(null).setPending(null).build();
  }
}
