package io.millrace.server.core.placement;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reservations of this shard, and their queues, which are views of them. */
public final class Reservations {
  private Reservations() {}

  /** The reservation with this number, or null. */
  public static Reservation find(View view, long number) {
    return number < 0 ? null : view.table(Reservation.class).get(Keys.number(number));
  }

  /**
   * Whether a change of an object must wait for the end of reservations: one that takes their
   * partition to another shard.
   */
  public static boolean keep(View view, ClusterObject changed) {
    boolean leaves =
        changed.getKind() == ObjectKind.PARTITION
            && PartitionTable.shardOf(view, changed.getName()) == view.shard()
            && !Context.attribute(changed, "shard", "-1").equals(String.valueOf(view.shard()));
    return leaves && !inPartition(view, changed.getName()).isEmpty();
  }

  /** All reservations of a partition. */
  public static List<Reservation> inPartition(View view, String partition) {
    List<Reservation> found = new ArrayList<>();
    view.table(Reservation.class)
        .each(
            it -> {
              if (it.getSpec().getPartition().equals(partition)) {
                found.add(it);
              }
            });
    return found;
  }

  /** The reservation whose queue has exactly this name, or null. */
  public static Reservation ofQueue(View view, String queue) {
    if (!ReservationIds.isReserved(queue)) {
      return null;
    }
    Reservation found = find(view, ReservationIds.number(queue));
    boolean named = found != null && found.getQueue().equals(queue) && hasQueue(found);
    return named ? found : null;
  }

  /** The number of the reservation in whose queue the job is, or -1; a queue's name tells. */
  static long numberOf(Job job) {
    return ReservationIds.number(job.getSpec().getQueue());
  }

  /** What it holds of a node, or null. */
  static BookedNode bookedOf(Reservation reservation, String node) {
    for (BookedNode booked : reservation.getBooked()) {
      if (booked.getNode().equals(node)) {
        return booked;
      }
    }
    return null;
  }

  /** Names of the queues of this shard's reservations that have jobs. */
  public static List<String> queuesWithJobs(View view) {
    List<String> queues = new ArrayList<>();
    String[] from = {""};
    while (from[0] != null) {
      String begun = from[0];
      from[0] = null;
      view.table(ReservedJob.class)
          .scan(
              begun,
              null,
              (key, job) -> {
                Reservation reservation = find(view, job.getReservation());
                if (reservation != null) {
                  queues.add(reservation.getQueue());
                }
                from[0] = Keys.reserved(job.getReservation()) + Character.MAX_VALUE;
                return false;
              });
    }
    return queues;
  }

  /** Whether a scheduler has confirmed it, so that its queue takes jobs. */
  public static boolean hasQueue(Reservation reservation) {
    return !reservation.getShares().isEmpty();
  }

  /** Whether it is being deleted: it waits for the end of its jobs. */
  public static boolean isClosing(Reservation reservation) {
    return reservation.getState() == ReservationState.BEING_DELETED
        || reservation.getState() == ReservationState.DELETING_JOBS;
  }

  /** Whether its window has begun and its jobs may run. */
  public static boolean runs(Reservation reservation) {
    return reservation.getStartedMs() >= 0 && !isClosing(reservation);
  }

  /** The queue as an object, with the names and texts of a queue that qmgr has made. */
  public static ClusterObject queue(View view, Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    List<Attribute> shown = new ArrayList<>();
    add(shown, "queue_type", "Execution");
    acl(shown, "user", spec.getUsers());
    acl(shown, "group", spec.getGroups());
    acl(shown, "host", spec.getHosts());
    ResourceTable resources = CustomResources.with(view);
    amounts(spec)
        .forEach(
            (name, amount) ->
                resources
                    .find(name)
                    .ifPresent(
                        it -> {
                          add(shown, "resources_max." + name, Amounts.format(it, amount));
                          add(shown, "resources_available." + name, Amounts.format(it, amount));
                        }));
    add(shown, "enabled", isClosing(reservation) ? "False" : "True");
    add(shown, "started", runs(reservation) ? "True" : "False");
    if (!spec.getPartition().equals(PartitionTable.DEFAULT_PARTITION)) {
      add(shown, "partition", spec.getPartition());
    }
    return new ClusterObject(ObjectKind.QUEUE, reservation.getQueue(), 0L, shown, 0L);
  }

  /** What all chunks ask for together; the sums are known to fit. */
  private static Map<String, Long> amounts(ReservationSpec spec) {
    Map<String, Long> sums = new TreeMap<>();
    for (Chunk chunk : spec.getRequest().getChunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> sums.merge(name, amount * chunk.getCount(), Long::sum));
    }
    return sums;
  }

  private static void acl(List<Attribute> shown, String what, List<String> names) {
    if (!names.isEmpty()) {
      add(shown, "acl_" + what + "_enable", "True");
      add(shown, "acl_" + what + "s", String.join(",", names));
    }
  }

  private static void add(List<Attribute> shown, String name, String value) {
    shown.add(new Attribute(name, value));
  }
}
