package io.millrace.server.core.cluster;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.InputSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The texts of an Origin2000 scheduler that a scheduler object carries. */
final class OriginTextRules {
  private static final String DAY_S = "86400";

  private OriginTextRules() {}

  /** Refuses the policy without a text, and sets what shards read from it. */
  static void follow(Map<String, String> attributes) throws RejectedChange {
    attributes.remove(AttributeTable.POLICY_INPUTS_FROM);
    if (!attributes.getOrDefault("policy", "").equals(AttributeTable.ORIGIN2000)) {
      return;
    }
    String text = attributes.getOrDefault(AttributeTable.ORIGIN2000, "");
    if (text.isEmpty()) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": policy is origin2000, but no config was loaded: ./millrace policy load");
    }
    OriginWords words = OriginWords.of(text);
    List<InputSource> inputs = words.dedicatedTimes();
    if (inputs.size() > DynamicResources.PROGRAMS_MAX) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": DEDICATED_TIME_COMMAND would be asked for "
              + inputs.size()
              + " names where at most "
              + DynamicResources.PROGRAMS_MAX
              + " are");
    }
    inputs = new ArrayList<>(inputs);
    inputs.addAll(words.accounts());
    if (!inputs.isEmpty()) {
      attributes.put(AttributeTable.POLICY_INPUTS_FROM, InputSource.text(inputs));
    }
    attributes.put(AttributeTable.FAIRSHARE_DECAY_TIME, DAY_S);
    attributes.put(AttributeTable.FAIRSHARE_DECAY_FACTOR, Double.toString(words.decayFactor()));
  }
}
