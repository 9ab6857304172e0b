package io.millrace.connectors.local.host;

import java.util.Optional;

/**
 * What runs have of the host's control groups.
 *
 * @param none why runs have no groups; empty when they have some
 * @param processors their processors; empty when all runs share all of them
 * @param shared why they do; empty when they do not, or nobody wanted anything else
 */
public record RunGroups(String none, Optional<ProcessorGroups> processors, String shared) {

  static RunGroups without(String why) {
    return new RunGroups(why, Optional.empty(), "");
  }

  /** The same in a sentence. */
  public String told() {
    if (!none.isEmpty()) {
      return "runs have no control groups: " + none;
    }
    if (processors.isPresent()) {
      return "each run has a control group, and processors of its own";
    }
    return "each run has a control group"
        + (shared.isEmpty() ? "" : ", but no processors of its own: " + shared);
  }
}
