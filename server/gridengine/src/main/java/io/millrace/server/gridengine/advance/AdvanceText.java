package io.millrace.server.gridengine.advance;

import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellReservations;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** One advance reservation as qrstat shows it. */
final class AdvanceText {

  /** Head of the list. */
  static final String HEAD =
      "ar-id   name       owner        state start at             end at               duration\n"
          + "-".repeat(90)
          + "\n";

  private static final String RULE = "-".repeat(80) + "\n";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ENGLISH);
  private static final DateTimeFormatter XML_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ENGLISH);

  /** What a queue instance is whose node is lost. */
  private static final Map<String, String> PROBLEMS = Map.of("offline", "disabled");

  private final Reservation reservation;
  private final ReservationSpec spec;
  private final List<QueueSlots> granted;
  private final AdvanceOptions options;
  private final ZoneId zone;

  AdvanceText(Cell cell, Reservation reservation, AdvanceOptions options, ZoneId zone) {
    this.reservation = reservation;
    this.spec = reservation.getSpec();
    this.granted = CellReservations.granted(cell, reservation);
    this.options = options;
    this.zone = zone;
  }

  /** Its line in the list. */
  String row(boolean explained) {
    String row =
        String.format(
            "%7d %-10.10s %-12.12s %-5s %-20s %-20s %s\n",
            reservation.getNumber(),
            spec.getName(),
            spec.getOwner(),
            state(),
            time(spec.getStartMs()),
            time(spec.getEndMs()),
            duration());
    return row
        + (explained
            ? remarks().stream().map(it -> "       " + it + "\n").collect(Collectors.joining())
            : "");
  }

  /** All of it. */
  String full(boolean explained) {
    StringBuilder out = new StringBuilder(RULE);
    line(out, "id", Long.toString(reservation.getNumber()));
    line(out, "name", spec.getName());
    line(out, "owner", spec.getOwner());
    line(out, "state", state());
    line(out, "start_time", time(spec.getStartMs()));
    line(out, "end_time", time(spec.getEndMs()));
    line(out, "duration", duration());
    if (explained) {
      remarks().forEach(it -> line(out, "message", it));
    }
    line(out, "submission_time", time(reservation.getCreatedMs()));
    line(out, "group", spec.getGroup());
    line(out, "account", account());
    given(out, "resource_list", options.value("-l").orElse(""));
    given(out, "error_handling", hard() ? "hard" : "");
    given(
        out,
        "granted_slots_list",
        granted.stream()
            .map(it -> it.getQueue() + "=" + it.getSlots())
            .collect(Collectors.joining(",")));
    given(
        out,
        "granted_parallel_environment",
        environment().isEmpty() ? "" : environment() + " slots " + slots());
    given(out, "acl_list", String.join(",", options.list("-u")));
    return out.toString();
  }

  /** The element of qrstat -xml. */
  void xml(AdvanceXml xml, boolean inFull, boolean explained) {
    xml.open("ar_summary");
    xml.element("id", Long.toString(reservation.getNumber()));
    xml.element("name", spec.getName());
    xml.element("owner", spec.getOwner());
    xml.element("state", state());
    xml.element("start_time", xmlTime(spec.getStartMs()));
    xml.element("end_time", xmlTime(spec.getEndMs()));
    xml.element("duration", duration());
    if (explained) {
      remarks().forEach(it -> xml.element("message", it));
    }
    if (inFull) {
      details(xml);
    }
    xml.close("ar_summary");
  }

  private void details(AdvanceXml xml) {
    xml.element("submission_time", xmlTime(reservation.getCreatedMs()));
    xml.element("group", spec.getGroup());
    xml.element("account", account());
    List<String> resources = options.list("-l");
    if (!resources.isEmpty()) {
      xml.open("resource_list");
      for (String each : resources) {
        String[] pair = each.split("=", 2);
        String value = pair.length > 1 ? pair[1] : "TRUE";
        // The value stands in an attribute of this name in Grid Engine's own XML.
        xml.empty(
            "resource"
                + AdvanceXml.attribute("name", pair[0])
                + AdvanceXml.attribute("type", value));
      }
      xml.close("resource_list");
    }
    if (hard()) {
      xml.element("error_handling", "hard");
    }
    xml.open("granted_slots_list");
    for (QueueSlots each : granted) {
      xml.empty(
          "granted_slots "
              + AdvanceXml.attribute("queue_instance", each.getQueue())
              + AdvanceXml.attribute("slots", Integer.toString(each.getSlots())));
    }
    xml.close("granted_slots_list");
    if (!environment().isEmpty()) {
      xml.open("granted_parallel_environment");
      xml.element("parallel_environment", environment());
      xml.element("slots", slots());
      xml.close("granted_parallel_environment");
    }
    List<String> users = options.list("-u");
    if (!users.isEmpty()) {
      xml.open("acl_list");
      users.forEach(it -> xml.empty("acl " + AdvanceXml.attribute("user", it)));
      xml.close("acl_list");
    }
  }

  /** Grid Engine's letter: E in the window and W before it when a node is lost. */
  private String state() {
    boolean begun = CellReservations.begun(reservation);
    return switch (reservation.getState()) {
      case BEING_DELETED, DELETED -> "d";
      case DELETING_JOBS, FINISHED -> "x";
      default -> reservation.getLost().isEmpty() ? (begun ? "r" : "w") : (begun ? "E" : "W");
    };
  }

  /** Why it is in error. */
  private List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    for (LostNode lost : reservation.getLost()) {
      String what = PROBLEMS.getOrDefault(lost.getWhy(), "unknown");
      granted.stream()
          .map(QueueSlots::getQueue)
          .filter(it -> CellReservations.isNode(it.substring(it.indexOf('@') + 1), lost.getNode()))
          .forEach(it -> remarks.add("reserved queue " + it + " is " + what));
    }
    return remarks;
  }

  private String account() {
    return options.value("-A").orElse("sge");
  }

  private boolean hard() {
    return options
        .value("-he")
        .filter(it -> it.toLowerCase(Locale.ROOT).startsWith("y"))
        .isPresent();
  }

  private String environment() {
    GridEngineReservation asked = spec.getGridEngine();
    return asked == null ? "" : asked.getEnvironment();
  }

  /** The slots of the environment as they were asked for. */
  private String slots() {
    List<String> words = options.words("-pe");
    return words.isEmpty() ? "" : words.get(2);
  }

  private String duration() {
    long seconds = (spec.getEndMs() - spec.getStartMs()) / 1000;
    return String.format("%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  private String time(long ms) {
    return TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  private String xmlTime(long ms) {
    return XML_TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  private static void given(StringBuilder out, String name, String value) {
    if (!value.isEmpty()) {
      line(out, name, value);
    }
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(String.format("%-30s %s\n", name, value));
  }
}
