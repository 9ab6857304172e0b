package io.millrace.server.streams;

import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.run.suspend.StrandedRuns;
import io.millrace.server.core.snapshot.Snapshots;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;

/** Continued work that the owner of a shard starts from time to time, by the wall clock. */
final class PeriodicWork {
  private static final long SNAPSHOT_MS = 5_000;

  private long rollCalledMs;
  private long snapshotMs;

  PeriodicWork(long nowMs) {
    rollCalledMs = nowMs;
    snapshotMs = nowMs;
  }

  /** Names of the continued work that is due; each is returned once per interval. */
  List<String> due(View view, long nowMs) {
    List<String> works = new ArrayList<>();
    // The clock may have been set back.
    rollCalledMs = Math.min(rollCalledMs, nowMs);
    snapshotMs = Math.min(snapshotMs, nowMs);
    if (nowMs - rollCalledMs >= RollCall.INTERVAL_MS) {
      rollCalledMs = nowMs;
      if (RollCall.wanted(view)) {
        works.add(RollCall.WORK);
        works.add(StrandedRuns.WORK);
      }
    }
    if (nowMs - snapshotMs >= SNAPSHOT_MS) {
      snapshotMs = nowMs;
      if (Snapshots.due(view)) {
        works.add(Snapshots.WORK);
      }
    }
    return works;
  }
}
