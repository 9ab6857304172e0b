package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellHosts;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What qstat answers in one of its forms: tables of jobs, of queue instances, or XML. */
final class StatAnswer {

  private final Cell cell;
  private final CellView view;
  private final StatOptions options;
  private final ZoneId zone;

  StatAnswer(Cell cell, CellView view, StatOptions options, ZoneId zone) {
    this.cell = cell;
    this.view = view;
    this.options = options;
    this.zone = zone;
  }

  /**
   * The answer.
   *
   * @param reserved slots of queue instances that advance reservations have now
   */
  String text(
      List<StatRow> rows, SelectedQueues queues, CellHosts hosts, Map<String, Integer> reserved) {
    StatTable table = new StatTable(options, zone, view);
    StatXml xml = new StatXml(options, zone, view);
    boolean asXml = options.shows(Show.XML);
    if (options.shows(Show.SUMMARY)) {
      List<StatSummary.SummaryLine> lines = StatSummary.of(lines(queues, hosts, reserved), hosts);
      return asXml
          ? xml.summary(lines)
          : StatSummary.HEAD + lines.stream().map(String::valueOf).collect(Collectors.joining());
    }
    if (options.shows(Show.FULL)) {
      List<QueueInstanceLine> lines = lines(queues, hosts, reserved);
      return asXml ? xml.full(rows, lines) : table.full(rows, lines);
    }
    if (asXml) {
      return xml.plain(rows);
    }
    return options.shows(Show.SLOTS) ? table.slots(rows, queues.queues()) : table.plain(rows);
  }

  /** The selected queue instances; runs of all owners take their slots. */
  private List<QueueInstanceLine> lines(
      SelectedQueues queues, CellHosts hosts, Map<String, Integer> reserved) {
    List<StatRow> all = view.runs();
    QueueAttributes attributes = new QueueAttributes(cell, hosts, takers(all));
    Map<String, Integer> used = used(all);
    List<QueueInstanceLine> lines = new ArrayList<>();
    for (QueueInstance queue : queues.queues()) {
      QueueInstanceLine.TakenSlots slots =
          new QueueInstanceLine.TakenSlots(
              reserved.getOrDefault(queue.name(), 0), used.getOrDefault(queue.name(), 0));
      if (slots.used() == 0 && options.shows(Show.BUSY_ONLY)) {
        continue;
      }
      lines.add(
          new QueueInstanceLine(
              queue,
              slots,
              hosts.load(queue.host(), "load_avg"),
              new QueueInstanceLine.OfHost(hosts.architecture(queue.host()), hosts.states(queue)),
              options.attributes().map(names -> attributes.of(queue, names)).orElse(List.of()),
              new QueueInstanceLine.AlarmsAndWarnings(
                  options.shows(Show.EXPLAIN) ? hosts.alarms(queue) : List.of(),
                  options.shows(Show.AMBIGUOUS) ? queue.ambiguities() : List.of())));
    }
    return lines;
  }

  private static Map<String, Integer> used(List<StatRow> runs) {
    return runs.stream()
        .flatMap(row -> row.queues().stream().distinct().map(queue -> Map.entry(queue, row)))
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.summingInt(e -> e.getValue().slots(e.getKey()))));
  }

  private List<QueueAttributes.ConsumingRun> takers(List<StatRow> runs) {
    List<QueueAttributes.ConsumingRun> takers = new ArrayList<>();
    for (StatRow row : runs) {
      Needs needs;
      try {
        needs = view.asked(row.number()).needs(view.complexes());
      } catch (RequestRefused e) {
        needs = Needs.NONE; // of an older configuration: its slots count all the same
      }
      takers.add(new QueueAttributes.ConsumingRun(needs, row));
    }
    return takers;
  }
}
