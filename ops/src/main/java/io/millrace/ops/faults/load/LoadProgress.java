package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Follows the ledger while the load runs: which jobs have ended, which runs are open, and when
 * anything last changed.
 */
public final class LoadProgress implements AutoCloseable {

  /** A run that was granted and has not ended. */
  public record OpenRun(String jobId, int run, String token) {}

  private final LedgerFollower follower;
  private final Map<String, String> tokens = new HashMap<>();

  /** Jobs of campaigns, which no client has submitted. */
  private final Set<String> tagged = new HashSet<>();

  private final Set<String> ended = new HashSet<>();
  private final Map<String, OpenRun> open = new HashMap<>();

  public LoadProgress(LedgerConsumer ledger) {
    this.follower = new LedgerFollower(ledger, this::note, "progress");
    follower.start();
  }

  private boolean note(LedgerEntry entry) {
    if (entry.fact() instanceof JobQueued queued) {
      String id = queued.getJob().getId();
      tokens.put(id, queued.getJob().getSpec().getName());
      if (!queued.getJob().getSpec().getCampaign().isEmpty()) {
        tagged.add(id);
      }
    } else if (entry.fact() instanceof RunGranted granted) {
      String id = granted.getJobId();
      open.put(id, new OpenRun(id, granted.getRun(), tokens.getOrDefault(id, "")));
    } else if (entry.fact() instanceof RunRequeued requeued) {
      open.remove(requeued.getJobId());
    } else if (entry.fact() instanceof RunFinished finished) {
      open.remove(finished.getJobId());
      ended.add(finished.getJobId());
    } else if (entry.fact() instanceof JobDeleted deleted) {
      ended.add(deleted.getJobId());
    }
    return JobHistories.jobOf(entry.fact()).isPresent();
  }

  public List<OpenRun> openRuns() {
    return follower.locked(() -> new ArrayList<>(open.values()));
  }

  /** Waits until at least so many runs are open; false when the time is up. */
  public boolean awaitOpenRuns(int count, long patienceMs) throws InterruptedException {
    return follower.await(() -> open.size() >= count, patienceMs);
  }

  /**
   * Waits until all these jobs and those of campaigns have ended; false when nothing has changed
   * for so long.
   *
   * @param jobIds ids that qsub printed
   */
  public boolean awaitEnds(Set<String> jobIds, long patienceMs) throws InterruptedException {
    return follower.awaitWithProgress(
        () -> ended.containsAll(jobIds) && ended.containsAll(tagged) && open.isEmpty(), patienceMs);
  }

  @Override
  public void close() throws InterruptedException {
    follower.close();
  }
}
