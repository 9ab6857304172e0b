package io.millrace.ops.gridengine.front;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** qstat -xml: the rows of the tables, in Grid Engine's elements. */
final class StatXml {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private static final String HEAD = "<?xml version='1.0'?>\n";
  private static final String SCHEMA =
      " xmlns:xsd=\"http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qstat/";

  private final StringBuilder out = new StringBuilder();
  private final ZoneId zone;

  StatXml(ZoneId zone) {
    this.zone = zone;
  }

  String plain(List<StatRow> rows) {
    out.append(HEAD).append("<job_info ").append(SCHEMA).append("qstat.xsd\">\n");
    out.append("  <queue_info>\n");
    rows.stream().filter(StatRow::running).forEach(row -> row(row, "    ", row.slots(), true));
    out.append("  </queue_info>\n");
    return pending(rows);
  }

  String full(List<StatRow> all, List<StatRow> shown, List<StatTable.QueueLine> queues) {
    out.append(HEAD).append("<job_info ").append(SCHEMA).append("qstat.xsd\">\n");
    out.append("  <queue_info>\n");
    for (StatTable.QueueLine line : queues) {
      String name = line.queue().name();
      int used = all.stream().mapToInt(row -> row.slots(name)).sum();
      out.append("    <Queue-List>\n");
      element("      ", "name", name);
      element("      ", "qtype", StatTable.type(line.queue()));
      element("      ", "slots_used", used);
      element("      ", "slots_resv", 0);
      element("      ", "slots_total", line.queue().slots());
      if (!line.states().isEmpty()) {
        element("      ", "state", line.states());
      }
      shown.stream()
          .filter(row -> row.slots(name) > 0)
          .forEach(row -> row(row, "      ", row.slots(name), false));
      out.append("    </Queue-List>\n");
    }
    out.append("  </queue_info>\n");
    return pending(shown);
  }

  private String pending(List<StatRow> rows) {
    out.append("  <job_info>\n");
    rows.stream().filter(row -> !row.running()).forEach(row -> row(row, "    ", row.slots(), true));
    return out.append("  </job_info>\n</job_info>\n").toString();
  }

  private void row(StatRow row, String indent, int slots, boolean named) {
    String inner = indent + "  ";
    out.append(indent).append("<job_list state=\"");
    out.append(row.running() ? "running" : "pending").append("\">\n");
    element(inner, "JB_job_number", row.number());
    element(inner, "JAT_prio", String.format(Locale.ROOT, "%.5f", row.priority()));
    element(inner, "JB_name", row.job().getSpec().getName());
    element(inner, "JB_owner", row.job().getSpec().getOwner());
    element(inner, "state", row.state());
    element(
        inner,
        row.running() ? "JAT_start_time" : "JB_submission_time",
        TIME.format(Instant.ofEpochMilli(row.sinceMs()).atZone(zone)));
    if (named) {
      element(inner, "queue_name", row.queues().isEmpty() ? "" : row.queues().get(0));
    }
    element(inner, "slots", slots);
    if (!row.tasks().isEmpty()) {
      element(inner, "tasks", row.tasks());
    }
    out.append(indent).append("</job_list>\n");
  }

  private void element(String indent, String name, Object value) {
    out.append(indent).append('<').append(name).append('>').append(escaped(value.toString()));
    out.append("</").append(name).append(">\n");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&apos;");
  }

  /** qstat -j -xml of jobs that there are not. */
  static String unknown(List<String> names) {
    StringBuilder text = new StringBuilder(HEAD).append("<unknown_jobs >\n");
    names.forEach(
        name -> text.append("    <ST_name>").append(escaped(name)).append("</ST_name>\n"));
    return text.append("</unknown_jobs>\n").toString();
  }

  /** qstat -j -xml: what is known of the jobs, and why they wait. */
  String details(List<StatDetail> details, List<String> queues) {
    out.append(HEAD).append("<detailed_job_info ").append(SCHEMA);
    out.append("detailed_job_info.xsd\">\n  <djob_info>\n");
    for (StatDetail detail : details) {
      out.append("    <element>\n");
      detail.elements().forEach(e -> element("      ", e.getKey(), e.getValue()));
      out.append("    </element>\n");
    }
    out.append("  </djob_info>\n  <messages>\n    <element>\n      <SME_message_list>\n");
    for (StatDetail detail : details) {
      for (String message : detail.messages()) {
        out.append("        <element>\n          <MES_job_number_list>\n");
        out.append("            <ulong_sublist>\n");
        element("              ", "ULNG_value", detail.number());
        out.append("            </ulong_sublist>\n          </MES_job_number_list>\n");
        element("          ", "MES_message", message);
        out.append("        </element>\n");
      }
    }
    out.append("      </SME_message_list>\n      <SME_global_message_list>\n");
    for (String message : queues) {
      out.append("        <element>\n");
      element("          ", "MES_message", message);
      out.append("        </element>\n");
    }
    return out.append("      </SME_global_message_list>\n    </element>\n  </messages>\n")
        .append("</detailed_job_info>\n")
        .toString();
  }
}
