package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.LostNode;
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
            new ResourceRequest(parsed.getChunks(), parsed.getPlace(), (toMs - fromMs) / 1000))
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

  public static Reservation lost(Reservation before, String... nodes) {
    List<LostNode> lost = new ArrayList<>();
    for (String node : nodes) {
      lost.add(new LostNode(node, "down", 0L));
    }
    return next(before).setLost(lost).setState(ReservationState.DEGRADED).build();
  }

  public static Reservation ended(Reservation before) {
    return next(before).setState(ReservationState.FINISHED).build();
  }
}
