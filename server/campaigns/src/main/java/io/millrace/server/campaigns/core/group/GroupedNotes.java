package io.millrace.server.campaigns.core.group;

import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.server.campaigns.core.task.TaskLoss;
import io.millrace.server.campaigns.core.task.TaskTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What is told of the job of several tasks, told of each. Those whose end the job has written down
 * ended so; the next one was running when the job ended, and is tried again, alone; those behind it
 * had not begun.
 */
public final class GroupedNotes {

  /** Statuses of a shell whose program was ended by SIGKILL and SIGTERM. */
  private static final Set<Integer> KILLED = Set.of(137, 143);

  /** Of runs whose host is gone or does not know them: what they wrote down may be gone, too. */
  private static final Set<Integer> UNHEARD = Set.of(ExitStatus.UNKNOWN, ExitStatus.NODE_FAILED);

  private GroupedNotes() {}

  /**
   * The reports about the tasks of a job.
   *
   * @param tasks in their order, at least two; the first one's tag is the job's
   */
  public static List<NoteJob> of(NoteJob note, List<OpenTask> tasks) {
    JobChange change = note.getChange();
    boolean over = change == JobChange.FINISHED || change == JobChange.DELETED;
    List<NoteJob> notes = new ArrayList<>();
    if (!over) {
      tasks.forEach(it -> notes.add(about(note, it)));
      return notes;
    }
    boolean finished = change == JobChange.FINISHED;
    List<GroupStep> steps = known(note, tasks);
    boolean byItself = GroupCommand.byItself(note.getExitStatus());
    boolean all = finished && note.getExitStatus() == 0 && steps.isEmpty();
    // Nobody knows which of them ran: each goes alone next, and the one that fails is seen at once.
    boolean unheard = UNHEARD.contains(note.getExitStatus());
    boolean unclear = finished && (byItself || unheard) && !all && steps.isEmpty();
    boolean stopped = byItself && !steps.isEmpty();
    long leftMs = note.getRunMs() - steps.stream().mapToLong(GroupStep::ranMs).sum();
    for (int i = 0; i < tasks.size(); i++) {
      NoteJob one = about(note, tasks.get(i));
      if (i < steps.size()) {
        GroupStep step = steps.get(i);
        one.setExitStatus(step.exitStatus());
        one.setRunMs(Math.min(step.ranMs(), note.getRunMs()));
        one.setWhy("");
      } else if (all) {
        one.setRunMs(note.getRunMs() / tasks.size());
      } else if (unclear) {
        one.setRunMs(note.getRunMs() / tasks.size());
        running(one);
      } else if (finished && i == steps.size() && !stopped) {
        one.setRunMs(Math.max(0, leftMs));
        running(one);
      } else if (finished || i > 0) {
        deleted(one);
        one.setUnbegun(true);
      }
      notes.add(one);
    }
    return notes;
  }

  /** Those that the job has written down, as far as they are its tasks in their order. */
  private static List<GroupStep> known(NoteJob note, List<OpenTask> tasks) {
    List<GroupStep> steps = GroupStep.parse(note.getSteps());
    int known = 0;
    while (known < Math.min(steps.size(), tasks.size())
        && steps.get(known).task() == tasks.get(known).getTask()) {
      known++;
    }
    // Processes are ended one by one: the shell may have seen how its task was, and still lived.
    boolean killed = known > 0 && KILLED.contains(steps.get(known - 1).exitStatus());
    return steps.subList(
        0, killed && !GroupCommand.byItself(note.getExitStatus()) ? known - 1 : known);
  }

  /** Its end is not its own: it may have begun late, or another one may have used up the memory. */
  private static void running(NoteJob one) {
    if (TaskLoss.lost(one)) {
      one.setSteps("");
    } else {
      deleted(one);
    }
  }

  private static void deleted(NoteJob one) {
    one.setChange(JobChange.DELETED);
    one.setExitStatus(0);
    one.setWhy("");
    one.setSteps("");
  }

  private static NoteJob about(NoteJob note, OpenTask task) {
    NoteJob one = NoteJob.newBuilder(note).build();
    TaskTag tag = new TaskTag(task.getCampaign(), task.getTask(), task.getAttempt());
    one.setTag(tag.toString());
    return one;
  }
}
