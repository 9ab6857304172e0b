package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.CheckLine;
import java.util.Map;
import java.util.Optional;

/** Looks whether a server shows jobs to others than their owners. */
public final class PbsHiddenJobs {

  private PbsHiddenJobs() {}

  /**
   * What is wrong; empty when all jobs are shown.
   *
   * @param settings of the server, as it tells them; what is not set it leaves out
   */
  public static Optional<CheckLine> wrong(Map<String, String> settings) {
    return settings.getOrDefault("query_other_jobs", "").equalsIgnoreCase("true")
        ? Optional.empty()
        : Optional.of(
            CheckLine.wrong(
                "the server hides the jobs of others from this account: runs would be missed while"
                    + " they live",
                "qmgr -c 'set server query_other_jobs=True'"));
  }
}
