package io.millrace.ops.faults;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.faults.outside.OutsideSabotage;
import io.millrace.ops.faults.sabotage.Sabotage;
import io.millrace.ops.outside.peer.PeerCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What a run of the harness is to do.
 *
 * @param size jobs, kills and the seed of all random choices
 * @param place on what it takes place, if there is no campaign
 * @param campaign what goes on meanwhile, if there is one
 * @param sabotage the fault to inject, if any
 * @param patience the wait for the end of the jobs is given up after this time without any change
 * @param output where and how results are left
 */
public record FaultSettings(
    RunSize size,
    FaultPlace place,
    Optional<CampaignTerms> campaign,
    Optional<Sabotage> sabotage,
    Duration patience,
    FaultReportOutput output) {

  /** On what a run takes place. */
  public enum FaultPlace {
    /** One home and one partition, or three with a campaign. */
    HOME,
    /** Jobs, queues, nodes and partitions cross between three shards of a home. */
    HANDOVERS,
    /** One partition, whose scheduler adds up what accounts use. */
    FAIR_SHARE,
    /** Three brokers, and two of each part. */
    CLUSTER
  }

  /**
   * A campaign that goes on meanwhile.
   *
   * @param owner whose it is
   * @param outside the batch system of this machine in which its tasks run, too
   * @param mistake of the connector to that one, if any
   */
  public record CampaignTerms(
      CampaignOwner owner, Optional<PeerCluster> outside, Optional<OutsideSabotage> mistake) {}

  /**
   * @param home a folder that does not exist yet; empty for one below the temporary files
   * @param json one line of JSON instead of the summary on standard output
   * @param keep the home is kept in any case
   */
  public record FaultReportOutput(Optional<Path> home, boolean json, boolean keep) {}
}
