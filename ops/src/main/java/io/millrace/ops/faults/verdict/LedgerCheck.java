package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.common.FactMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that the facts of each shard are numbered without gaps and that its time never goes back.
 */
final class LedgerCheck {
  private final List<LedgerEntry> ledger;
  private final Defects defects;

  LedgerCheck(List<LedgerEntry> ledger, Defects defects) {
    this.ledger = ledger;
    this.defects = defects;
  }

  void run() {
    Map<Integer, FactMeta> last = new HashMap<>();
    for (LedgerEntry entry : ledger) {
      FactMeta meta = entry.meta();
      FactMeta before = last.put(entry.shard(), meta);
      long expected = before == null ? 1 : before.getSeq() + 1;
      String shard = "shard " + entry.shard();
      if (meta.getSeq() != expected) {
        defects.unexplained(
            shard, "fact " + meta.getSeq() + " where " + expected + " is due: " + entry);
      }
      if (before != null && meta.getAtMs() < before.getAtMs()) {
        defects.unexplained(shard, "its time goes back at " + entry);
      }
    }
  }
}
