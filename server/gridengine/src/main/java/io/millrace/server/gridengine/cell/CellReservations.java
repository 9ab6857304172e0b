package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The advance reservations on nodes of a cell; their ids are the numbers of reservations. */
public final class CellReservations {

  /** Among those who may use a reservation: all others. */
  public static final String ANYBODY = "+";

  private static final String SLOT = "ncpus";

  private CellReservations() {}

  /** All that were confirmed, by their numbers. */
  public static List<Reservation> all(Call call, Cell cell)
      throws QueryException, InterruptedException {
    List<Reservation> all = new ArrayList<>(call.site().queries().reservations());
    all.removeIf(it -> !confirmed(it) || !isOf(call.site(), cell.name(), it));
    all.sort(Comparator.comparingLong(Reservation::getNumber));
    return all;
  }

  /** The confirmed reservation with a number. */
  public static Optional<Reservation> find(Call call, Cell cell, long number)
      throws QueryException, InterruptedException {
    return call.site()
        .queries()
        .reservation(number)
        .filter(it -> confirmed(it) && isOf(call.site(), cell.name(), it));
  }

  private static boolean confirmed(Reservation reservation) {
    return reservation.getState() != ReservationState.UNCONFIRMED;
  }

  private static boolean isOf(Site site, String cell, Reservation reservation) {
    return partition(site, reservation.getSpec().getPartition())
        .flatMap(it -> ClusterView.attribute(it, "scheduler"))
        .filter(cell::equals)
        .isPresent();
  }

  /** The partition of a name. */
  public static Optional<ClusterObject> partition(Site site, String name) {
    return site.cluster().find(ObjectKind.PARTITION, name);
  }

  /** The shard of a partition. */
  public static int shardOf(Site site, String partition) {
    return partition(site, partition)
        .flatMap(it -> ClusterView.attribute(it, "shard"))
        .map(Integer::parseInt)
        .orElse(0);
  }

  /** The partition that the jobs of a queue run in; empty when there is no such queue. */
  public static Optional<ClusterObject> partitionOfQueue(Site site, String queue)
      throws QueryException, InterruptedException {
    Optional<String> partition = Optional.empty();
    if (ReservationIds.isReserved(queue)) {
      partition =
          site.queries()
              .reservation(ReservationIds.number(queue))
              .filter(it -> it.getQueue().equals(queue))
              .map(it -> it.getSpec().getPartition());
    } else {
      partition = site.cluster().find(ObjectKind.QUEUE, queue).map(Site::partitionOf);
    }
    return partition.flatMap(it -> partition(site, it));
  }

  /** The slots that it has: those that qrsub was given, else the processors that it books. */
  public static List<QueueSlots> granted(Cell cell, Reservation reservation) {
    if (reservation.getSpec().getGridEngine() != null) {
      return left(reservation);
    }
    List<QueueSlots> slots = new ArrayList<>();
    for (BookedNode booked : reservation.getBooked()) {
      long processors = booked.getAmounts().getOrDefault(SLOT, 0L);
      String name =
          cell.configuration().cluster().queues().stream()
              .filter(it -> isNode(it.host(), booked.getNode()))
              .map(QueueInstance::name)
              .findFirst()
              .orElse("@" + booked.getNode());
      slots.add(new QueueSlots(name, (int) Math.min(Integer.MAX_VALUE, processors)));
    }
    return slots;
  }

  /** What qrsub was given, as far as an alteration has not taken it away. */
  private static List<QueueSlots> left(Reservation reservation) {
    Map<String, Long> booked = new HashMap<>();
    for (BookedNode each : reservation.getBooked()) {
      booked.put(each.getNode(), each.getAmounts().getOrDefault(SLOT, 0L));
    }
    List<QueueSlots> left = new ArrayList<>();
    for (QueueSlots each : reservation.getSpec().getGridEngine().getGranted()) {
      String host = each.getQueue().substring(each.getQueue().indexOf('@') + 1);
      for (Map.Entry<String, Long> node : booked.entrySet()) {
        if (isNode(host, node.getKey())) {
          int slots = (int) Math.min(each.getSlots(), node.getValue());
          node.setValue(node.getValue() - slots);
          if (slots > 0) {
            left.add(new QueueSlots(each.getQueue(), slots));
          }
        }
      }
    }
    return left;
  }

  /** Whether a host's name means a node: its own, or its part before the first dot. */
  public static boolean isNode(String host, String node) {
    return host.equals(node) || host.startsWith(node + ".");
  }

  /** The slots of all of them. */
  public static int slots(Cell cell, Reservation reservation) {
    return granted(cell, reservation).stream().mapToInt(QueueSlots::getSlots).sum();
  }

  /** Slots of queue instances that reservations have now. */
  public static Map<String, Integer> now(Call call, Cell cell)
      throws QueryException, InterruptedException {
    Map<String, Integer> slots = new HashMap<>();
    for (Reservation each : all(call, cell)) {
      if (begun(each)) {
        granted(cell, each).forEach(it -> slots.merge(it.getQueue(), it.getSlots(), Integer::sum));
      }
    }
    return slots;
  }

  /** Whether jobs of a user may run in it. */
  public static boolean admits(Reservation reservation, String user) {
    Set<String> users = new TreeSet<>();
    users.add(reservation.getSpec().getOwner());
    reservation.getSpec().getUsers().forEach(it -> users.add(it.replaceFirst("@.*", "")));
    return users.contains(user)
        || users.contains(ANYBODY)
        || !reservation.getSpec().getGroups().isEmpty();
  }

  /** Whether its window has begun and is not over. */
  public static boolean begun(Reservation reservation) {
    return reservation.getStartedMs() >= 0
        && reservation.getState() != ReservationState.FINISHED
        && reservation.getState() != ReservationState.DELETED;
  }
}
