package io.millrace.server.core.reservation;

import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationCount;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.server.core.admission.QueuedJobs;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Table;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many reservations there may be of a user, a group or all together in a shard, for how much,
 * how long and how far ahead: max_reservations, max_reserved_res, max_reservation_length and
 * max_reservation_ahead of the server. Counted as they come and go.
 */
final class ReservationLimits {
  /** Most of a shard, whatever the server says: all of them are in memory. */
  static final long SHARD_MAX = 20_000;

  /** What holds for each user when max_reservations is not set. */
  static final long USER_MAX = 1_000;

  static final String AHEAD = "max_reservation_ahead";

  private static final String LENGTH = "max_reservation_length";

  private static final String ALL = "o:" + LimitEntry.ALL;
  private static final long SECOND_MS = 1000;

  private ReservationLimits() {}

  /**
   * Counts one that comes, becomes another or goes.
   *
   * @param before null for one that comes
   * @param after null for one that goes
   */
  static void count(State state, Reservation before, Reservation after) {
    Map<String, Long> more = new HashMap<>(amounts(after));
    amounts(before).forEach((name, amount) -> more.merge(name, -amount, Long::sum));
    more.values().removeIf(it -> it == 0);
    int by = (after == null ? 0 : 1) - (before == null ? 0 : 1);
    if (by == 0 && more.isEmpty()) {
      return;
    }
    Table<ReservationCount> counts = state.table(ReservationCount.class);
    for (String whom : whom((after == null ? before : after).getSpec())) {
      ReservationCount now = counts.get(whom);
      long count = (now == null ? 0 : now.getCount()) + by;
      if (count == 0) {
        counts.remove(whom);
        continue;
      }
      Map<String, Long> sums = new HashMap<>(now == null ? Map.of() : now.getAmounts());
      more.forEach((name, amount) -> sums.merge(name, amount, Long::sum));
      sums.values().removeIf(it -> it == 0);
      counts.put(whom, new ReservationCount(whom, count, sums));
    }
  }

  /** The most that it has, is to have, or has again in its next occurrence. */
  private static Map<String, Long> amounts(Reservation reservation) {
    if (reservation == null || !reservation.getSpec().getMaintained().isEmpty()) {
      return Map.of();
    }
    Map<String, Long> most = new HashMap<>(amounts(reservation.getSpec()));
    List<ResourceRequest> others = new ArrayList<>();
    if (reservation.getAsked() != null) {
      others.add(reservation.getAsked().getRequest());
    }
    ReservationTransaction open = reservation.getPending();
    if (open != null && open.getSpec() != null) {
      others.add(open.getSpec().getRequest());
    }
    if (reservation.getUsual() != null) {
      others.add(reservation.getUsual().getRequest());
    }
    for (ResourceRequest other : others) {
      QueuedJobs.amounts(other).forEach((name, amount) -> most.merge(name, amount, Math::max));
    }
    return most;
  }

  /** What it asks for, of one occurrence; maintenance is nobody's share. */
  private static Map<String, Long> amounts(ReservationSpec spec) {
    return spec.getMaintained().isEmpty() ? QueuedJobs.amounts(spec.getRequest()) : Map.of();
  }

  private static List<String> whom(ReservationSpec spec) {
    return List.of("u:" + spec.getOwner(), "g:" + spec.getGroup(), ALL);
  }

  static void check(Context c, ReservationSpec spec) throws PbsRefusal {
    check(c, spec, 0, 0);
    checkAmounts(c, spec, Map.of());
  }

  /** Whether one may become another, of which there is more. */
  static void checkMore(Context c, Reservation before, ReservationSpec asked) throws PbsRefusal {
    checkAmounts(c, asked, amounts(before));
  }

  /**
   * @param has what it has already, which counts among the sums
   */
  private static void checkAmounts(Context c, ReservationSpec spec, Map<String, Long> has)
      throws PbsRefusal {
    ResourceTable resources = CustomResources.with(c.view());
    for (Map.Entry<String, Long> asked : amounts(spec).entrySet()) {
      String name = asked.getKey();
      long more = asked.getValue() - has.getOrDefault(name, 0L);
      if (more > 0 && amount(c.view(), ALL, name) > Long.MAX_VALUE - more) {
        throw new PbsRefusal(PbsError.ILLEGAL_VALUE, " Resource_List." + name);
      }
      String set = c.server(AttributeTable.MAX_RESERVED + "." + name, "");
      Optional<ResourceDefinition> resource = resources.find(name);
      if (set.isEmpty() || more <= 0 || resource.isEmpty()) {
        continue;
      }
      List<LimitEntry> entries = LimitEntry.parse(set).orElse(List.of());
      for (LimitEntry entry : entries) {
        for (String whom : whom(spec)) {
          boolean fits = amount(c.view(), whom, name) + more <= most(resource.get(), entry);
          if (!fits && holds(entry, entries, whom)) {
            throw new PbsRefusal(
                PbsError.RESERVATION_LIMIT,
                " of " + whom + ": at most " + entry.amount() + " of " + name + " together");
          }
        }
      }
    }
  }

  private static long most(ResourceDefinition resource, LimitEntry entry) {
    try {
      return Amounts.parse(resource, entry.amount());
    } catch (RequestException e) {
      throw new IllegalStateException("an administrator's amount was checked when it was set", e);
    }
  }

  private static long amount(View view, String whom, String resource) {
    ReservationCount count = view.table(ReservationCount.class).get(whom);
    return count == null ? 0 : count.getAmounts().getOrDefault(resource, 0L);
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

  /** Refuses a window that is longer than a reservation may be. */
  static void checkLength(Context c, long lengthMs) throws PbsRefusal {
    String set = c.server(LENGTH, "");
    Optional<Long> most = AttributeType.parseSeconds(set);
    if (most.isPresent() && lengthMs / SECOND_MS > most.get()) {
      throw new PbsRefusal(PbsError.BAD_TIMES, ": at most " + set + " long (" + LENGTH + ")");
    }
  }

  /** Whether a window may end then. */
  static boolean isNear(Context c, long endMs) {
    Optional<Long> most = AttributeType.parseSeconds(c.server(AHEAD, ""));
    return most.isEmpty() || (endMs - c.nowMs()) / SECOND_MS <= most.get();
  }
}
