package io.millrace.ops.faults.evidence;

import java.util.List;
import java.util.Optional;

/**
 * Everything that the verdict is based on.
 *
 * @param requests what clients requested and the answers they got
 * @param lines what the jobs wrote
 * @param ledger the facts of all shards; those of one shard in their order
 * @param accounts lines of the accounting files; empty where none are written
 * @param campaign of a run with one
 * @param outside of a run whose jobs are in an outside system
 */
public record Evidence(
    List<RecordedRequest> requests,
    List<JobLine> lines,
    List<LedgerEntry> ledger,
    Optional<List<String>> accounts,
    Optional<CampaignEvidence> campaign,
    Optional<OutsideEvidence> outside) {

  public Evidence {
    requests = List.copyOf(requests);
    lines = List.copyOf(lines);
    ledger = List.copyOf(ledger);
  }
}
