package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedAmount;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.ConsumableUses;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What qrsub's reservations have of licences, queues, environments and other consumables, and what
 * their jobs hold of it. Slots of hosts are counted by {@link ReservedSlots}.
 */
final class ReservedAmounts {

  /** In place of a reservation for tasks that are in none. */
  private static final long NONE = -1;

  private static final String SLOTS = "slots";

  private record Stock(Level level, String container, String resource) {

    static Stock of(ConsumableUse use) {
      return new Stock(use.level(), use.container(), use.complex().name());
    }
  }

  private final Cluster cluster;
  private final Map<Long, Map<Stock, Double>> held = new HashMap<>();

  private ReservedAmounts(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Of the reservations of a shard, under a configuration. */
  static ReservedAmounts of(
      LiveState state, Configuration configuration, Collection<LiveTask> tasks) {
    ReservedAmounts amounts = new ReservedAmounts(configuration.cluster());
    if (!state.bookings().ofCommands().isEmpty()) {
      for (LiveTask task : tasks) {
        if (task.holds() && task.assignment != null) {
          state
              .jobs()
              .job(task.job())
              .flatMap(it -> it.job(configuration.cluster().complexes(), configuration.limits()))
              .ifPresent(it -> amounts.count(task, it.needs()));
        }
      }
    }
    return amounts;
  }

  private void count(LiveTask task, Needs needs) {
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (Grant grant : task.assignment.grants()) {
      slots.merge(grant.queue().name(), grant.slots(), Integer::sum);
    }
    String environment = task.assignment.environment().map(ParallelEnvironment::name).orElse("");
    boolean inside = ReservedSlots.isReserved(task);
    long number = inside ? ReservationIds.number(task.spec.getQueue()) : NONE;
    Map<Stock, Double> theirs = held.computeIfAbsent(number, it -> new HashMap<>());
    ConsumableUses.of(cluster, needs, environment, slots)
        .forEach(use -> theirs.merge(Stock.of(use), use.amount(), Double::sum));
  }

  private double inside(long reservation, Stock stock) {
    return held.getOrDefault(reservation, Map.of()).getOrDefault(stock, 0.0);
  }

  private double outside(long reservation, Stock stock) {
    double all = held.values().stream().mapToDouble(it -> it.getOrDefault(stock, 0.0)).sum();
    return all - inside(reservation, stock);
  }

  /** What is booked by reservations, less what their own jobs hold. */
  List<BookedAmount> booked(LiveBookings bookings) {
    List<BookedAmount> all = new ArrayList<>();
    for (Reservation each : bookings.ofCommands()) {
      long number = each.getNumber();
      long fromS = LiveBookings.fromS(each);
      long toS = LiveBookings.toS(each);
      for (ConsumableUse use : bookings.uses(each, cluster)) {
        double left = use.amount() - inside(number, Stock.of(use));
        if (left > 0) {
          String resource = use.complex().name();
          all.add(new BookedAmount(use.level(), use.container(), resource, left, fromS, toS));
        }
      }
    }
    return all;
  }

  /**
   * What others have booked of that which the jobs of a reservation find in {@link #of}. There one
   * of qrsub has only what it has itself.
   */
  List<BookedAmount> booked(Reservation inside, LiveBookings bookings) {
    return inside.getSpec().getGridEngine() == null ? booked(bookings) : List.of();
  }

  /**
   * A cluster as the jobs of a reservation find it: of each consumable no more than it has, beside
   * what all others hold. Those of another command's have what the cluster has.
   */
  Cluster of(Reservation reservation, LiveBookings bookings, Cluster standing) {
    if (reservation.getSpec().getGridEngine() == null) {
      return standing;
    }
    Map<Stock, Double> reserved = new HashMap<>();
    bookings.uses(reservation, cluster).forEach(it -> reserved.put(Stock.of(it), it.amount()));
    ReservedShare share = new ReservedShare(reservation.getNumber(), reserved);
    Map<String, ExecHost> hosts = new HashMap<>(standing.hosts());
    hosts.replaceAll((name, host) -> host.offering(share.of(host, name)));
    List<QueueInstance> queues = new ArrayList<>();
    for (QueueInstance queue : standing.queues()) {
      OfferedAttributes offers = share.of(Level.QUEUE, queue.name(), queue.offers());
      queues.add(queue.disabled() ? queue : queue.offering(offers));
    }
    return new Cluster(
        standing.complexes(),
        queues,
        hosts,
        standing.environments().stream().map(share::of).toList(),
        standing.groups(),
        standing.accessLists());
  }

  /** What one reservation has of each consumable. */
  private final class ReservedShare {
    private final long number;
    private final Map<Stock, Double> reserved;

    ReservedShare(long number, Map<Stock, Double> reserved) {
      this.number = number;
      this.reserved = reserved;
    }

    private double all(Stock stock) {
      return reserved.getOrDefault(stock, 0.0) + outside(number, stock);
    }

    OfferedAttributes of(ExecHost host, String name) {
      Level level = name.equals(ExecHost.GLOBAL) ? Level.GLOBAL : Level.HOST;
      return of(level, name, host.offers());
    }

    OfferedAttributes of(Level level, String container, OfferedAttributes offers) {
      OfferedAttributes limited = offers;
      for (Map.Entry<String, Double> each : offers.capacities().entrySet()) {
        if (level != Level.HOST || !each.getKey().equals(SLOTS)) {
          double all = all(new Stock(level, container, each.getKey()));
          limited = limited.withCapacity(each.getKey(), Math.min(each.getValue(), all));
        }
      }
      return limited;
    }

    /** Environments that it was not given count as ever. */
    ParallelEnvironment of(ParallelEnvironment environment) {
      Stock stock = new Stock(Level.ENVIRONMENT, environment.name(), SLOTS);
      return reserved.containsKey(stock)
          ? environment.withSlots((int) Math.min(environment.slots(), all(stock)))
          : environment;
    }
  }
}
