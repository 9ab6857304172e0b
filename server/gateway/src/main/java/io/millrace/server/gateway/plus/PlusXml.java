package io.millrace.server.gateway.plus;

import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.WholePart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;

/** The XML of PluS's commands, of the form that {@code plus.xsd} describes. Times are in UTC. */
final class PlusXml {

  private static final String SCHEMA = "plus.xsd";

  private final StringBuilder out =
      new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plus version=\"1\">\n");

  /** The schema. */
  static String schema() throws IOException {
    try (InputStream in = PlusXml.class.getResourceAsStream(SCHEMA)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A reservation that has just been made. */
  PlusXml reserved(String name) {
    out.append("  <reserved").append(attribute("id", name)).append("/>\n");
    return this;
  }

  /** Hosts of a partition that could be reserved. */
  void available(String partition, Collection<String> hosts) {
    out.append("  <available")
        .append(attribute("partition", partition))
        .append(attribute("nodes", Integer.toString(hosts.size())))
        .append(">\n");
    hosts.forEach(it -> out.append("    <host").append(attribute("name", it)).append("/>\n"));
    out.append("  </available>\n");
  }

  void present(Reservation reservation) {
    reservation(reservation, "");
  }

  /** The parts of a whole that are in other installations. */
  void elsewhere(ReservationWhole whole) {
    for (WholePart part : whole.getParts()) {
      if (part.getThere() != null && part.getState() != PartState.GONE) {
        SitePart there = part.getThere();
        out.append("  <elsewhere")
            .append(attribute("site", there.getWish().getSite()))
            .append(attribute("partition", there.getWish().getPartition()))
            .append(attribute("id", part.getReservationId()))
            .append(attribute("owner", whole.getOwner()))
            .append(attribute("state", WholeRows.state(part)))
            .append(attribute("start", time(whole.getStartMs())))
            .append(attribute("end", time(whole.getEndMs())))
            .append(attribute("nodes", Integer.toString(there.getWish().getNodes())))
            .append(attribute("whole", PlusAnswer.shortName(whole.getId())))
            .append(there.getTrouble().isEmpty() ? "" : attribute("trouble", there.getTrouble()))
            .append(">\n");
        there
            .getLost()
            .forEach(it -> out.append("    <lost").append(attribute("name", it)).append("/>\n"));
        out.append("  </elsewhere>\n");
      }
    }
  }

  void past(PastReservation past) {
    String ended = attribute("at", time(past.getEndedMs())) + attribute("why", past.getWhy());
    reservation(past.getReservation(), "    <ended" + ended + "/>\n");
  }

  private void reservation(Reservation reservation, String ended) {
    ReservationSpec spec = reservation.getSpec();
    out.append("  <reservation")
        .append(attribute("id", reservation.getQueue()))
        .append(attribute("owner", spec.getOwner()))
        .append(attribute("state", reservation.getState().toString()))
        .append(attribute("partition", spec.getPartition()))
        .append(attribute("start", time(spec.getStartMs())))
        .append(attribute("end", time(spec.getEndMs())))
        .append(attribute("nodes", Integer.toString(PlusStatus.nodeCount(spec))))
        .append(whole(reservation))
        .append(">\n");
    for (String user : spec.getUsers()) {
      out.append("    <user").append(attribute("name", user)).append("/>\n");
    }
    for (String node : PlusStatus.nodeNames(reservation)) {
      out.append("    <node").append(attribute("name", node));
      reservation.getLost().stream()
          .filter(it -> it.getNode().equals(node))
          .map(LostNode::getWhy)
          .forEach(why -> out.append(attribute("lost", why)));
      out.append("/>\n");
    }
    if (reservation.getPending() != null) {
      pending(reservation.getPending());
    }
    out.append(ended).append("  </reservation>\n");
  }

  private static String whole(Reservation part) {
    return part.getWhole() == null
        ? ""
        : attribute("whole", PlusAnswer.shortName(part.getWhole().getWhole()));
  }

  private void pending(ReservationTransaction open) {
    out.append("    <pending")
        .append(attribute("operation", open.getKind().name().toLowerCase(Locale.ROOT)))
        .append(attribute("by", open.getBy()))
        .append(attribute("since", time(open.getOpenedMs())));
    ReservationSpec then = open.getSpec();
    if (then != null) {
      out.append(attribute("start", time(then.getStartMs())))
          .append(attribute("end", time(then.getEndMs())))
          .append(attribute("nodes", Integer.toString(PlusStatus.nodeCount(then))));
    }
    out.append("/>\n");
  }

  String end() {
    return out.append("</plus>\n").toString();
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }

  /** Characters that XML has no form for are shown as a question mark. */
  private static String attribute(String name, String value) {
    StringBuilder shown = new StringBuilder(" " + name + "=\"");
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> shown.append("&lt;");
                case '&' -> shown.append("&amp;");
                case '"' -> shown.append("&quot;");
                default -> shown.appendCodePoint(isPlain(c) ? c : '?');
              }
            });
    return shown.append('"').toString();
  }

  private static boolean isPlain(int c) {
    boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    return c >= ' ' && !surrogate && c != 0xfffe && c != 0xffff;
  }
}
