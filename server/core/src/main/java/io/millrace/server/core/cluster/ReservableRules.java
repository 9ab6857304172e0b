package io.millrace.server.core.cluster;

import io.millrace.reservations.classad.asked.LoadedRule;
import io.millrace.reservations.classad.text.ClassAdRefused;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.core.decision.Context;
import java.time.DateTimeException;
import java.util.Map;

/** The text that says which nodes may be reserved, of the server or of a scheduler object. */
final class ReservableRules {

  private ReservableRules() {}

  /** Refuses a text that cannot be asked. One that is unset takes its time zone along. */
  static void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String text = attributes.getOrDefault(AttributeTable.RESERVABLE, "");
    String zone = attributes.getOrDefault(AttributeTable.RESERVABLE_ZONE, "");
    if (text.isEmpty()) {
      boolean had = !Context.attribute(before, AttributeTable.RESERVABLE, "").isEmpty();
      if (!had && !zone.isEmpty()) {
        throw refused("there is no text whose times " + zone + " could be for");
      }
      attributes.remove(AttributeTable.RESERVABLE_ZONE);
      return;
    }
    if (zone.isEmpty()) {
      zone = "UTC";
      attributes.put(AttributeTable.RESERVABLE_ZONE, zone);
    }
    boolean same =
        text.equals(Context.attribute(before, AttributeTable.RESERVABLE, ""))
            && zone.equals(Context.attribute(before, AttributeTable.RESERVABLE_ZONE, ""));
    if (same) {
      return;
    }
    if (text.length() > LoadedRule.TEXT_MAX) {
      throw refused("it is over " + LoadedRule.TEXT_MAX + " characters");
    }
    try {
      LoadedRule.read(text, zone);
    } catch (ClassAdRefused e) {
      throw refused(e.line() + ": column " + e.column() + ": " + e.reason());
    } catch (DateTimeException e) {
      throw refused("'" + zone + "' is no time zone such as Europe/Berlin");
    }
  }

  private static RejectedChange refused(String why) {
    return new RejectedChange(
        PbsError.ILLEGAL_VALUE, ": " + AttributeTable.RESERVABLE + ": " + why);
  }
}
