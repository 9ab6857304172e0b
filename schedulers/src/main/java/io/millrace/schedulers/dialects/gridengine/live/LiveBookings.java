package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedAmount;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What advance reservations have of the nodes of the shard, in slots. An exclusive reservation has
 * all slots of its nodes.
 *
 * <p>Simple semantics: a list of slots for each reservation. It is made when the dialect first asks
 * for it, which under any other policy is never: the reservations may be many.
 */
final class LiveBookings {

  private static final int MS_PER_S = 1000;

  /** Those that book nodes, by their numbers. */
  private final TreeMap<Long, BookingReservation> byReservation = new TreeMap<>();

  /** Confirmed reservations by the names of their queues. */
  private final TreeMap<String, Reservation> byQueue = new TreeMap<>();

  /** Those of qrsub, by their numbers. */
  private final TreeMap<Long, Reservation> ofCommands = new TreeMap<>();

  /** What these take of consumables under a configured cluster. */
  private final Map<Long, KnownUses> uses = new HashMap<>();

  /** Those that no section of the file schedule has told yet. */
  private final TreeMap<Long, Reservation> untold = new TreeMap<>();

  private record KnownUses(Cluster cluster, List<ConsumableUse> uses) {}

  /** Names of the nodes of which anything is booked; null while nobody has asked. */
  private Set<String> nodes;

  /** A reservation as it is after a change. */
  void follow(Reservation reservation) {
    byReservation.remove(reservation.getNumber());
    nodes = null;
    ReservationState state = reservation.getState();
    boolean over = state == ReservationState.FINISHED || state == ReservationState.DELETED;
    over |= reservation.getBooked().isEmpty();
    followCommand(reservation, over);
    if (over) {
      byQueue.remove(reservation.getQueue());
      return;
    }
    byQueue.put(reservation.getQueue(), reservation);
    byReservation.put(reservation.getNumber(), new BookingReservation(reservation));
  }

  private void followCommand(Reservation reservation, boolean over) {
    long number = reservation.getNumber();
    uses.remove(number);
    if (over) {
      ofCommands.remove(number);
      untold.remove(number);
    } else if (reservation.getSpec().getGridEngine() != null
        && ofCommands.put(number, reservation) == null
        && reservation.getStartedMs() < 0) {
      untold.put(number, reservation);
    }
  }

  /** Those of qrsub, by their numbers. */
  Collection<Reservation> ofCommands() {
    return ofCommands.values();
  }

  /** Those of qrsub that have become known since the last call. */
  List<Reservation> takeUntold() {
    List<Reservation> all = List.copyOf(untold.values());
    untold.clear();
    return all;
  }

  /** What a reservation of qrsub takes of consumables. */
  List<ConsumableUse> uses(Reservation reservation, Cluster cluster) {
    KnownUses known = uses.get(reservation.getNumber());
    if (known == null || known.cluster() != cluster) {
      known = new KnownUses(cluster, AdvanceWords.of(reservation).uses(cluster));
      uses.put(reservation.getNumber(), known);
    }
    return known.uses();
  }

  /** When its window begins, in seconds since 1970. */
  static long fromS(Reservation reservation) {
    return Math.floorDiv(reservation.getSpec().getStartMs(), MS_PER_S);
  }

  /** When its window is over, in seconds since 1970. */
  static long toS(Reservation reservation) {
    return Math.floorDiv(reservation.getSpec().getEndMs() + MS_PER_S - 1, MS_PER_S);
  }

  /** True when any of the node is booked at any time. */
  boolean any(String node) {
    if (nodes == null) {
      nodes = new HashSet<>();
      byReservation
          .values()
          .forEach(each -> each.amounts().forEach(it -> nodes.add(it.container())));
    }
    return nodes.contains(node);
  }

  /** The confirmed reservation of a queue; null when it is none's. */
  Reservation ofQueue(String queue) {
    return byQueue.get(queue);
  }

  /** Whether jobs of a reservation may start. */
  static boolean begun(Reservation reservation) {
    return reservation.getStartedMs() >= 0
        && reservation.getState() != ReservationState.BEING_DELETED
        && reservation.getState() != ReservationState.DELETING_JOBS;
  }

  /** Reservations in whose window we are, on nodes of these partitions, by their names. */
  List<Reservation> begun(Set<String> partitions) {
    return byQueue.values().stream()
        .filter(it -> begun(it) && partitions.contains(it.getSpec().getPartition()))
        .toList();
  }

  /**
   * What is booked of hosts, less what jobs of the reservations themselves hold there.
   *
   * @param hosts name of the host by the name of its node
   */
  List<BookedAmount> of(Map<String, String> hosts, ReservedSlots held) {
    List<BookedAmount> all = new ArrayList<>();
    byReservation.forEach(
        (number, known) -> {
          List<BookedAmount> bookings = known.amounts();
          int ofWindow = known.reservation.getBooked().size();
          for (int i = 0; i < bookings.size(); i++) {
            BookedAmount it = bookings.get(i);
            String host = hosts.get(it.container());
            if (host != null) {
              boolean whole = i >= ofWindow || it.amount() == Integer.MAX_VALUE;
              long slots = (long) it.amount() - (whole ? 0 : held.inside(number, host));
              all.add(BookedAmount.slots(host, Math.max(0, slots), it.fromS(), it.toS()));
            }
          }
        });
    return all;
  }

  /** A reservation and, once they were asked for, the slots that it has. */
  private static final class BookingReservation {
    private final Reservation reservation;

    /** First those of its window; the others are held besides. */
    private List<BookedAmount> amounts;

    BookingReservation(Reservation reservation) {
      this.reservation = reservation;
    }

    List<BookedAmount> amounts() {
      if (amounts == null) {
        amounts = new ArrayList<>();
        BookedTime.of(reservation).forEach(this::add); // the window comes first
      }
      return amounts;
    }

    private void add(BookedTime time) {
      long fromS = Math.floorDiv(time.startMs(), MS_PER_S);
      long toS = Math.floorDiv(time.endMs() + MS_PER_S - 1, MS_PER_S);
      for (BookedNode node : time.booked()) {
        long slots =
            node.getExclusive()
                ? Integer.MAX_VALUE
                : node.getAmounts().getOrDefault(ExecHosts.SLOT, 0L);
        amounts.add(BookedAmount.slots(node.getNode(), slots, fromS, toS));
      }
    }
  }
}
