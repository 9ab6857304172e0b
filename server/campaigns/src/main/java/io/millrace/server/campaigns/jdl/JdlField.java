package io.millrace.server.campaigns.jdl;

import java.util.Optional;

/**
 * A field of the JDL.
 *
 * @param name as in a document
 * @param place where it may stand
 * @param value what it takes
 * @param usual value of a campaign that does not say; empty where there is none
 * @param meaning one sentence for the manual
 */
record JdlField(
    String name, JdlFieldPlace place, ValueKind value, Optional<Object> usual, String meaning) {

  /** Where a field may stand. */
  enum JdlFieldPlace {
    /** In the campaign only. */
    CAMPAIGN,
    /** In a cluster, or in the campaign for all clusters that do not say otherwise. */
    CLUSTER
  }
}
