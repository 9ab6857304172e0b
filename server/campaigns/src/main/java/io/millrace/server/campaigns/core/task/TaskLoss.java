package io.millrace.server.campaigns.core.task;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.pbs.EndedElsewhere;
import io.millrace.schemas.pbs.ExitStatus;

/**
 * Runs that were lost: nobody knows how they ended, as their host died under them or forgot them;
 * or the system of a cluster outside has ended them, whose own jobs came first, for instance.
 */
public final class TaskLoss {
  private TaskLoss() {}

  /** Whether a report is about the end of such a run. */
  public static boolean lost(NoteJob note) {
    int status = note.getExitStatus();
    return note.getChange() == JobChange.FINISHED
        && (status == ExitStatus.UNKNOWN || EndedElsewhere.is(status, note.getWhy()));
  }
}
