package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Slots of hosts that tasks hold, by the reservation in which they run. */
final class ReservedSlots {

  /** In place of a reservation for tasks that are in none. */
  private static final long NONE = -1;

  private final Map<Long, Map<String, Long>> held = new HashMap<>();

  ReservedSlots(Collection<LiveTask> tasks) {
    for (LiveTask task : tasks) {
      if (task.holds() && task.assignment != null) {
        Map<String, Long> hosts = held.computeIfAbsent(number(task), it -> new HashMap<>());
        for (Grant grant : task.assignment.grants()) {
          hosts.merge(grant.queue().host(), (long) grant.slots(), Long::sum);
        }
      }
    }
  }

  private static long number(LiveTask task) {
    return isReserved(task) ? ReservationIds.number(task.spec.getQueue()) : NONE;
  }

  /** Whether a task is for a reservation. */
  static boolean isReserved(LiveTask task) {
    return ReservationIds.isReserved(task.spec.getQueue());
  }

  /** What tasks of a reservation hold of a host. */
  long inside(long reservation, String host) {
    return held.getOrDefault(reservation, Map.of()).getOrDefault(host, 0L);
  }

  /** What all others hold of a host. */
  long outside(long reservation, String host) {
    long all = held.values().stream().mapToLong(it -> it.getOrDefault(host, 0L)).sum();
    return all - inside(reservation, host);
  }
}
