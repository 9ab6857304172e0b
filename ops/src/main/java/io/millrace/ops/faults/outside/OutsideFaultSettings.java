package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.load.RunSize;
import io.millrace.ops.outside.peer.PeerCluster;
import java.time.Duration;
import java.util.Optional;

/**
 * What a run is to do.
 *
 * @param size jobs, kills and the seed of all random choices
 * @param sabotage the fault to plant, if any
 * @param patience the wait for the end of the jobs is given up after this time without any change
 */
record OutsideFaultSettings(
    PeerCluster cluster, RunSize size, Optional<OutsideSabotage> sabotage, Duration patience) {}
