package io.millrace.server.gridengine.submit;

import io.millrace.schemas.pbs.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which signal ended a job, as Grid Engine tells it of one that did not end by itself. */
final class EndingSignal {

  /** PBS shows the number of the signal and so much more. */
  private static final int SIGNALLED = 256;

  /** What PBS shows of runs that were killed: at a limit of vmem, mem, cput or walltime. */
  private static final Set<Integer> KILLED =
      Set.of(-26, -27, -28, -29, ExitStatus.OUTPUT_EXCEEDED, ExitStatus.PREEMPTED);

  private static final String KILL = "SIGKILL";

  /** Names of the signals of Linux from 1 on. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private EndingSignal() {}

  /**
   * The name of the signal; empty for a job that gave its exit status itself.
   *
   * @param exit exit status as PBS shows it
   */
  static Optional<String> of(int exit) {
    int number = exit - SIGNALLED;
    if (KILLED.contains(exit)) {
      return Optional.of(KILL);
    }
    if (number <= 0) {
      return Optional.empty();
    }
    return Optional.of(number <= NAMES.size() ? "SIG" + NAMES.get(number - 1) : "" + number);
  }
}
