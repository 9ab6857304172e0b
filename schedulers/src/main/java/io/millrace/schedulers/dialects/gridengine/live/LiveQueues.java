package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Reservation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Queues of the shard: those that administrators have made, and those of reservations. */
final class LiveQueues {

  private final Map<String, ClusterObject> made = new HashMap<>();
  private final LiveBookings bookings;

  LiveQueues(LiveBookings bookings) {
    this.bookings = bookings;
  }

  void written(ClusterObject queue) {
    made.put(queue.getName(), queue);
  }

  void deleted(String queue) {
    made.remove(queue);
  }

  /** Whether the jobs of a queue run on nodes of these partitions. */
  boolean within(String queue, Set<String> partitions) {
    Reservation reservation = bookings.ofQueue(queue);
    if (reservation != null) {
      return partitions.contains(reservation.getSpec().getPartition());
    }
    ClusterObject object = made.get(queue);
    return object != null
        && partitions.contains(ObjectAttributes.text(object, "partition", DefaultNames.PARTITION));
  }

  /** Whether jobs of a queue start: it is started, or its reservation's window has begun. */
  boolean started(String queue) {
    Reservation reservation = bookings.ofQueue(queue);
    if (reservation != null) {
      return LiveBookings.begun(reservation);
    }
    ClusterObject object = made.get(queue);
    return object != null
        && ObjectAttributes.text(object, "started", "False").equals("True")
        && !ObjectAttributes.text(object, "queue_type", "").equals("Route");
  }
}
