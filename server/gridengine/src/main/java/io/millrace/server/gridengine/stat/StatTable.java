package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.Form;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;

/** The tables of qstat. */
final class StatTable {

  private static final String QUEUE_HEAD =
      "queuename                      qtype resv/used/tot. load_avg arch          states\n";
  private final StatOptions options;
  private final StatColumns columns;
  private final StatRequests requests;
  private final String rule;
  private final String pending;

  StatTable(StatOptions options, ZoneId zone, CellView view) {
    this.options = options;
    this.columns = new StatColumns(options, zone);
    // Grid Engine's -ext makes its rules longer, other columns do not.
    int wider = options.shows(Show.EXTENDED) ? 1 : 0;
    this.rule = "-".repeat(81 + 108 * wider) + "\n";
    String banner = "#".repeat(76 + 110 * wider) + "\n";
    this.pending = "\n" + banner + " - PENDING JOBS".repeat(5) + "\n" + banner;
    this.requests = new StatRequests(view, !options.shows(Show.NO_BINDING));
  }

  /** A line for each run and each group of tasks that wait alike; nothing when there are none. */
  String plain(List<StatRow> rows) {
    StringBuilder out = new StringBuilder(rows.isEmpty() ? "" : columns.head());
    for (StatRow row : rows) {
      out.append(columns.of(row))
          .append(String.format("%-30.30s %5d %s\n", row.master(), row.slots(), tasks(row)));
      describe(out, row);
    }
    return out.toString();
  }

  private void describe(StringBuilder out, StatRow row) {
    if (options.shows(Show.REQUESTS)) {
      requests.describe(out, row);
    }
  }

  /** -g t: a line for each slot of a run, by queue instances, then the jobs that wait. */
  String slots(List<StatRow> rows, List<QueueInstance> queues) {
    StringBuilder out = new StringBuilder(rows.isEmpty() ? "" : columns.head());
    for (QueueInstance queue : queues) {
      rows.stream()
          .filter(row -> row.slots(queue.name()) > 0)
          .sorted(Comparator.comparingLong(StatRow::number))
          .forEach(row -> slots(out, row, queue));
    }
    for (StatRow row : rows) {
      if (!row.running()) {
        out.append(columns.of(row)).append(String.format("%-30s %-6s %s\n", "", "", tasks(row)));
        describe(out, row);
      }
    }
    return out.toString();
  }

  /** The master is shown beside the slots of a parallel job, which its tasks may fill. */
  private void slots(StringBuilder out, StatRow row, QueueInstance queue) {
    boolean master = row.master().equals(queue.name());
    int slaves = row.environment().isEmpty() ? 0 : row.slots(queue.name());
    String begin = columns.of(row);
    for (int i = master ? -1 : 0; i < slaves; i++) {
      String role = i < 0 ? "MASTER" : "SLAVE";
      out.append(begin).append(String.format("%-30.30s %-6s %s\n", queue.name(), role, tasks(row)));
      begin = " ".repeat(begin.length());
    }
    describe(out, row);
  }

  private static String tasks(StatRow row) {
    return row.tasks().isEmpty() ? " ".repeat(7) : row.tasks();
  }

  /** The queue instances with their runs, then the jobs that wait. */
  String full(List<StatRow> shown, List<QueueInstanceLine> queues) {
    StringBuilder out = new StringBuilder(queues.isEmpty() ? "" : QUEUE_HEAD);
    for (QueueInstanceLine line : queues) {
      QueueInstance queue = line.queue();
      out.append(rule)
          .append(
              String.format(
                  "%-30s %-5s %-14s %-8s %-13s %s\n",
                  queue.name(),
                  type(queue),
                  line.slots().reserved() + "/" + line.slots().used() + "/" + queue.slots(),
                  line.load(),
                  line.architecture(),
                  line.states()));
      line.remarks().forEach(remark -> out.append('\t').append(remark).append('\n'));
      for (StatRow row : shown) {
        if (row.slots(queue.name()) > 0) {
          out.append(line(row, row.slots(queue.name())));
          describe(out, row);
        }
      }
    }
    List<StatRow> waiting = shown.stream().filter(row -> !row.running()).toList();
    if (!waiting.isEmpty()) {
      out.append(pending);
      for (StatRow row : waiting) {
        out.append(line(row, row.slots()));
        describe(out, row);
      }
    }
    return out.toString();
  }

  private String line(StatRow row, int slots) {
    return columns.of(row) + String.format("%5d %s\n", slots, tasks(row));
  }

  /** Letters for batch, interactive and parallel. */
  static String type(QueueInstance queue) {
    return (queue.batch() ? "B" : "")
        + (queue.interactive() ? "I" : "")
        + (Form.none(queue.settings().get("pe_list")) ? "" : "P");
  }
}
