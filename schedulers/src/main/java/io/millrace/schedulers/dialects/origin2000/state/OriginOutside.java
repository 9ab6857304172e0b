package io.millrace.schedulers.dialects.origin2000.state;

import java.util.Optional;

/** What only the outside can answer within a cycle. */
public interface OriginOutside {

  /** What DEDICATED_TIME_COMMAND prints for a short name; empty when it cannot be run. */
  Optional<String> dedicatedTimes(String name);

  /**
   * Switches the performance counters of a host.
   *
   * @param mode user, global or revoke
   * @return whether the host says that it did
   */
  boolean switchCounters(String host, String mode);

  /** Whether the server starts a job that is to run on a host; empty: wherever it likes. */
  boolean starts(String job, String host);
}
