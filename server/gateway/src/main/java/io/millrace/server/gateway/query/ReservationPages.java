package io.millrace.server.gateway.query;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All reservations of a shard, read a page at a time: as objects they take ten times the bytes that
 * they are sent in, most of it for names and amounts that are the same in many. These they share.
 */
final class ReservationPages {
  /** Bytes of a page: some five megabytes of objects while it is read. */
  private static final int PAGE_BYTES = 512 << 10;

  /**
   * What one answer brings.
   *
   * @param bytes of it; fewer than were asked for when it is the last one
   */
  record ReservationPage(List<Reservation> reservations, int bytes) {}

  /** Asks a shard for a page. */
  interface ReservationSource {
    ReservationPage page(int shard, String path) throws QueryException, InterruptedException;
  }

  private final ReservationSource source;
  private final Map<String, String> names = new HashMap<>();
  private final Map<Map<String, Long>, Map<String, Long>> amounts = new HashMap<>();

  ReservationPages(ReservationSource source) {
    this.source = source;
  }

  /**
   * In the order of their numbers.
   *
   * @param rows without where they lie
   */
  List<Reservation> all(int shard, boolean rows) throws QueryException, InterruptedException {
    List<Reservation> all = new ArrayList<>();
    String what = "/v1/reservations?shard=" + shard + "&rows=" + rows + "&bytes=" + PAGE_BYTES;
    ReservationPage page = source.page(shard, what);
    while (!page.reservations().isEmpty()) {
      page.reservations().forEach(this::share);
      all.addAll(page.reservations());
      long last = all.get(all.size() - 1).getNumber();
      page =
          page.bytes() < PAGE_BYTES
              ? new ReservationPage(List.of(), 0)
              : source.page(shard, what + "&from=" + (last + 1));
    }
    return all;
  }

  private void share(Reservation one) {
    shareNodes(one.getShares(), one.getBooked());
    for (Placement placement : one.getPlacements()) {
      shareNodes(placement.getShares(), placement.getBooked());
    }
  }

  private void shareNodes(List<NodeShare> shares, List<BookedNode> booked) {
    for (NodeShare share : shares) {
      share.setNode(names.computeIfAbsent(share.getNode(), it -> it));
      share.setHost(names.computeIfAbsent(share.getHost(), it -> it));
      share.setAmounts(amounts.computeIfAbsent(share.getAmounts(), it -> it));
    }
    for (BookedNode node : booked) {
      node.setNode(names.computeIfAbsent(node.getNode(), it -> it));
      node.setAmounts(amounts.computeIfAbsent(node.getAmounts(), it -> it));
    }
  }
}
