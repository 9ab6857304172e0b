package io.millrace.server.core.reservation;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationCount;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Optional;

/**
 * How many reservations there may be of a user, a group or all together in a shard, and how far
 * ahead: max_reservations and max_reservation_ahead of the server. Counted as they come and go.
 */
final class ReservationLimits {
  /** Most of a shard, whatever the server says: all of them are in memory. */
  static final long SHARD_MAX = 20_000;

  /** What holds for each user when max_reservations is not set. */
  static final long USER_MAX = 1_000;

  static final String AHEAD = "max_reservation_ahead";

  private static final String ALL = "o:" + LimitEntry.ALL;
  private static final long SECOND_MS = 1000;

  private ReservationLimits() {}

  /** Counts one more or one less. */
  static void count(State state, Reservation reservation, int by) {
    for (String whom : whom(reservation.getSpec())) {
      ReservationCount before = state.table(ReservationCount.class).get(whom);
      long count = (before == null ? 0 : before.getCount()) + by;
      if (count == 0) {
        state.table(ReservationCount.class).remove(whom);
      } else {
        state.table(ReservationCount.class).put(whom, new ReservationCount(whom, count));
      }
    }
  }

  private static List<String> whom(ReservationSpec spec) {
    return List.of("u:" + spec.getOwner(), "g:" + spec.getGroup(), ALL);
  }

  static void check(Context c, ReservationSpec spec) throws PbsRefusal {
    check(c, spec, 0, 0);
  }

  /**
   * @param moreOfOwner that count as reservations of the owner, and are none
   * @param moreOfAll the same of all
   */
  static void check(Context c, ReservationSpec spec, long moreOfOwner, long moreOfAll)
      throws PbsRefusal {
    String user = "u:" + spec.getOwner();
    if (count(c.view(), ALL) + moreOfAll >= SHARD_MAX) {
      throw refused("in this shard", SHARD_MAX);
    }
    String set = c.server(AttributeTable.MAX_RESERVATIONS, "");
    if (set.isEmpty()) {
      if (count(c.view(), user) + moreOfOwner >= USER_MAX) {
        throw refused("of user " + spec.getOwner(), USER_MAX);
      }
      return;
    }
    List<LimitEntry> entries = LimitEntry.parse(set).orElse(List.of());
    for (LimitEntry entry : entries) {
      for (String whom : whom(spec)) {
        long most = Long.parseLong(entry.amount());
        long more = whom.equals(user) ? moreOfOwner : whom.equals(ALL) ? moreOfAll : 0;
        if (holds(entry, entries, whom) && count(c.view(), whom) + more >= most) {
          throw refused("of " + whom, most);
        }
      }
    }
  }

  private static boolean holds(LimitEntry entry, List<LimitEntry> all, String whom) {
    if (entry.whom() != whom.charAt(0)) {
      return false;
    }
    String named = entry.whom() + ":" + entry.name();
    if (!entry.name().equals(LimitEntry.EACH)) {
      return named.equals(whom);
    }
    return all.stream().noneMatch(it -> (it.whom() + ":" + it.name()).equals(whom));
  }

  private static PbsRefusal refused(String whose, long most) {
    return new PbsRefusal(PbsError.RESERVATION_LIMIT, " " + whose + ": at most " + most);
  }

  private static long count(View view, String whom) {
    ReservationCount count = view.table(ReservationCount.class).get(whom);
    return count == null ? 0 : count.getCount();
  }

  /** Whether a window may end then. */
  static boolean isNear(Context c, long endMs) {
    Optional<Long> most = AttributeType.parseSeconds(c.server(AHEAD, ""));
    return most.isEmpty() || (endMs - c.nowMs()) / SECOND_MS <= most.get();
  }
}
