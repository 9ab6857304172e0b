package io.millrace.server.gridengine.advance;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.request.ConsumableUses;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.reservation.RunsOfSite;
import io.millrace.server.gridengine.cell.ReservedWords;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Licences, slots of queues and of environments, and other consumables of a cell that nobody has at
 * any time of a window. Slots of hosts are {@link FreeSlots}.
 */
final class FreeAmounts {

  private static final String SLOTS = "slots";

  /** Amounts that are no whole numbers are sums of such. */
  private static final double ROUNDING = 1e-6;

  private record AmountSource(Level level, String container, String resource) {

    static AmountSource of(ConsumableUse use) {
      return new AmountSource(use.level(), use.container(), use.complex().name());
    }
  }

  private final Cluster cluster;
  private final AdvanceTimes window;

  /** At each time at which it changes: how much more is taken from then on. */
  private final Map<AmountSource, TreeMap<Long, Double>> changes = new HashMap<>();

  FreeAmounts(Cluster cluster, AdvanceTimes window) {
    this.cluster = cluster;
    this.window = window;
  }

  /** A copy, to which more can be added. */
  FreeAmounts copy() {
    FreeAmounts copy = new FreeAmounts(cluster, window);
    changes.forEach((source, times) -> copy.changes.put(source, new TreeMap<>(times)));
    return copy;
  }

  /** Notes what a run of the cell has until it ends. */
  void run(Job job) {
    Allocation allocation = job.getAllocation();
    GridEngineGrant grant = allocation.getGridEngine();
    if (grant == null || job.getSpec().getGridEngine() == null) {
      return;
    }
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (int i = 0; i < grant.getQueues().size(); i++) {
      slots.merge(
          grant.getQueues().get(i), allocation.getShares().get(i).getChunks(), Integer::sum);
    }
    List<String> words = job.getSpec().getGridEngine().getOptions();
    take(uses(words, grant.getEnvironment(), slots), 0, RunsOfSite.endMs(job));
  }

  /** Notes what a reservation has in its window; nothing for one of another command. */
  void reservation(ReservationSpec spec) {
    take(uses(spec), spec.getStartMs(), spec.getEndMs());
  }

  private List<ConsumableUse> uses(ReservationSpec spec) {
    GridEngineReservation asked = spec.getGridEngine();
    if (asked == null) {
      return List.of();
    }
    Map<String, Integer> slots = new LinkedHashMap<>();
    for (QueueSlots each : asked.getGranted()) {
      slots.merge(each.getQueue(), each.getSlots(), Integer::sum);
    }
    return uses(ReservedWords.amounts(asked.getOptions()), asked.getEnvironment(), slots);
  }

  private List<ConsumableUse> uses(
      List<String> words, String environment, Map<String, Integer> slots) {
    try {
      Needs needs = Submission.of(words).needs(cluster.complexes());
      return ConsumableUses.of(cluster, needs, environment, slots);
    } catch (RequestRefused e) {
      return List.of(); // the cell has not got any more what was asked for
    }
  }

  private void take(List<ConsumableUse> uses, long fromMs, long toMs) {
    long from = Math.max(fromMs, window.startMs());
    long to = Math.min(toMs, window.endMs());
    if (from < to) {
      for (ConsumableUse use : uses) {
        AmountSource source = AmountSource.of(use);
        TreeMap<Long, Double> times = changes.computeIfAbsent(source, it -> new TreeMap<>());
        times.merge(from, use.amount(), Double::sum);
        times.merge(to, -use.amount(), Double::sum);
      }
    }
  }

  private double left(AmountSource source, double all) {
    double taken = 0;
    double most = 0;
    for (double change : changes.getOrDefault(source, new TreeMap<>()).values()) {
      taken += change;
      most = Math.max(most, taken);
    }
    return all - most;
  }

  /** Whether of what a reservation takes no more is taken than there is. */
  boolean enoughFor(ReservationSpec spec) {
    return uses(spec).stream().map(AmountSource::of).allMatch(it -> left(it, all(it)) > -ROUNDING);
  }

  private double all(AmountSource source) {
    Map<String, Double> offered =
        switch (source.level()) {
          case GLOBAL -> cluster.global().offers().capacities();
          case HOST -> cluster.host(source.container()).offers().capacities();
          case QUEUE ->
              cluster
                  .queue(source.container())
                  .map(it -> it.offers().capacities())
                  .orElse(Map.of());
          case ENVIRONMENT ->
              cluster
                  .environment(source.container())
                  .map(it -> Map.of(SLOTS, (double) it.slots()))
                  .orElse(Map.of());
        };
    return offered.getOrDefault(source.resource(), Double.MAX_VALUE);
  }

  /** A cluster with no more than what is left. */
  Cluster of(Cluster room) {
    Map<String, ExecHost> hosts = new HashMap<>(room.hosts());
    hosts.replaceAll(
        (name, host) ->
            host.offering(
                of(name.equals(ExecHost.GLOBAL) ? Level.GLOBAL : Level.HOST, name, host.offers())));
    List<QueueInstance> queues =
        room.queues().stream()
            .map(it -> it.offering(of(Level.QUEUE, it.name(), it.offers())))
            .toList();
    return new Cluster(
        room.complexes(),
        queues,
        hosts,
        room.environments().stream().map(this::of).toList(),
        room.groups(),
        room.accessLists());
  }

  private OfferedAttributes of(Level level, String container, OfferedAttributes offers) {
    OfferedAttributes limited = offers;
    for (Map.Entry<String, Double> each : offers.capacities().entrySet()) {
      if (level != Level.HOST || !each.getKey().equals(SLOTS)) {
        double left = left(new AmountSource(level, container, each.getKey()), each.getValue());
        limited = limited.withCapacity(each.getKey(), left > ROUNDING ? left : none(each.getKey()));
      }
    }
    return limited;
  }

  /** Of an exclusive attribute somebody has all, which 0 does not say. */
  private double none(String resource) {
    boolean exclusive =
        cluster.complexes().find(resource).orElseThrow().relation() == Relation.EXCLUSIVE;
    return exclusive ? -1 : 0;
  }

  private ParallelEnvironment of(ParallelEnvironment environment) {
    AmountSource source = new AmountSource(Level.ENVIRONMENT, environment.name(), SLOTS);
    return environment.withSlots((int) Math.max(0, left(source, environment.slots())));
  }
}
