package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.options.Form;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of qstat. */
final class StatTable {

  static final String HEAD =
      "job-ID  prior   name       user         state submit/start at     queue"
          + "                          slots ja-task-ID \n"
          + "-".repeat(113)
          + "\n";

  private static final String QUEUE_HEAD =
      "queuename                      qtype resv/used/tot. load_avg arch          states\n";
  private static final String RULE = "-".repeat(81) + "\n";
  private static final String PENDING =
      "\n" + "#".repeat(76) + "\n" + " - PENDING JOBS".repeat(5) + "\n" + "#".repeat(76) + "\n";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

  private final ZoneId zone;

  StatTable(ZoneId zone) {
    this.zone = zone;
  }

  /** A line for each run and each group of tasks that wait alike; nothing when there are none. */
  String plain(List<StatRow> rows, CellView view, boolean requests) {
    StringBuilder out = new StringBuilder(rows.isEmpty() ? "" : HEAD);
    for (StatRow row : rows) {
      String queue = row.queues().isEmpty() ? "" : row.queues().get(0);
      out.append(begin(row))
          .append(String.format("%-30.30s %5d %s\n", queue, row.slots(), tasks(row)));
      if (requests) {
        requests(out, row, view.asked(row.number()));
      }
    }
    return out.toString();
  }

  private String begin(StatRow row) {
    return String.format(
        Locale.ROOT,
        "%7d %7.5f %-10.10s %-12.12s %-5.5s %s ",
        row.number(),
        row.priority(),
        row.job().getSpec().getName(),
        row.job().getSpec().getOwner(),
        row.state(),
        time(row.sinceMs()));
  }

  private static String tasks(StatRow row) {
    return row.tasks().isEmpty() ? " ".repeat(7) : row.tasks();
  }

  String time(long ms) {
    return TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  private static void requests(StringBuilder out, StatRow row, Submission asked) {
    out.append("       Full jobname:     ").append(row.job().getSpec().getName()).append('\n');
    if (row.running() && !row.queues().isEmpty()) {
      out.append("       Master Queue:     ").append(row.queues().get(0)).append('\n');
    }
    asked
        .environmentText()
        .ifPresent(pe -> out.append("       Requested PE:     ").append(pe).append('\n'));
    String granted =
        row.queues().isEmpty() ? "" : row.job().getAllocation().getGridEngine().getEnvironment();
    if (!granted.isEmpty()) {
      out.append("       Granted PE:       ").append(granted).append(' ').append(row.slots());
      out.append('\n');
    }
    out.append("       Hard Resources:   ").append(asked.hardText()).append('\n');
    out.append("       Soft Resources:   ").append(asked.softText()).append('\n');
  }

  /** The queue instances with their runs, then the jobs that wait. */
  String full(List<StatRow> all, List<StatRow> shown, List<QueueLine> queues) {
    StringBuilder out = new StringBuilder(QUEUE_HEAD);
    for (QueueLine line : queues) {
      QueueInstance queue = line.queue();
      int used = all.stream().mapToInt(row -> row.slots(queue.name())).sum();
      out.append(RULE)
          .append(
              String.format(
                  "%-30s %-5s %-14s %-8s %-13s %s\n",
                  queue.name(),
                  type(queue),
                  "0/" + used + "/" + queue.slots(),
                  "-NA-",
                  "-NA-",
                  line.states()));
      shown.stream()
          .filter(row -> row.slots(queue.name()) > 0)
          .forEach(row -> out.append(line(row, row.slots(queue.name()))));
    }
    List<StatRow> waiting = shown.stream().filter(row -> !row.running()).toList();
    if (!waiting.isEmpty()) {
      out.append(PENDING);
      waiting.forEach(row -> out.append(line(row, row.slots())));
    }
    return out.toString();
  }

  private String line(StatRow row, int slots) {
    return begin(row) + String.format("%5d %s\n", slots, tasks(row));
  }

  /** Letters for batch, interactive and parallel. */
  static String type(QueueInstance queue) {
    return (queue.batch() ? "B" : "")
        + (queue.interactive() ? "I" : "")
        + (Form.none(queue.settings().get("pe_list")) ? "" : "P");
  }

  /** A queue instance and the letters of its states. */
  record QueueLine(QueueInstance queue, String states) {}

  /** The queue instances by name, with what is wrong with them. */
  static List<QueueLine> queues(Cell cell, List<String> hostsUp) {
    List<QueueLine> lines = new ArrayList<>();
    for (QueueInstance queue : cell.configuration().cluster().queues()) {
      String states = (hostsUp.contains(queue.host()) ? "" : "au") + (queue.disabled() ? "d" : "");
      lines.add(new QueueLine(queue, states));
    }
    lines.sort(java.util.Comparator.comparing(line -> line.queue().name()));
    return lines;
  }
}
