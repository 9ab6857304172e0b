package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.streams.answer.GatewayLines;
import io.millrace.server.streams.answer.HeldAnswers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows of reservations come out of the shard's memory: no store is there to be read. */
final class StoreQueriesTest {
  private final WireCodec codec = WireCodec.local();
  private final List<Reservation> kept = new ArrayList<>();
  private final OwnedShards owned = new OwnedShards(new HeldAnswers(GatewayLines.NONE));
  private final StoreQueries queries =
      new StoreQueries(owned, new StoreReader(null, codec), new LiveUsages(), scheduler -> false);

  private static Reservation reservation(long number) {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner("ann")
            .setSubmitHost("host")
            .setUsers(List.of("ann@host"))
            .setStartMs(1_000 * number)
            .setEndMs(1_000 * number + 500)
            .setRequest(new ResourceRequest(List.of(), "scatter", 60L, Map.of()))
            .setResourceList(List.of())
            .setLaterMs(List.of(5L, 6L))
            .build();
    return Reservation.newBuilder()
        .setId("R" + number + ".host")
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setCreatedMs(number)
        .setModifiedMs(number)
        .setShares(List.of(new NodeShare("n1", "host", 1, Map.of("ncpus", 1L))))
        .setNodes("(n1:ncpus=1)")
        .setBooked(List.of(new BookedNode("n1", Map.of("ncpus", 1L), false)))
        .build();
  }

  private List<Reservation> rows(String from) throws Exception {
    HttpAnswer answer = queries.answer("GET", "/v1/reservations?shard=3&rows=true" + from);
    assertEquals(200, answer.status());
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    ((HttpAnswer.StreamedBody) answer.body()).writer().write(body);
    List<Reservation> rows = new ArrayList<>();
    for (ByteBuffer frames = ByteBuffer.wrap(body.toByteArray()); frames.hasRemaining(); ) {
      byte[] row = new byte[frames.getInt()];
      frames.get(row);
      rows.add((Reservation) codec.decode(row));
    }
    return rows;
  }

  private static List<Long> numbers(List<Reservation> rows) {
    return rows.stream().map(Reservation::getNumber).toList();
  }

  @Test
  void aRowHasWhatIsShownAndTheReservationStaysWhole() throws Exception {
    kept.add(reservation(7));
    owned.gained(3, new OwnedShards.LiveTables(null, List.of(), kept));
    Reservation row = rows("").get(0);
    assertEquals("R7.host", row.getId());
    assertEquals(List.of("ann@host"), row.getSpec().getUsers());
    assertEquals(7_500, row.getSpec().getEndMs());
    assertEquals(ReservationState.CONFIRMED, row.getState());
    assertEquals(List.of(), row.getShares());
    assertEquals(List.of(), row.getSpec().getLaterMs());
    assertEquals("", row.getNodes());
    assertEquals(reservation(7), kept.get(0));
  }

  @Test
  void pagesFollowTheNumbersWhateverTheOrderOfThoseThatAreKept() throws Exception {
    for (long number : new long[] {12, 3, 7, 5}) {
      kept.add(reservation(number));
    }
    owned.gained(3, new OwnedShards.LiveTables(null, List.of(), kept));
    assertEquals(List.of(3L, 5L, 7L, 12L), numbers(rows("")));
    assertEquals(List.of(3L), numbers(rows("&bytes=1")));
    assertEquals(List.of(5L), numbers(rows("&bytes=1&from=4")));
    assertEquals(List.of(7L, 12L), numbers(rows("&from=6")));
    assertTrue(rows("&from=13").isEmpty());
  }

  @Test
  void aShardThatIsNotHereHasNoRows() {
    assertEquals(503, queries.answer("GET", "/v1/reservations?shard=3&rows=true").status());
  }
}
