package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.server.gridengine.cell.CellHosts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** qstat -g c: a line for each cluster queue. */
final class StatSummary {

  static final String HEAD =
      "CLUSTER QUEUE                   CQLOAD   USED    RES  AVAIL  TOTAL aoACDS  cdsuE  \n"
          + "-".repeat(80)
          + "\n";

  /**
   * A cluster queue.
   *
   * @param load mean of its hosts' load per processor, weighted by slots; empty when none reports
   *     it
   * @param slots its slots by what can be done with them
   */
  record SummaryLine(String queue, Optional<Double> load, SlotCounts slots) {

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-30.30s %7s %6d %6d %6d %6d %6d %6d \n",
          queue,
          load.map(value -> String.format(Locale.ROOT, "%.2f", value)).orElse("-NA-"),
          slots.used(),
          slots.reserved(),
          slots.free(),
          slots.total(),
          slots.passing(),
          slots.lasting());
    }
  }

  /**
   * Counts of slots.
   *
   * @param passing of instances in a state that ends by itself (aoACDS)
   * @param lasting of instances that somebody must look after (cdsuE)
   */
  record SlotCounts(int reserved, int used, int free, int total, int passing, int lasting) {

    SlotCounts plus(QueueInstanceLine line) {
      int slots = line.queue().slots();
      boolean stays = line.states().matches(".*[cdsuE].*");
      boolean ends = !stays && line.states().matches(".*[aoACDS].*");
      boolean open = !stays && !ends;
      return new SlotCounts(
          reserved + line.slots().reserved(),
          used + line.slots().used(),
          free + (open ? Math.max(0, slots - line.slots().used()) : 0),
          total + slots,
          passing + (ends ? slots : 0),
          lasting + (stays ? slots : 0));
    }
  }

  private StatSummary() {}

  static List<SummaryLine> of(List<QueueInstanceLine> queues, CellHosts hosts) {
    Map<String, List<QueueInstanceLine>> byName = new TreeMap<>(Comparator.naturalOrder());
    queues.forEach(
        line -> byName.computeIfAbsent(line.queue().queue(), n -> new ArrayList<>()).add(line));
    List<SummaryLine> lines = new ArrayList<>();
    byName.forEach(
        (name, instances) -> {
          SlotCounts slots = new SlotCounts(0, 0, 0, 0, 0, 0);
          for (QueueInstanceLine line : instances) {
            slots = slots.plus(line);
          }
          lines.add(new SummaryLine(name, load(instances, hosts), slots));
        });
    return lines;
  }

  private static Optional<Double> load(List<QueueInstanceLine> instances, CellHosts hosts) {
    double sum = 0;
    int slots = 0;
    for (QueueInstanceLine line : instances) {
      QueueInstance queue = line.queue();
      Optional<Double> load = hosts.load(queue.host(), "np_load_avg");
      sum += load.orElse(0.0) * queue.slots();
      slots += load.isPresent() ? queue.slots() : 0;
    }
    return slots > 0 ? Optional.of(sum / slots) : Optional.empty();
  }
}
