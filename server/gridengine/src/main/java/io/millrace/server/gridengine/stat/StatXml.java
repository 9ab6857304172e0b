package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** qstat -xml: the rows of the tables, in Grid Engine's elements. */
final class StatXml {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);

  private final Xml out = new Xml().root("job_info", "qstat.xsd");
  private final StatOptions options;
  private final ZoneId zone;
  private final CellView view;

  StatXml(StatOptions options, ZoneId zone, CellView view) {
    this.options = options;
    this.zone = zone;
    this.view = view;
  }

  String plain(List<StatRow> rows) {
    out.open("queue_info");
    rows.stream().filter(StatRow::running).forEach(row -> row(row, row.slots(), true));
    out.close("queue_info");
    return pending(rows);
  }

  String full(List<StatRow> shown, List<QueueInstanceLine> queues) {
    out.open("queue_info");
    for (QueueInstanceLine line : queues) {
      String name = line.queue().name();
      out.open("Queue-List").element("name", name);
      out.element("qtype", StatTable.type(line.queue())).element("slots_used", line.slots().used());
      out.element("slots_resv", line.slots().reserved())
          .element("slots_total", line.queue().slots());
      line.loadAverage().ifPresent(load -> out.element("load_avg", five(load)));
      if (!line.architecture().equals("-NA-")) {
        out.element("arch", line.architecture());
      }
      if (!line.states().isEmpty()) {
        out.element("state", line.states());
      }
      line.told().alarms().forEach(alarm -> out.element("load-alarm-reason", alarm));
      line.told().warnings().forEach(warning -> out.element("message", warning));
      for (QueueAttributes.OfferedAttribute each : line.attributes()) {
        String tag = Xml.attribute("name", each.name()) + Xml.attribute("type", each.level());
        out.elementWith("resource", tag, each.value());
      }
      shown.stream()
          .filter(row -> row.slots(name) > 0)
          .forEach(row -> row(row, row.slots(name), false));
      out.close("Queue-List");
    }
    out.close("queue_info");
    return pending(shown);
  }

  private String pending(List<StatRow> rows) {
    out.open("job_info");
    boolean named = !options.shows(Show.FULL);
    rows.stream().filter(row -> !row.running()).forEach(row -> row(row, row.slots(), named));
    return out.close("job_info").close("job_info").toString();
  }

  private void row(StatRow row, int slots, boolean named) {
    out.openWith("job_list", Xml.attribute("state", row.running() ? "running" : "pending"));
    out.element("JB_job_number", row.number()).element("JAT_prio", five(row.priority()));
    figures(row);
    out.element("JB_name", row.job().getSpec().getName());
    out.element("JB_owner", row.job().getSpec().getOwner());
    if (options.shows(Show.EXTENDED)) {
      String project = row.job().getSpec().getProject();
      out.element("JB_project", project.startsWith("_") ? "" : project);
      out.element("JB_department", "defaultdepartment");
    }
    out.element("state", row.state());
    out.element(row.running() ? "JAT_start_time" : "JB_submission_time", time(row));
    if (options.shows(Show.EXTENDED)) {
      tickets();
    }
    if (named) {
      out.element("queue_name", row.master());
    }
    out.element("slots", slots);
    if (!row.tasks().isEmpty()) {
      out.element("tasks", row.tasks());
    }
    if (options.shows(Show.REQUESTS)) {
      requests(row);
    }
    out.close("job_list");
  }

  private String time(StatRow row) {
    return TIME.format(Instant.ofEpochMilli(row.sinceMs()).atZone(zone));
  }

  private void figures(StatRow row) {
    PriorityParts figures = row.figures();
    boolean priority = options.shows(Show.PRIORITY);
    boolean urgency = options.shows(Show.URGENCY);
    if (priority || options.shows(Show.EXTENDED)) {
      out.element("JAT_ntix", five(figures.tickets()));
    }
    if (priority) {
      out.element("JB_nppri", five(figures.shares().posix()));
    }
    if (priority || urgency) {
      out.element("JB_nurg", five(figures.shares().urgency()));
    }
    if (urgency) {
      out.element("JB_rrcontr", whole(figures.urgency().requests()));
      out.element("JB_wtcontr", whole(figures.urgency().waiting()));
      out.element("JB_dlcontr", whole(figures.urgency().deadline()));
    }
    if (priority) {
      out.element("JB_priority", row.job().getSpec().getPriority());
    }
  }

  /** Nobody holds tickets of a policy. */
  private void tickets() {
    for (String name :
        List.of(
            "tickets", "JB_override_tickets", "JB_jobshare", "otickets", "ftickets", "stickets")) {
      out.element(name, 0);
    }
    out.element("JAT_share", five(0));
  }

  private void requests(StatRow row) {
    StatRequests requests = new StatRequests(view, false);
    Submission asked = view.asked(row.number());
    out.element("full_job_name", row.job().getSpec().getName());
    asked
        .environment()
        .ifPresent(
            pe -> out.elementWith("requested_pe", Xml.attribute("name", pe.name()), pe.slots()));
    if (!row.environment().isEmpty()) {
      out.elementWith("granted_pe", Xml.attribute("name", row.environment()), row.slots());
    }
    for (StatRequests.RequestWithUrgency wish : requests.hard(asked)) {
      String worth = String.format(Locale.ROOT, "%.6f", wish.urgency());
      String tag = Xml.attribute("name", wish.name());
      out.elementWith(
          "hard_request", tag + Xml.attribute("resource_contribution", worth), wish.value());
    }
    for (StatRequests.RequestWithUrgency wish : requests.soft(asked)) {
      out.elementWith("soft_request", Xml.attribute("name", wish.name()), wish.value());
    }
    queues("hard_req_queue", asked.queuesText());
    queues("soft_req_queue", asked.softQueuesText());
    asked.after().forEach(name -> out.element("predecessor_jobs_req", name));
    view.dependencies()
        .predecessors(row.number())
        .forEach(number -> out.element("predecessor_jobs", number));
    if (!options.shows(Show.NO_BINDING)) {
      out.element("binding", "NONE");
    }
  }

  private void queues(String name, String list) {
    for (String queue : list.isEmpty() ? new String[0] : list.split(",")) {
      out.element(name, queue);
    }
  }

  /** qstat -g c -xml. */
  String summary(List<StatSummary.SummaryLine> lines) {
    for (StatSummary.SummaryLine line : lines) {
      out.open("cluster_queue_summary").element("name", line.queue());
      line.load().ifPresent(load -> out.element("load", five(load)));
      StatSummary.SlotCounts slots = line.slots();
      out.element("used", slots.used()).element("resv", slots.reserved());
      out.element("available", slots.free()).element("total", slots.total());
      out.element("temp_disabled", slots.passing());
      out.element("manual_intervention", slots.lasting());
      out.close("cluster_queue_summary");
    }
    return out.close("job_info").toString();
  }

  private static String five(double value) {
    return String.format(Locale.ROOT, "%.5f", value);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
