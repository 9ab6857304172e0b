package io.millrace.server.campaigns.core.task;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.pbs.ExitStatus;

/** Runs of which nobody knows how they ended: their host died under them, or forgot them. */
public final class TaskLoss {
  private TaskLoss() {}

  /** Whether a report is about the end of such a run. */
  public static boolean lost(NoteJob note) {
    return note.getChange() == JobChange.FINISHED && note.getExitStatus() == ExitStatus.UNKNOWN;
  }
}
