package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A cluster as the jobs of a reservation find it: its queue instances take jobs, on each of its
 * hosts as many as it has slots there. All runs stay where they are, so that licences, environments
 * and queues are counted as ever.
 */
final class ReservedCluster {

  private static final String SLOTS = "slots";

  private final Reservation reservation;
  private final Map<String, Long> reserved = new HashMap<>();

  /**
   * @param hosts name of the host by the name of its node
   */
  ReservedCluster(Reservation reservation, Map<String, String> hosts) {
    this.reservation = reservation;
    Set<String> taken =
        reservation.getLost().stream()
            .filter(it -> !it.getTakenBy().isEmpty())
            .map(LostNode::getNode)
            .collect(Collectors.toSet());
    for (BookedNode booked : reservation.getBooked()) {
      String host = hosts.get(booked.getNode());
      if (host != null && !taken.contains(booked.getNode())) { // maintenance has those
        long slots =
            booked.getExclusive()
                ? Integer.MAX_VALUE
                : booked.getAmounts().getOrDefault(ExecHosts.SLOT, 0L);
        reserved.put(host, slots);
      }
    }
  }

  /** Whether nothing starts in it because a node is lost and -he y was asked for. */
  static boolean fails(Reservation reservation) {
    return !reservation.getLost().isEmpty() && AdvanceWords.of(reservation).hard();
  }

  Cluster of(Cluster cluster, ReservedSlots held) {
    List<QueueInstance> queues = new ArrayList<>();
    Set<String> granted = granted();
    for (QueueInstance queue : cluster.queues()) {
      boolean open =
          reserved.containsKey(queue.host())
              && (granted.isEmpty() || granted.contains(queue.name()));
      queues.add(open ? queue : LiveCluster.closed(queue));
    }
    Map<String, ExecHost> hosts = new HashMap<>(cluster.hosts());
    reserved.forEach(
        (name, slots) -> {
          ExecHost host = cluster.host(name);
          double all = (double) slots + held.outside(reservation.getNumber(), name);
          double offered = host.offers().capacities().getOrDefault(SLOTS, all);
          hosts.put(name, host.offering(host.offers().withCapacity(SLOTS, Math.min(offered, all))));
        });
    return new Cluster(
        cluster.complexes(),
        queues,
        hosts,
        cluster.environments(),
        cluster.groups(),
        cluster.accessLists());
  }

  /** The queue instances that it was given; none for a reservation of another command. */
  private Set<String> granted() {
    GridEngineReservation asked = reservation.getSpec().getGridEngine();
    return asked == null
        ? Set.of()
        : asked.getGranted().stream().map(QueueSlots::getQueue).collect(Collectors.toSet());
  }
}
