package io.millrace.server.core.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.ReservationCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Records that share their parts say what they said before. */
class SharedPartsTest {
  private static final WireCodec CODEC = WireCodec.local();

  private final SharedParts parts = new SharedParts();

  private static Reservation decoded(Reservation record) throws Exception {
    return (Reservation) CODEC.decode(CODEC.encode(record));
  }

  private static Reservation record(long number, List<NodeShare> shares, List<BookedNode> booked) {
    ReservationSpec spec =
        ReservationCalls.spec("ann", "pbs-default", number, number + 5, "free", new Chunk[0]);
    spec.setResourceList(List.of(new Attribute("ncpus", "4"), new Attribute("place", "free")));
    spec.setUsers(List.of("ann@h"));
    return Reservation.newBuilder()
        .setId("R" + number + ".s")
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setCreatedMs(1)
        .setModifiedMs(1)
        .setShares(shares)
        .setBooked(booked)
        .setPlacements(List.of(new Placement(shares, booked, "")))
        .build();
  }

  @Test
  void whatIsEqualIsOneObjectAndAllIsAsItWas() throws Exception {
    List<NodeShare> shares = List.of(new NodeShare("n", "h", 1, Map.of("ncpus", 4L)));
    List<BookedNode> booked = List.of(new BookedNode("n", Map.of("ncpus", 4L), false));
    Reservation one = parts.apply(decoded(record(1, shares, booked)));
    Reservation two = parts.apply(decoded(record(2, shares, booked)));
    assertSame(one.getShares().get(0), two.getShares().get(0));
    assertSame(one.getBooked().get(0), two.getBooked().get(0));
    assertSame(one.getBooked().get(0).getAmounts(), one.getShares().get(0).getAmounts());
    assertSame(one.getSpec().getOwner(), two.getSpec().getOwner());
    List<BookedNode> alone = List.of(new BookedNode("n", Map.of("ncpus", 4L), true));
    Reservation three = parts.apply(decoded(record(3, shares, alone)));
    assertNotSame(one.getBooked().get(0), three.getBooked().get(0));
  }

  @Test
  void recordsByChanceSayWhatTheySaid() throws Exception {
    Random random = new Random(5);
    for (int i = 0; i < 2_000; i++) {
      List<NodeShare> shares = new ArrayList<>();
      List<BookedNode> booked = new ArrayList<>();
      for (int k = random.nextInt(5); k > 0; k--) {
        Map<String, Long> amounts =
            random.nextInt(4) == 0 ? Map.of() : Map.of("ncpus", (long) random.nextInt(3));
        String node = "n" + random.nextInt(3);
        shares.add(new NodeShare(node, "h" + random.nextInt(2), random.nextInt(2), amounts));
        booked.add(new BookedNode(node, amounts, random.nextBoolean()));
      }
      Reservation record = record(i, shares, booked);
      assertEquals(record, parts.apply(decoded(record)));
    }
  }
}
