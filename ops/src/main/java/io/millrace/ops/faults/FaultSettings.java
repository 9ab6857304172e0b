package io.millrace.ops.faults;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.faults.sabotage.Sabotage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a run of the harness is to do.
 *
 * @param size jobs, kills and the seed of all random choices
 * @param cluster where the jobs run, if there is no campaign
 * @param owner whose the campaign is that goes on meanwhile, if there is one
 * @param sabotage the fault to inject, if any
 * @param patience the wait for the end of the jobs is given up after this time without any change
 * @param output where and how results are left
 */
public record FaultSettings(
    RunSize size,
    FaultCluster cluster,
    Optional<CampaignOwner> owner,
    Optional<Sabotage> sabotage,
    Duration patience,
    FaultReportOutput output) {

  /**
   * @param home a folder that does not exist yet; empty for one below the temporary files
   * @param json one line of JSON instead of the summary on standard output
   * @param keep the home is kept in any case
   */
  public record FaultReportOutput(Optional<Path> home, boolean json, boolean keep) {}
}
