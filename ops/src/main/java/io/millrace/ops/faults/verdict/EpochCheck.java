package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.RunGranted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that the epochs of a scheduler object grow and that only the last one is obeyed. A
 * scheduler that moves to another shard starts its epochs again there; that no job is considered by
 * both follows from the check that each job lives in one shard.
 */
final class EpochCheck {
  private record Seat(int shard, String scheduler) {}

  private final List<LedgerEntry> ledger;
  private final Defects defects;
  private final Map<Seat, Long> epochs = new HashMap<>();

  EpochCheck(List<LedgerEntry> ledger, Defects defects) {
    this.ledger = ledger;
    this.defects = defects;
  }

  void run() {
    for (LedgerEntry entry : ledger) {
      if (entry.fact() instanceof EngineStarted started && !started.getShadow()) {
        Long before =
            epochs.put(new Seat(entry.shard(), started.getScheduler()), started.getEpoch());
        if (before != null && started.getEpoch() <= before) {
          defects.unexplained(
              "scheduler " + started.getScheduler(),
              "epoch " + started.getEpoch() + " follows " + before + ": " + entry);
        }
      } else if (entry.fact() instanceof RunGranted granted) {
        obeyed(entry, granted.getScheduler(), granted.getEpoch());
      } else if (entry.fact() instanceof CycleRecorded cycle) {
        obeyed(entry, cycle.getScheduler(), cycle.getEpoch());
      }
    }
  }

  private void obeyed(LedgerEntry entry, String scheduler, long epoch) {
    Long holder = epochs.get(new Seat(entry.shard(), scheduler));
    if (holder == null || holder != epoch) {
      defects.unexplained(
          "scheduler " + scheduler,
          "epoch " + epoch + " was obeyed while " + holder + " held: " + entry);
    }
  }
}
