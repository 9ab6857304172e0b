package io.millrace.reservations.classad.asked;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.AttributeTable;

/**
 * Which text counts: that of the scheduler object, or else the server's. It is read once, until
 * another one counts. Serves several threads.
 */
public final class RuleInForce {

  private record CachedRule(String text, String zone, LoadedRule rule) {}

  private static final CachedRule NONE = new CachedRule("", "", null);

  private volatile CachedRule known = NONE;

  /**
   * The rule that counts; null when there is none.
   *
   * @param scheduler may be null
   * @param server may be null
   */
  public LoadedRule of(ClusterObject scheduler, ClusterObject server) {
    ClusterObject carrier = text(scheduler).isEmpty() ? server : scheduler;
    String text = text(carrier);
    String zone = attribute(carrier, AttributeTable.RESERVABLE_ZONE);
    CachedRule last = known;
    if (!last.text().equals(text) || !last.zone().equals(zone)) {
      last = text.isEmpty() ? NONE : new CachedRule(text, zone, LoadedRule.read(text, zone));
      known = last;
    }
    return last.rule();
  }

  private static String text(ClusterObject object) {
    return attribute(object, AttributeTable.RESERVABLE);
  }

  private static String attribute(ClusterObject object, String name) {
    if (object != null) {
      for (Attribute attribute : object.getAttributes()) {
        if (attribute.getName().equals(name)) {
          return attribute.getValue();
        }
      }
    }
    return "";
  }
}
