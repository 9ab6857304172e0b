package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.pbs.ExitStatus;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Follows the ledger of the campaign server while the only campaign goes on. */
final class CampaignProgress implements AutoCloseable {

  private final LedgerFollower follower;
  private final Set<Integer> done = new HashSet<>();
  private final Set<String> atClusters = new HashSet<>();
  private int gaveWay;
  private boolean over;

  CampaignProgress(LedgerConsumer ledger) {
    this.follower = new LedgerFollower(ledger, this::note, "campaign-progress");
    follower.start();
  }

  private boolean note(LedgerEntry entry) {
    SpecificRecord fact = entry.fact();
    if (fact instanceof TasksSent sent) {
      sent.getTasks().forEach(it -> atClusters.add(it.getTask() + "." + it.getAttempt()));
    } else if (fact instanceof AttemptEnded end) {
      atClusters.remove(end.getTask() + "." + end.getAttempt());
      if (end.getStatus() == TaskStatus.DONE) {
        done.add(end.getTask());
      } else if (end.getExitStatus() == ExitStatus.PREEMPTED) {
        gaveWay++;
      }
    } else if (fact instanceof AttemptDropped end) {
      atClusters.remove(end.getTask() + "." + end.getAttempt());
    } else if (fact instanceof CampaignEnded) {
      over = true;
    } else {
      return false;
    }
    return true;
  }

  int done() {
    return follower.locked(done::size);
  }

  /** Attempts that were ended because local jobs needed their room. */
  int gaveWay() {
    return follower.locked(() -> gaveWay);
  }

  /** Whether it has ended. */
  boolean isOver() {
    return follower.locked(() -> over);
  }

  /** Waits until so many tasks are done; false when the time is up. */
  boolean awaitDone(int tasks, long patienceMs) throws InterruptedException {
    return follower.await(() -> done.size() >= tasks, patienceMs);
  }

  /**
   * Waits until the campaign and all its attempts are over; false when nothing has changed for so
   * long.
   */
  boolean awaitOver(long patienceMs) throws InterruptedException {
    return follower.awaitWithProgress(() -> over && atClusters.isEmpty(), patienceMs);
  }

  @Override
  public void close() throws InterruptedException {
    follower.close();
  }
}
