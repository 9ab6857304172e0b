package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.fact.SitePartSeen;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.CutText;
import java.util.List;

/**
 * What is heard of parts in other installations. A report may come late and twice; it never takes a
 * part back to a state before.
 */
final class SiteParts {
  /** Most lost nodes of a part that are named. */
  private static final int LOST_MAX = 100;

  private static final int NAME_MAX = 100;

  private SiteParts() {}

  static Decision decide(Context c, ReservationWhole before, ReportSitePart report) {
    Decision decision = Decision.none();
    int index = report.getPart();
    if (before == null || index < 0 || index >= before.getParts().size()) {
      return decision;
    }
    WholePart known = before.getParts().get(index);
    if (known.getThere() == null || !fits(before, known, report)) {
      return decision;
    }
    ReservationWhole after = WholeProgress.copy(before);
    WholePart part = after.getParts().get(index);
    note(part, report);
    boolean moved = part.getState() != known.getState();
    boolean hopeless = report.getHopeless() && after.getState() == WholeState.HOLDING;
    if (moved) {
      WholeProgress.goOn(c, after, index, decision);
    } else if (hopeless || !part.equals(known)) {
      decision.fact(new SitePartSeen(c.stamp(), after, index));
    }
    if (hopeless && part.getState() != PartState.GONE) {
      String why = part.getPartition() + ": " + part.getThere().getTrouble();
      WholeProgress.end(c, WholeProgress.copy(after), why, decision);
    }
    return decision;
  }

  /** Whether it is news of the part that is meant, and of nothing that was never asked for. */
  private static boolean fits(ReservationWhole whole, WholePart part, ReportSitePart report) {
    PartState state = report.getState();
    String id = report.getReservationId();
    boolean other = !part.getReservationId().isEmpty() && !part.getReservationId().equals(id);
    boolean named = !id.isEmpty() && id.length() <= NAME_MAX && !other;
    return part.getState() != PartState.GONE
        && state.compareTo(part.getState()) >= 0
        && switch (state) {
          case ASKED -> true;
          case HELD -> named;
          case COMMITTED -> named && whole.getState() != WholeState.HOLDING;
          case GONE -> true;
        };
  }

  private static void note(WholePart part, ReportSitePart report) {
    SitePart there = part.getThere();
    String why = CutText.of(report.getWhy(), WholeProgress.WHY_MAX);
    part.setState(report.getState());
    if (report.getState() == PartState.GONE) {
      part.setWhy(why);
      there.setTrouble("");
      there.setLost(List.of());
      return;
    }
    if (part.getReservationId().isEmpty() && report.getState() != PartState.ASKED) {
      part.setReservationId(report.getReservationId());
    }
    there.setTrouble(why);
    if (!report.getShown().isEmpty()) {
      there.setShown(CutText.of(report.getShown(), NAME_MAX));
      there.setLost(
          report.getLost().stream().limit(LOST_MAX).map(it -> CutText.of(it, NAME_MAX)).toList());
    }
  }
}
