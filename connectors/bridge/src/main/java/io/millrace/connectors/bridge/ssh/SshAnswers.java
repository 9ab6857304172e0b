package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.time.Duration;
import java.util.Map;

/** What an answer over SSH means. */
final class SshAnswers {

  /** What starts each program, and says so itself where it cannot. */
  static final String ENV = "/usr/bin/env";

  /** Exit statuses of env for a program that it cannot start, and for one that is not there. */
  private static final int CANNOT = 126;

  private static final int ABSENT = 127;

  /** What a shell adds to the number of a signal. */
  private static final int SIGNALLED = 128;

  private static final Map<String, Integer> SIGNALS =
      Map.ofEntries(
          Map.entry("HUP", 1),
          Map.entry("INT", 2),
          Map.entry("QUIT", 3),
          Map.entry("ILL", 4),
          Map.entry("ABRT", 6),
          Map.entry("FPE", 8),
          Map.entry("KILL", 9),
          Map.entry("USR1", 10),
          Map.entry("SEGV", 11),
          Map.entry("USR2", 12),
          Map.entry("PIPE", 13),
          Map.entry("ALRM", 14),
          Map.entry("TERM", 15));

  private SshAnswers() {}

  /** The command was never started. */
  static OutsideAnswer notStarted(String why, long begin) {
    return new OutsideAnswer(ProcessEnding.NOT_STARTED, -1, "", why, took(begin));
  }

  static Duration took(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Exit status of a command that a signal has ended, as that of a process of this host. */
  static int status(String signal) {
    return SIGNALLED + SIGNALS.getOrDefault(signal, 0);
  }

  /** A program that is not there is known as it is of this host. */
  static OutsideAnswer understood(OutsideCommand command, OutsideAnswer answer) {
    boolean refused =
        answer.isWhole()
            && (answer.status() == CANNOT || answer.status() == ABSENT)
            && answer.out().isEmpty()
            && answer.err().startsWith(ENV + ": ");
    if (!refused) {
      return answer;
    }
    String line = answer.err().lines().findFirst().orElse("");
    String why = line.substring(line.lastIndexOf(": ") + 2);
    return new OutsideAnswer(
        ProcessEnding.NOT_STARTED, -1, "", command.words().get(0) + ": " + why, answer.took());
  }
}
