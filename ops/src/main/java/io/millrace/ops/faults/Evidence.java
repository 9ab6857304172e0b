package io.millrace.ops.faults;

import java.util.List;

/**
 * All that the verdict rests on.
 *
 * @param errands what clients asked for and were told
 * @param lines what the jobs wrote
 * @param ledger the facts of all shards; those of one shard in their order
 */
public record Evidence(List<Errand> errands, List<JobLine> lines, List<LedgerEntry> ledger) {

  public Evidence {
    errands = List.copyOf(errands);
    lines = List.copyOf(lines);
    ledger = List.copyOf(ledger);
  }
}
