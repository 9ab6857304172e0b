package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.ConsumableUse;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What slots of queue instances take of the consumables of a cluster, at each level that offers
 * some. Slots of hosts are left out: those are processors of nodes.
 */
public final class ConsumableUses {

  private static final String SLOTS = "slots";

  /** What anybody takes of an exclusive attribute who does not ask for it; who does takes all. */
  private static final double BESIDE = 1.0 / (1 << 16);

  private final Cluster cluster;
  private final Needs needs;
  private final List<ConsumableUse> uses = new ArrayList<>();

  private ConsumableUses(Cluster cluster, Needs needs) {
    this.cluster = cluster;
    this.needs = needs;
  }

  /**
   * The uses.
   *
   * @param environment empty for none
   * @param slots by the names of queue instances, the first one being the master's
   */
  public static List<ConsumableUse> of(
      Cluster cluster, Needs needs, String environment, Map<String, Integer> slots) {
    ConsumableUses all = new ConsumableUses(cluster, needs);
    Map<String, Integer> hosts = new LinkedHashMap<>();
    slots.forEach((queue, some) -> hosts.merge(host(queue), some, Integer::sum));
    int total = slots.values().stream().mapToInt(Integer::intValue).sum();
    all.add(Level.GLOBAL, ExecHost.GLOBAL, cluster.global().offers(), total, true);
    boolean master = true;
    for (Map.Entry<String, Integer> host : hosts.entrySet()) {
      OfferedAttributes offers = cluster.host(host.getKey()).offers();
      all.add(Level.HOST, host.getKey(), offers, host.getValue(), master);
      master = false;
    }
    master = true;
    for (Map.Entry<String, Integer> queue : slots.entrySet()) {
      OfferedAttributes offers =
          cluster
              .queue(queue.getKey())
              .map(QueueInstance::offers)
              .orElse(OfferedAttributes.NOTHING);
      all.add(Level.QUEUE, queue.getKey(), offers, queue.getValue(), master);
      master = false;
    }
    if (!environment.isEmpty()) {
      Complex ofSlots = cluster.complexes().slots();
      all.uses.add(new ConsumableUse(Level.ENVIRONMENT, environment, ofSlots, total));
    }
    return all.uses;
  }

  private static String host(String queue) {
    return queue.substring(queue.indexOf('@') + 1);
  }

  /**
   * @param master whether what is taken once for a job is taken here
   */
  private void add(
      Level level, String container, OfferedAttributes offers, int slots, boolean master) {
    for (String name : offers.capacities().keySet()) {
      Complex complex = cluster.complexes().find(name).orElseThrow();
      boolean elsewhere = level == Level.HOST && name.equals(SLOTS);
      if (elsewhere || (complex.perJob() && !master)) {
        continue;
      }
      double amount = amount(complex, slots);
      if (amount != 0) {
        uses.add(new ConsumableUse(level, container, complex, amount));
      }
    }
  }

  private double amount(Complex complex, int slots) {
    double each = complex.name().equals(SLOTS) ? 1 : needs.amount(complex);
    if (complex.relation() == Relation.EXCLUSIVE) {
      return each > 0 ? 1 : BESIDE;
    }
    return complex.perJob() ? each : each * slots;
  }
}
