package io.millrace.server.core.cluster;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.OriginWords;
import java.util.Map;

/** The texts of an Origin2000 scheduler that a scheduler object carries. */
final class OriginTextRules {
  private static final String DAY_S = "86400";

  /** What is left of nothing is nothing; the logarithm of the factor has a bound with this. */
  private static final double LEAST_FACTOR = 1e-12;

  private static final double MOST_FACTOR = 1e12;

  private OriginTextRules() {}

  /** Refuses the policy without a text, and sets what shards read from it. */
  static void follow(Map<String, String> attributes) throws RejectedChange {
    if (!attributes.getOrDefault("policy", "").equals(AttributeTable.ORIGIN2000)) {
      return;
    }
    String text = attributes.getOrDefault(AttributeTable.ORIGIN2000, "");
    if (text.isEmpty()) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": policy is origin2000, but no config was loaded: ./millrace policy load");
    }
    double factor = OriginWords.of(text).decayFactor();
    double bounded = Math.max(LEAST_FACTOR, Math.min(MOST_FACTOR, factor));
    attributes.put(AttributeTable.FAIRSHARE_DECAY_TIME, DAY_S);
    attributes.put(AttributeTable.FAIRSHARE_DECAY_FACTOR, Double.toString(bounded));
  }
}
