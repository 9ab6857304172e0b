package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.Optional;

/**
 * Decides what becomes of a task's two attempts: the first success counts, and the other one is
 * ended. One that ends otherwise leaves the task to the other.
 */
final class ReplicaDeciders {

  private final CampaignState state;

  ReplicaDeciders(CampaignState state) {
    this.state = state;
  }

  static AttemptDropped dropped(OpenTask attempt, boolean again, long nowMs) {
    return new AttemptDropped(
        nowMs,
        attempt.getCampaign(),
        attempt.getTask(),
        attempt.getAttempt(),
        attempt.getJobId(),
        0,
        0L,
        "",
        again);
  }

  private static AttemptDropped dropped(OpenTask attempt, NoteJob note, boolean again, long nowMs) {
    AttemptDropped dropped = dropped(attempt, again, nowMs);
    dropped.setJobId(note.getJobId());
    dropped.setExitStatus(note.getExitStatus());
    dropped.setRunMs(note.getRunMs());
    dropped.setWhy(note.getWhy());
    return dropped;
  }

  /** One whose job nobody knows yet is ended when it is known. */
  static void end(Campaign campaign, OpenTask attempt, long nowMs, CampaignOutcome outcome) {
    boolean own = attempt.getLead() < 0;
    if (own && !attempt.getJobId().isEmpty() && attempt.getStatus() != TaskStatus.WAITING) {
      outcome.order(attempt.getShard(), TaskJobs.delete(campaign, attempt, nowMs));
    }
  }

  /** Decides a report about a second attempt. */
  void decide(
      Campaign campaign, OpenTask second, NoteJob note, long nowMs, CampaignOutcome outcome) {
    JobChange change = note.getChange();
    if (change == JobChange.FINISHED || change == JobChange.DELETED) {
      over(campaign, second, note, nowMs, outcome);
      return;
    }
    OpenTask moved = CampaignDeciders.moved(second, note, nowMs);
    if (change == JobChange.QUEUED && (second.getDropped() || campaign.getCancelled())) {
      end(campaign, moved, nowMs, outcome);
    }
    outcome.fact(new TaskMoved(nowMs, moved));
  }

  private void over(
      Campaign campaign, OpenTask second, NoteJob note, long nowMs, CampaignOutcome outcome) {
    Optional<OpenTask> first = state.open(second.getCampaign(), second.getTask());
    boolean finished = note.getChange() == JobChange.FINISHED;
    // A program that was told to end may well do so with status 0, its work half done.
    boolean unwanted = second.getDropped() || first.filter(OpenTask::getDeleted).isPresent();
    boolean told = unwanted && second.getKilled();
    if (finished && note.getExitStatus() == 0 && !told && first.isPresent()) {
      AttemptEnded ended = CampaignDeciders.ended(second, TaskStatus.DONE, nowMs);
      ended.setJobId(note.getJobId());
      ended.setRunMs(note.getRunMs());
      end(campaign, first.get(), nowMs, outcome);
      outcome.fact(ended);
      return;
    }
    // One that the server deleted by itself would be deleted again and again.
    boolean again = second.getBeganMs() == 0 && !finished && note.getWhy().isEmpty();
    outcome.fact(dropped(second, note, again, nowMs));
  }

  /**
   * Decides about the replica of a task whose first attempt is over.
   *
   * @return whether the replica goes on in its place
   */
  boolean goesOn(
      Campaign campaign, AttemptEnded ended, OpenTask first, long nowMs, CampaignOutcome outcome) {
    OpenTask replica =
        state
            .second(first.getCampaign(), first.getTask())
            .filter(it -> !it.getDropped())
            .orElse(null);
    if (replica == null) {
      return false;
    }
    TaskStatus status = ended.getStatus();
    if (status == TaskStatus.DONE || status == TaskStatus.CANCELLED) {
      end(campaign, replica, nowMs, outcome);
      return false;
    }
    AttemptDropped dropped = dropped(first, false, nowMs);
    dropped.setJobId(ended.getJobId());
    dropped.setExitStatus(ended.getExitStatus());
    dropped.setRunMs(ended.getRunMs());
    dropped.setWhy(ended.getWhy());
    outcome.fact(dropped);
    return true;
  }
}
