package io.millrace.server.core.run.task;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.RunTasks;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that ordered tasks of a run, so that none does so twice however long the run lasts.
 * Remembered answers are not enough: a command may be older than they are when it is sent for the
 * first time.
 *
 * <p>They stand in the order in which they were made, the last {@link #KEPT_MAX} of them.
 * Invariant: a command that is left out was made no later than each that is kept.
 */
final class TaskCommandMemory {
  static final int KEPT_MAX = 4096;

  private TaskCommandMemory() {}

  /** Whether the command has ordered a task of this run, or may have. */
  static boolean maybe(RunTasks tasks, CommandId command) {
    if (tasks == null) {
      return false;
    }
    List<CommandId> kept = tasks.getOrderedBy();
    if (kept.contains(command)) {
      return true;
    }
    boolean some = kept.size() < tasks.getLast(); // left out
    return some && (kept.isEmpty() || made(command) <= made(kept.get(0)));
  }

  /** The list with one more command. */
  static List<CommandId> with(RunTasks tasks, CommandId command) {
    List<CommandId> kept = new ArrayList<>(tasks.getOrderedBy());
    boolean all = kept.size() == tasks.getLast();
    int place = kept.size();
    while (place > 0 && made(kept.get(place - 1)) > made(command)) {
      place--;
    }
    if (place > 0 || all) {
      kept.add(place, command);
    }
    return kept.size() > KEPT_MAX ? kept.subList(1, kept.size()) : kept;
  }

  private static long made(CommandId command) {
    return Keys.madeAtMs(command);
  }
}
