package io.millrace.schemas.pbs;

/** How it is told that the system of a cluster outside has ended a run, unasked from here. */
public final class EndedElsewhere {

  private static final String BEGIN = "cancelled in cluster ";

  private EndedElsewhere() {}

  /**
   * The message of such a run, whose exit status is {@link ExitStatus#TERMINATED}.
   *
   * @param words of that system
   */
  public static String message(String cluster, String words) {
    return BEGIN + cluster + ": " + words;
  }

  /** Whether the end of a run is such a one. */
  public static boolean is(int exitStatus, String message) {
    return exitStatus == ExitStatus.TERMINATED && message.startsWith(BEGIN);
  }
}
