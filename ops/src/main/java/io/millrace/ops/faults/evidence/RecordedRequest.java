package io.millrace.ops.faults.evidence;

import java.util.Optional;
import java.util.Set;

/**
 * What the harness requested for the job with one token.
 *
 * @param token name of the job, which no other job has
 * @param exitStatus what the job's script ends with when nobody ends it
 * @param jobId what qsub printed; empty when qsub said that it failed
 * @param operations what was asked for the job later
 */
public record RecordedRequest(
    String token, int exitStatus, Optional<String> jobId, Set<JobOperation> operations) {

  public RecordedRequest {
    operations = Set.copyOf(operations);
  }

  public boolean asked(JobOperation operation) {
    return operations.contains(operation);
  }
}
