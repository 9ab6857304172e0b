package io.millrace.server.accounting.account;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.book.JobTexts;
import java.time.ZoneId;
import java.util.List;

/** The texts of lines about reservations, without line ends, in PBS's order. */
final class ReservationLine {

  private static final String ZONE = "PBS_TZID";
  private static final String SERVER = "Server";

  private final AccountLine line;

  ReservationLine(ZoneId zone) {
    this.line = new AccountLine(zone);
  }

  /** Somebody asked for it. */
  String asked(long atMs, Reservation one) {
    ReservationSpec spec = one.getSpec();
    StringBuilder text = requestor(atMs, 'U', one, owner(one));
    if (one.getInteractiveS() != 0) {
      text.append(" Interactive=").append(one.getInteractiveS());
    }
    if (!spec.getRule().isEmpty()) {
      text.append(" recurrence_rrule=").append(AccountValue.of(spec.getRule()));
      text.append(" timezone=").append(AccountValue.of(zone(spec)));
    }
    return text.toString();
  }

  private static String zone(ReservationSpec spec) {
    return spec.getVariables().stream()
        .filter(it -> it.getName().equals(ZONE))
        .map(Attribute::getValue)
        .findFirst()
        .orElse("");
  }

  /**
   * It is confirmed, for the first time or as it is from now on.
   *
   * @param by user or part
   */
  String confirmed(long atMs, Reservation one, String by) {
    ReservationSpec spec = one.getSpec();
    StringBuilder text = requestor(atMs, 'Y', one, at(by, one));
    window(text.append(' '), spec.getStartMs(), spec.getEndMs());
    text.append(" nodes=").append(AccountValue.of(one.getNodes()));
    if (!spec.getRule().isEmpty()) {
      text.append(" count=").append(1 + spec.getLaterMs().size());
    }
    return text.toString();
  }

  /** Its window, or that of an occurrence, begins. */
  String began(long atMs, Reservation one) {
    ReservationSpec spec = one.getSpec();
    String name = spec.getName().isEmpty() ? "NULL" : AccountValue.of(spec.getName());
    StringBuilder text = line.head(atMs, 'B', one.getId());
    text.append("owner=").append(AccountValue.of(owner(one)));
    text.append(" name=").append(name);
    text.append(" queue=").append(one.getQueue());
    text.append(" ctime=").append(one.getCreatedMs() / 1000).append(' ');
    window(text, spec.getStartMs(), spec.getEndMs());
    text.append(" duration=").append((spec.getEndMs() - spec.getStartMs()) / 1000);
    text.append(" nodes=").append(AccountValue.of(one.getNodes())).append(' ');
    list(text, "Authorized_Users", spec.getUsers());
    list(text, "Authorized_Groups", spec.getGroups());
    list(text, "Authorized_Hosts", spec.getHosts());
    spec.getResourceList().stream()
        .filter(it -> !it.getValue().isEmpty())
        .forEach(it -> text.append(JobTexts.requested(it)));
    return text.toString();
  }

  private static void list(StringBuilder text, String name, List<String> values) {
    if (!values.isEmpty()) {
      text.append(name).append('=').append(AccountValue.of(String.join(",", values))).append(' ');
    }
  }

  /** Its window, or that of an occurrence, is over, and nothing of it runs any more. */
  String over(long atMs, Reservation one, long startMs, long endMs) {
    StringBuilder text = line.head(atMs, 'F', one.getId());
    window(text, startMs, endMs);
    return text.toString();
  }

  /** It is gone: by its owner, or by somebody else, or by the server. */
  String removed(long atMs, Reservation one) {
    String by = one.getEndedBy();
    boolean own = by.startsWith(one.getSpec().getOwner() + "@"); // from whatever host
    char type = own ? 'k' : 'K';
    return requestor(atMs, type, one, by.isEmpty() ? at(SERVER, one) : by).toString();
  }

  private StringBuilder requestor(long atMs, char type, Reservation one, String who) {
    StringBuilder text = line.head(atMs, type, one.getId());
    return text.append("requestor=").append(AccountValue.of(who));
  }

  private static void window(StringBuilder text, long startMs, long endMs) {
    text.append("start=").append(startMs / 1000).append(" end=").append(endMs / 1000);
  }

  private static String owner(Reservation one) {
    return one.getSpec().getOwner() + "@" + one.getSpec().getSubmitHost();
  }

  private static String at(String who, Reservation one) {
    return who + "@" + one.getId().substring(one.getId().indexOf('.') + 1);
  }
}
