package io.millrace.server.core.placement;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.ReservationQueue;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;

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

  /** All reservations of a partition, and maintenance of nodes that are in it. */
  public static List<Reservation> inPartition(View view, String partition) {
    List<Reservation> found = new ArrayList<>();
    view.table(Reservation.class)
        .each(
            it -> {
              if (it.getSpec().getPartition().equals(partition) || maintains(view, it, partition)) {
                found.add(it);
              }
            });
    return found;
  }

  /** Maintenance has booked nodes of all partitions of the shard; its own is only one of them. */
  private static boolean maintains(View view, Reservation reservation, String partition) {
    return isMaintenance(reservation)
        && reservation.getBooked().stream()
            .map(it -> PartitionTable.node(view, it.getNode()))
            .anyMatch(it -> it != null && PartitionTable.partitionOf(it).equals(partition));
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

  /** Whether a job is in a reservation of which another one is not: nobody outside stops it. */
  public static boolean keepsFrom(View view, Job job, Job other) {
    String queue = job.getSpec().getQueue();
    boolean same = other != null && queue.equals(other.getSpec().getQueue());
    return !same && ofQueue(view, queue) != null;
  }

  /** The number of the reservation in whose queue the job is, or -1; a queue's name tells. */
  static long numberOf(Job job) {
    return ReservationIds.number(job.getSpec().getQueue());
  }

  /** Whether it keeps hosts from all others. */
  public static boolean isMaintenance(Reservation reservation) {
    return !reservation.getSpec().getMaintained().isEmpty();
  }

  /** Whether a node of a reservation is under maintenance in its window. */
  public static boolean isTaken(Reservation reservation, String node) {
    return reservation.getLost().stream()
        .anyMatch(it -> it.getNode().equals(node) && !it.getTakenBy().isEmpty());
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
    return ReservationQueue.exists(reservation);
  }

  /** Whether it is being deleted: it waits for the end of its jobs. */
  public static boolean isClosing(Reservation reservation) {
    return ReservationQueue.isClosing(reservation);
  }

  /** Whether it is held until somebody commits it, and nobody has it yet. */
  public static boolean isOnlyHeld(Reservation reservation) {
    ReservationTransaction open = reservation.getPending();
    return open != null && open.getKind() == TransactionKind.RESERVE;
  }

  /** Whether another occurrence comes behind the present one. */
  public static boolean hasNext(Reservation reservation) {
    return !reservation.getSpec().getLaterMs().isEmpty();
  }

  /** Whether it waits for the end of the runs of one occurrence before the next one. */
  public static boolean isBetween(Reservation reservation) {
    return reservation.getState() == ReservationState.DELETING_JOBS && hasNext(reservation);
  }

  /** Whether its window has begun and its jobs may run. */
  public static boolean runs(Reservation reservation) {
    return ReservationQueue.runs(reservation);
  }

  /** The queue as an object, with the names and texts of a queue that qmgr has made. */
  public static ClusterObject queue(View view, Reservation reservation) {
    return ReservationQueue.of(reservation, CustomResources.with(view));
  }
}
