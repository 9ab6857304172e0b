package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.ValueType;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellHosts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** qstat -F: what a queue instance offers now, and on which level. */
final class QueueAttributes {

  /** Attributes that every queue instance has, in the order in which qstat names them. */
  private static final List<String> OF_QUEUES =
      List.of(
          "qname",
          "hostname",
          "slots",
          "tmpdir",
          "seq_no",
          "rerun",
          "calendar",
          "s_rt",
          "h_rt",
          "s_cpu",
          "h_cpu",
          "s_fsize",
          "h_fsize",
          "s_data",
          "h_data",
          "s_stack",
          "h_stack",
          "s_core",
          "h_core",
          "s_rss",
          "h_rss",
          "s_vmem",
          "h_vmem",
          "min_cpu_interval");

  private static final String SLOTS = "slots";

  /**
   * An attribute of a queue instance.
   *
   * @param level two letters: g, h or q for cluster, host or queue, and c, f or l for a consumable,
   *     a fixed or a load value
   */
  record OfferedAttribute(String level, String name, String value) {

    @Override
    public String toString() {
      return level + ":" + name + "=" + value;
    }
  }

  /**
   * A run that takes of what is consumed.
   *
   * @param slots in all, by the queue instance and by the host that is asked about
   */
  record ConsumingRun(Needs needs, StatRow row) {

    /**
     * What it takes where it has these slots; of what counts once for a job, the master takes it.
     */
    double takes(Complex complex, int slots, boolean master) {
      int times = complex.perJob() ? (master ? 1 : 0) : slots;
      return needs.amount(complex) * times;
    }

    int slots(String host) {
      int slots = 0;
      for (String queue : row.queues().stream().distinct().toList()) {
        slots += queue.endsWith("@" + host) ? row.slots(queue) : 0;
      }
      return slots;
    }
  }

  private final Cell cell;
  private final CellHosts hosts;
  private final Complexes complexes;
  private final Collection<ConsumingRun> takers;

  QueueAttributes(Cell cell, CellHosts hosts, Collection<ConsumingRun> takers) {
    this.cell = cell;
    this.hosts = hosts;
    this.complexes = cell.configuration().cluster().complexes();
    this.takers = takers;
  }

  /**
   * @param names none for all
   */
  List<OfferedAttribute> of(QueueInstance queue, List<String> names) {
    List<OfferedAttribute> all = new ArrayList<>();
    OfferedAttributes global = cell.configuration().cluster().global().offers();
    offers(all, 'g', global, complex -> takenOfAll(complex));
    ExecHost host = cell.configuration().cluster().host(queue.host());
    offers(all, 'h', host.offers(), complex -> taken(complex, queue.host()));
    if (hosts.isUp(queue.host())) {
      hosts
          .loads(queue.host())
          .forEach(
              (name, value) ->
                  complexes
                      .find(name)
                      .filter(complex -> !host.offers().sets(name))
                      .ifPresent(c -> all.add(new OfferedAttribute("hl", name, shown(c, value)))));
    }
    ofQueue(all, queue);
    return names.isEmpty() ? all : all.stream().filter(each -> named(each.name(), names)).toList();
  }

  private boolean named(String name, List<String> names) {
    return names.stream()
        .anyMatch(asked -> complexes.find(asked).filter(c -> c.name().equals(name)).isPresent());
  }

  private interface TakenAmount {
    double of(Complex complex);
  }

  private void offers(
      List<OfferedAttribute> all, char level, OfferedAttributes offers, TakenAmount taken) {
    offers
        .capacities()
        .forEach(
            (name, amount) ->
                complexes
                    .find(name)
                    .ifPresent(
                        c ->
                            all.add(
                                new OfferedAttribute(
                                    level + "c", name, shown(c, amount - taken.of(c))))));
    offers
        .values()
        .forEach(
            (name, value) ->
                complexes
                    .find(name)
                    .ifPresent(
                        c -> all.add(new OfferedAttribute(level + "f", name, shown(c, value)))));
  }

  private double takenOfAll(Complex complex) {
    return takers.stream()
        .mapToDouble(taker -> taker.takes(complex, taker.row().slots(), true))
        .sum();
  }

  private double taken(Complex complex, String host) {
    return takers.stream()
        .mapToDouble(
            taker ->
                taker.takes(complex, taker.slots(host), taker.row().master().endsWith("@" + host)))
        .sum();
  }

  private double takenOfQueue(Complex complex, String queue) {
    return takers.stream()
        .mapToDouble(
            taker ->
                taker.takes(complex, taker.row().slots(queue), taker.row().master().equals(queue)))
        .sum();
  }

  private void ofQueue(List<OfferedAttribute> all, QueueInstance queue) {
    List<OfferedAttribute> own = new ArrayList<>();
    offers(own, 'q', queue.offers(), complex -> takenOfQueue(complex, queue.name()));
    for (String name : OF_QUEUES) {
      Optional<OfferedAttribute> offered =
          own.stream().filter(it -> it.name().equals(name)).findFirst();
      offered.ifPresent(own::remove);
      offered.or(() -> ofSettings(queue, name)).ifPresent(all::add);
    }
    all.addAll(own);
  }

  private Optional<OfferedAttribute> ofSettings(QueueInstance queue, String name) {
    return complexes
        .find(name)
        .map(
            complex ->
                name.equals(SLOTS)
                    ? new OfferedAttribute(
                        "qc",
                        name,
                        shown(complex, queue.slots() - takenOfQueue(complex, queue.name())))
                    : new OfferedAttribute("qf", name, shown(complex, text(queue, name))));
  }

  private static String text(QueueInstance queue, String name) {
    return name.equals("hostname") ? queue.host() : queue.settings().get(name);
  }

  private static String shown(Complex complex, String value) {
    return complex.type().numeric()
        ? complex.type().amount(value).map(amount -> shown(complex, amount)).orElse(value)
        : value;
  }

  private static String shown(Complex complex, double amount) {
    if (complex.type() == ValueType.INT) {
      return Long.toString((long) amount);
    }
    return complex.type() == ValueType.BOOL
        ? String.format(java.util.Locale.ROOT, "%.6f", amount)
        : complex.shown(amount);
  }
}
