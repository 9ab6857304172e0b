package io.millrace.connectors.forward.reserve;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WantedReservationsTest {

  private static final ClusterFile FILE =
      new ClusterFile(
          null, Map.of("name", "c1"), Map.of("alice", "al", "bob@site", "bob", "eve", "eve"));

  private static Reservation reservation(
      String queue, ReservationState state, long started, String... nodes) {
    return Reservation.newBuilder()
        .setId(queue + ".server")
        .setNumber(7)
        .setQueue(queue)
        .setSpec(
            ReservationSpec.newBuilder()
                .setOwner("alice")
                .setSubmitHost("h")
                .setStartMs(1)
                .setEndMs(2)
                .setRequest(
                    ResourceRequest.newBuilder()
                        .setChunks(List.of())
                        .setPlace("free")
                        .setWalltimeS(1)
                        .build())
                .setResourceList(List.of())
                .setUsers(List.of("alice@*", "bob@site", "carol"))
                .build())
        .setState(state)
        .setSubstate(state)
        .setBooked(Stream.of(nodes).map(it -> new BookedNode(it, Map.of(), false)).toList())
        .setCreatedMs(1)
        .setModifiedMs(1)
        .setStartedMs(started)
        .build();
  }

  private static List<OutsideReservation> wanted(Reservation... present) {
    return WantedReservations.of(FILE, List.of(present));
  }

  @Test
  void thoseWithHostsOfTheClusterForThoseWithAnAccount() {
    assertEquals(
        List.of(
            new OutsideReservation("R7", false, List.of("n1", "n2"), List.of("al", "bob")),
            new OutsideReservation("S8", true, List.of("n1"), List.of("al", "bob"))),
        wanted(
            reservation("R7", ReservationState.CONFIRMED, -1, "n2@c1", "n1@c1", "n3@c2", "n4"),
            reservation("S8", ReservationState.RUNNING, 5, "n1@c1"),
            reservation("R9", ReservationState.RUNNING, 5, "n1@c2"),
            reservation("R10", ReservationState.UNCONFIRMED, -1, "n1@c1"),
            reservation("R11", ReservationState.FINISHED, 5, "n1@c1")));
  }

  /** Its hosts are its own until its last job is gone. */
  @Test
  void whileItsJobsAreDeleted() {
    assertEquals(1, wanted(reservation("R7", ReservationState.DELETING_JOBS, 5, "n1@c1")).size());
    assertEquals(1, wanted(reservation("R7", ReservationState.BEING_DELETED, 5, "n1@c1")).size());
    assertEquals(
        false, wanted(reservation("R7", ReservationState.DEGRADED, -1, "n1@c1")).get(0).begun());
  }
}
