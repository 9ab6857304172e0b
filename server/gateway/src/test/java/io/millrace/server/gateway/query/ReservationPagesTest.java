package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReservationPagesTest {

  private static final int BYTES_EACH = 2_000;

  private final List<String> asked = new ArrayList<>();

  /** A shard that has every third number and answers as the query endpoint does. */
  private ReservationPages.ReservationPage page(String path, long count) {
    asked.add(path);
    int bytes = Integer.parseInt(path.replaceAll(".*bytes=(\\d+).*", "$1"));
    long from = path.contains("from=") ? Long.parseLong(path.replaceAll(".*from=", "")) : 0;
    List<Reservation> page =
        LongStream.range(0, count)
            .map(i -> i * 3)
            .filter(n -> n >= from)
            .limit((bytes + BYTES_EACH - 1) / BYTES_EACH)
            .mapToObj(ReservationPagesTest::numbered)
            .toList();
    return new ReservationPages.ReservationPage(page, page.size() * BYTES_EACH);
  }

  private static Reservation numbered(long number) {
    Reservation one = Reservation.newBuilder(RecordedReservations.r73()).setNumber(number).build();
    String node = new String("n1".toCharArray());
    Map<String, Long> amounts = new HashMap<>(Map.of("ncpus", 1L));
    one.setShares(List.of(new NodeShare(node, "h", 1, amounts)));
    return one;
  }

  private List<Reservation> all(long count) throws Exception {
    return new ReservationPages((shard, path) -> page(path, count)).all(2, true);
  }

  @Test
  void allPagesAreRead() throws Exception {
    for (long count : new long[] {0, 1, 262, 263, 600}) {
      asked.clear();
      assertEquals(
          LongStream.range(0, count).map(it -> it * 3).boxed().toList(),
          all(count).stream().map(Reservation::getNumber).toList());
      assertTrue(asked.stream().allMatch(it -> it.contains("shard=2&rows=true")), asked::toString);
      assertEquals(count < 263 ? 1 : count < 526 ? 2 : 3, asked.size(), () -> count + "");
    }
  }

  @Test
  void whatIsTheSameInManyIsThereOnce() throws Exception {
    List<Reservation> all = all(2);
    NodeShare one = all.get(0).getShares().get(0);
    NodeShare other = all.get(1).getShares().get(0);
    assertEquals(one, other);
    assertSame(one.getNode(), other.getNode());
    assertSame(one.getAmounts(), other.getAmounts());
  }
}
