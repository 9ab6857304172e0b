package io.millrace.ops.faults;

import java.util.Optional;
import java.util.Set;

/**
 * What the harness asked of the system under one token.
 *
 * @param token name of the job, which no other job has
 * @param exitStatus what the job's script ends with when nobody ends it
 * @param jobId what qsub printed; empty when qsub said that it failed
 * @param deeds what was asked for the job later
 */
public record Errand(String token, int exitStatus, Optional<String> jobId, Set<Deed> deeds) {

  public Errand {
    deeds = Set.copyOf(deeds);
  }

  boolean asked(Deed deed) {
    return deeds.contains(deed);
  }
}
