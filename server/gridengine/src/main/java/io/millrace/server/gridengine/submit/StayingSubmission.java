package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.server.gateway.session.GatewayBusyException;
import io.millrace.server.gateway.session.Invocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A qsub that stays after the submission: -now y until the job starts, -sync y until it ends. It
 * only watches: the scheduler gives up a job that cannot start at once, whoever waits for it.
 */
final class StayingSubmission {

  private static final long FIRST_LOOK_MS = 50;
  private static final long LOOK_MAX_MS = 1000;

  /** However many tasks there are: those that have ended are not remembered for ever. */
  private static final long LOOK_OF_MANY_MAX_MS = 5000;

  private static final int FAILED = 1;
  private static final int BYTE = 0xff;

  private final Invocation invocation;
  private final AwaitedTasks tasks;
  private final List<String> names;
  private final List<AwaitedTasks.AwaitedEnd> untold = new ArrayList<>();
  private long pauseMs = FIRST_LOOK_MS;

  /**
   * @param names of the tasks as they are told, in the order in which they were submitted
   */
  StayingSubmission(Invocation invocation, AwaitedTasks tasks, List<String> names) {
    this.invocation = invocation;
    this.tasks = tasks;
    this.names = names;
  }

  /** Whether a qsub stays. */
  static boolean wanted(Submission asked) {
    return asked.immediate() || asked.sync();
  }

  /** Before the job is submitted: a qsub that stays takes no place of those that end soon. */
  static void begin(Invocation invocation, Submission asked) throws GatewayBusyException {
    if (wanted(asked)) {
      invocation.lasts();
    }
  }

  /** The exit status of a qsub whose job is submitted, and told. */
  int follow(Submission asked) throws InterruptedException {
    if (!wanted(asked)) {
      return 0;
    }
    // From here on the user knows the number: a qsub that is cut off is not submitted again.
    invocation.streaming();
    if (asked.immediate() && !startedAtOnce(asked)) {
      return FAILED;
    }
    return asked.sync() ? ends(asked.array()) : 0;
  }

  private boolean startedAtOnce(Submission asked) throws InterruptedException {
    invocation.err("Waiting for immediate job to be scheduled.\n");
    while (!tasks.anyBegun() && !tasks.over()) {
      if (!look()) {
        return false;
      }
    }
    String number = asked.array() ? names.get(0).replaceFirst("\\..*", "") : names.get(0);
    if (tasks.anyBegun()) {
      invocation.err("\nYour immediate job " + number + " has been successfully scheduled.\n");
      return true;
    }
    if (untold.stream().anyMatch(end -> end.job().isEmpty())) {
      invocation.err("\nYour immediate job " + number + " is over, and not remembered.\n");
    } else {
      invocation.err("\nYour qsub request could not be scheduled; try again later.\n");
    }
    return false;
  }

  /** The exit status of the job, or the highest of its tasks. */
  private int ends(boolean array) throws InterruptedException {
    int status = 0;
    while (!untold.isEmpty() || (!tasks.over() && look())) {
      for (AwaitedTasks.AwaitedEnd end : untold) {
        String who = (array ? "Task " : "Job ") + names.get(end.place());
        status = Math.max(status, tell(who, end));
      }
      untold.clear();
    }
    return status;
  }

  /** Grid Engine tells a failure on standard error, and success on standard output. */
  private int tell(String who, AwaitedTasks.AwaitedEnd end) {
    if (end.job().isEmpty()) {
      invocation.err(who + " is over, and its history is not kept (job_history_enable).\n");
      return FAILED;
    }
    Integer exit = end.job().get().getExitStatus();
    if (!AwaitedTasks.begun(end.job().get())) {
      invocation.err(who + " never ran.\n");
      return FAILED;
    }
    if (exit == null) {
      invocation.err(who + " is over without an exit code.\n");
      return FAILED;
    }
    Optional<String> signal = EndingSignal.of(exit);
    if (signal.isPresent()) {
      invocation.err(who + " exited because of signal " + signal.get() + "\n");
      return FAILED;
    }
    String line = who + " exited with exit code " + exit + ".\n";
    if (exit == 0) {
      invocation.out(line);
    } else {
      invocation.err(line);
    }
    return exit & BYTE;
  }

  /** One look after a pause; false when nobody waits any more. */
  private boolean look() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(pauseMs);
    // A large array is not looked at a thousand times a second.
    long most = Math.min(Math.max(LOOK_MAX_MS, tasks.open()), LOOK_OF_MANY_MAX_MS);
    pauseMs = Math.min(2 * pauseMs, most);
    if (invocation.clientGone()) {
      return false;
    }
    untold.addAll(tasks.look());
    return true;
  }
}
