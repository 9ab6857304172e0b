package io.millrace.server.campaigns.core.task;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.Arrays;
import java.util.Optional;

/** By its exit status a program may want another attempt, which is no failure. CiGri's numbers. */
public enum ExitWish {
  /** Before the tasks that were never tried. */
  NOW(66, TaskStatus.WAITING),

  /** When no other task of the campaign waits. */
  AT_THE_END(67, TaskStatus.POSTPONED);

  private final int exitStatus;
  private final TaskStatus status;

  ExitWish(int exitStatus, TaskStatus status) {
    this.exitStatus = exitStatus;
    this.status = status;
  }

  /** Where the task is then. */
  public TaskStatus status() {
    return status;
  }

  public static Optional<ExitWish> of(int exitStatus) {
    return Arrays.stream(values()).filter(it -> it.exitStatus == exitStatus).findFirst();
  }

  /** Of a report about a job: only a run that ended has an exit status of its program. */
  public static Optional<ExitWish> of(NoteJob note) {
    return note.getChange() == JobChange.FINISHED ? of(note.getExitStatus()) : Optional.empty();
  }
}
