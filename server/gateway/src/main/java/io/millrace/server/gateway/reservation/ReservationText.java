package io.millrace.server.gateway.reservation;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.server.gateway.print.Json;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.ShownText;
import io.millrace.server.gateway.print.Times;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How reservations look. Asks nobody and knows no time but the one that it is given. */
public final class ReservationText {

  static final String HEAD =
      String.format(
          "%-10.10s %-8.8s %-8.8s %-5.5s %17.17s / Duration / %-17.17s\n%s\n",
          "Resv ID", "Queue", "User", "State", "Start", "End", "-".repeat(69));

  private static final String LIST = "Resource_List";

  /** Characters of a time in a row. */
  private static final int TIME = 17;

  /** In the order of the states' numbers. */
  private static final List<String> SHORT =
      List.of("NO", "UN", "CO", "WT", "TR", "RN", "FN", "BD", "DE", "DJ", "DG", "AL", "IC");

  private final String server;

  /** Null to show times in seconds since 1970. */
  private final Times times;

  private final boolean manager;

  /**
   * @param times how times are shown; null for seconds since 1970
   * @param manager whether what only managers see is shown
   */
  public ReservationText(String server, Times times, boolean manager) {
    this.server = server;
    this.times = times;
    this.manager = manager;
  }

  /** A line of the short list. */
  static String row(Reservation reservation, long nowMs, ZoneId zone) {
    ReservationSpec spec = reservation.getSpec();
    StringBuilder row = new StringBuilder();
    left(row, reservation.getId(), 10).append(' ');
    left(row, reservation.getQueue(), 8).append(' ');
    left(row, String.join(",", spec.getUsers()), 8).append(' ');
    left(row, SHORT.get(reservation.getState().ordinal()), 5).append(' ');
    String start = ReservationTimes.text(spec.getStartMs(), nowMs, zone);
    int length = Math.min(TIME, start.length());
    row.append(" ".repeat(TIME - length)).append(start, 0, length);
    row.append(" / ").append((spec.getEndMs() - spec.getStartMs()) / 1000).append(" / ");
    left(row, ReservationTimes.text(spec.getEndMs(), nowMs, zone), TIME);
    return row.append('\n').toString();
  }

  /** A cell of a row, cut or filled: rows come by the ten thousand, for which a format is slow. */
  private static StringBuilder left(StringBuilder row, String text, int width) {
    int length = Math.min(width, text.length());
    return row.append(text, 0, length).append(" ".repeat(width - length));
  }

  /** All lines of one reservation, and an empty one. */
  String full(Reservation reservation) {
    StringBuilder out = new StringBuilder("Resv ID: " + reservation.getId() + "\n");
    for (ShownAttribute attribute : attributes(reservation)) {
      out.append(attribute.name());
      out.append(attribute.part() == null ? "" : "." + attribute.part());
      out.append(" = ").append(ShownText.line(attribute.value())).append('\n');
    }
    return out.append('\n').toString();
  }

  /** A member of the object that is open. */
  void json(Json json, Reservation reservation) {
    json.object(reservation.getId(), attributes(reservation));
  }

  /** In PBS's order. */
  public List<ShownAttribute> attributes(Reservation reservation) {
    ReservationSpec spec = reservation.getSpec();
    List<ShownAttribute> shown = new ArrayList<>();
    add(shown, "Reserve_Name", spec.getName().isEmpty() ? "NULL" : spec.getName());
    add(shown, "Reserve_Owner", spec.getOwner() + "@" + spec.getSubmitHost());
    add(shown, "reserve_state", word(reservation.getState()));
    add(shown, "reserve_substate", Integer.toString(reservation.getSubstate().ordinal()));
    add(shown, "reserve_start", time(spec.getStartMs()));
    add(shown, "reserve_end", time(spec.getEndMs()));
    long seconds = (spec.getEndMs() - spec.getStartMs()) / 1000;
    add(shown, "reserve_duration", Long.toString(seconds));
    add(shown, "queue", reservation.getQueue());
    for (Attribute each : spec.getResourceList()) {
      shown.add(new ShownAttribute(LIST, each.getName(), each.getValue()));
    }
    if (manager) {
      add(shown, "schedselect", select(spec));
    }
    add(shown, "resv_nodes", reservation.getNodes());
    long idle = spec.getDeleteIdleS();
    add(shown, "delete_idle_time", idle > 0 ? Times.duration(idle) : "");
    others(shown, spec.getOthers());
    add(shown, "lost_nodes", lost(reservation));
    list(shown, "Authorized_Users", spec.getUsers());
    list(shown, "Authorized_Groups", spec.getGroups());
    list(shown, "Authorized_Hosts", spec.getHosts());
    add(shown, "server", server);
    add(shown, "ctime", time(reservation.getCreatedMs()));
    if (!spec.getMailPoints().equals("a")) {
      add(shown, "Mail_Points", spec.getMailPoints());
    }
    list(shown, "Mail_Users", spec.getMailUsers());
    add(shown, "mtime", time(reservation.getModifiedMs()));
    if (manager && reservation.getInteractiveS() != 0) {
      add(shown, "interactive", Long.toString(reservation.getInteractiveS()));
    }
    add(shown, "Variable_List", variables(spec));
    if (manager) {
      add(shown, "euser", spec.getOwner());
      add(shown, "egroup", spec.getGroup());
    }
    if (!spec.getRule().isEmpty()) {
      add(shown, "reserve_rrule", spec.getRule());
      add(shown, "reserve_index", Integer.toString(reservation.getOccurrence()));
    }
    add(shown, "reserve_count", Integer.toString(reservation.getOccurrences()));
    add(shown, "reserve_job", job(reservation));
    if (times == null) {
      add(shown, "reserve_later", later(reservation));
    }
    ReservationTransaction open = reservation.getPending();
    add(shown, "transaction", open == null ? "" : open.getKind().name().toLowerCase(Locale.ROOT));
    add(shown, "reserve_retry", reservation.getRetryMs() > 0 ? time(reservation.getRetryMs()) : "");
    add(shown, "Submit_Host", spec.getSubmitHost());
    add(shown, "partition", spec.getPartition());
    return shown;
  }

  /** What becomes of runs of others, if it may lie over some. */
  private static void others(List<ShownAttribute> shown, OthersAtStart others) {
    if (others != null) {
      String action = others.getAction().name().toLowerCase(Locale.ROOT);
      add(shown, AttributeTable.RESERVATION_START, action);
      long leadS = others.getLeadMs() / 1000;
      add(shown, AttributeTable.RESERVATION_LEAD, leadS > 0 ? Times.duration(leadS) : "");
    }
  }

  /** As in PBS without the server, and only of one that was made of a run. */
  private static String job(Reservation reservation) {
    String job = reservation.getJob();
    boolean none = job.isEmpty() || reservation.getSpec().getSoonest();
    return none ? "" : job.substring(0, job.indexOf('.'));
  }

  static String word(ReservationState state) {
    return "RESV_" + state.name().toUpperCase(Locale.ROOT);
  }

  private String time(long ms) {
    return times == null ? Long.toString(ms / 1000) : times.ctime(ms);
  }

  /** What the scheduler places, which is the select with all defaults. */
  private static String select(ReservationSpec spec) {
    ResourceRequest request = spec.getRequest();
    if (request.getChunks().isEmpty()) {
      return "";
    }
    String asked =
        spec.getResourceList().stream()
            .filter(it -> it.getName().equals("select"))
            .map(Attribute::getValue)
            .findFirst()
            .orElse("");
    return spec.getMaintained().isEmpty() ? asked : "1:" + asked.replace("+", "+1:");
  }

  /** Which of its nodes cannot be used now, and why. */
  private static String lost(Reservation reservation) {
    return String.join(
        ", ",
        reservation.getLost().stream()
            .map(it -> it.getNode() + " (" + it.getWhy() + with(it) + ")")
            .toList());
  }

  /** Starts of the occurrences to come, in seconds since 1970, and their nodes; for programs. */
  private static String later(Reservation reservation) {
    List<String> later = new ArrayList<>();
    for (int i = 0; i < reservation.getLies().size(); i++) {
      String nodes = reservation.getPlacements().get(reservation.getLies().get(i)).getNodes();
      later.add(reservation.getSpec().getLaterMs().get(i) / 1000 + " " + nodes);
    }
    return String.join(", ", later);
  }

  private static String with(LostNode lost) {
    return lost.getTakenBy().isEmpty() ? "" : " with " + lost.getTakenBy();
  }

  private static String variables(ReservationSpec spec) {
    return String.join(
        ",", spec.getVariables().stream().map(it -> it.getName() + "=" + it.getValue()).toList());
  }

  private static void list(List<ShownAttribute> shown, String name, List<String> values) {
    add(shown, name, String.join(",", values));
  }

  private static void add(List<ShownAttribute> shown, String name, String value) {
    if (!value.isEmpty()) {
      shown.add(ShownAttribute.of(name, value));
    }
  }
}
