package io.millrace.server.gateway.status;

import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.List;
import java.util.Map;

/** In words, how parts of reservations stand that are in other installations. */
final class WhyElsewhere {

  private WhyElsewhere() {}

  /**
   * Adds the parts in other installations.
   *
   * @param present a line for each that is there
   * @param missing for each that is gone
   */
  static void parts(
      ReservationWhole whole, Map<Integer, String> present, Map<Integer, String> missing) {
    for (int i = 0; i < whole.getParts().size(); i++) {
      WholePart part = whole.getParts().get(i);
      if (part.getThere() == null) {
        continue;
      }
      String name = part.getPartition() + ": ";
      if (part.getState() == PartState.GONE) {
        missing.put(i, name + (part.getWhy().isEmpty() ? "it ended" : part.getWhy()) + ".");
      } else {
        present.put(i, name + stands(whole, part));
      }
    }
  }

  private static String stands(ReservationWhole whole, WholePart part) {
    SitePart there = part.getThere();
    String id = part.getReservationId();
    StringBuilder words = new StringBuilder(id.isEmpty() ? "" : id + " there, ");
    boolean ends = whole.getState() == WholeState.ENDING;
    words.append(
        switch (part.getState()) {
          case ASKED -> ends ? "it was asked for and is to go" : "it is asked for";
          case HELD -> ends ? "held, and is to go" : "held until it is committed";
          default -> ends ? "it is to go" : shown(there);
        });
    words.append('.');
    if (!there.getLost().isEmpty()) {
      words.append(" Lost there: ").append(String.join(", ", there.getLost())).append('.');
    }
    if (!there.getTrouble().isEmpty()) {
      words.append(" Not reached now: ").append(there.getTrouble()).append('.');
    }
    return words.toString();
  }

  private static String shown(SitePart there) {
    return there.getShown().isEmpty() ? "confirmed" : "last seen " + there.getShown();
  }

  /** What is being done with one that has parts elsewhere and is not decided, or ends. */
  static List<String> progress(ReservationWhole whole) {
    if (whole.getParts().stream().allMatch(it -> it.getThere() == null)) {
      return List.of();
    }
    String why = whole.getWhy().isEmpty() ? "" : ": " + whole.getWhy();
    return switch (whole.getState()) {
      case HOLDING -> List.of("Not all are held yet.");
      case CONFIRMING -> List.of("All were held; those elsewhere are being committed.");
      case COMMITTING -> List.of("It is decided that all stay.");
      case KEPT -> List.of();
      case ENDING -> List.of("It ends" + why + ".");
    };
  }
}
