package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideState;
import java.util.List;

/** A system that is not there: its answers are played, to whatever is asked. */
interface ReplayedSystem extends CommandRunner {

  /** What a command says. */
  enum Said {
    /** Of a submission. */
    TAKEN,
    /** Of a submission to a queue that is not there. */
    NO_QUEUE,
    UNREACHABLE,
    DONE,
    /** The job is over. */
    GONE,
    NOT_ALLOWED
  }

  /** From now on a program says so. */
  void says(String program, Said said);

  /** From now on the queue has the job, in a state. */
  void queue(OutsideState state);

  void queueWithoutJobs();

  /** Lists do not show the job from now on, as to others than its owner; its number does. */
  void listsHideIt();

  /** The queue cannot be asked. */
  void queueSilent();

  /** Lines of accounting of a letter about the job. */
  List<String> accounting(String letter);

  /** How many commands of a program there were. */
  long asked(String program);
}
