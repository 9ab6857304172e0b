package io.millrace.ops.faults;

import io.millrace.schemas.common.FactMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The facts of each shard are numbered without gaps, and its time never goes back. */
final class LedgerCheck {
  private final List<LedgerEntry> ledger;
  private final Findings findings;

  LedgerCheck(List<LedgerEntry> ledger, Findings findings) {
    this.ledger = ledger;
    this.findings = findings;
  }

  void run() {
    Map<Integer, FactMeta> last = new HashMap<>();
    for (LedgerEntry entry : ledger) {
      FactMeta meta = entry.meta();
      FactMeta before = last.put(entry.shard(), meta);
      long expected = before == null ? 1 : before.getSeq() + 1;
      String shard = "shard " + entry.shard();
      if (meta.getSeq() != expected) {
        findings.unexplained(
            shard, "fact " + meta.getSeq() + " where " + expected + " is due: " + entry);
      }
      if (before != null && meta.getAtMs() < before.getAtMs()) {
        findings.unexplained(shard, "its time goes back at " + entry);
      }
    }
  }
}
