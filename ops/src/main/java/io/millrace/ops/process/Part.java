package io.millrace.ops.process;

import java.time.Duration;
import java.util.List;

/**
 * One process of an installation.
 *
 * @param name name of the part, also of its log, pid file and ready file
 * @param program path of the JVM
 * @param arguments its options, the class and that one's options
 * @param readyLine line that it prints when it can serve; empty when it writes run/NAME.ready
 *     instead
 * @param patience how long it may take until it can serve, and until it ends
 * @param manner how it runs beside others
 */
public record Part(
    String name,
    String program,
    List<String> arguments,
    String readyLine,
    PartPatience patience,
    Manner manner) {

  /** In a line that a part prints, before what it waits for until it can serve. */
  static final String WAITS = ": waits: ";

  /** JVM option that sets the folder into which libraries are unpacked. */
  public static final String TEMPORARY = "-Djava.io.tmpdir=";

  /**
   * How a process runs beside others.
   *
   * @param niceness nice value of the process; 0 for normal priority
   * @param guarded whether a shell stays as its parent and starts it again when it was killed
   * @param within a program with its arguments that becomes the process, such as one that enters a
   *     network namespace; empty for none
   */
  record Manner(int niceness, boolean guarded, List<String> within) {
    static final Manner USUAL = new Manner(0, false, List.of());
  }

  record PartPatience(Duration ready, Duration end) {
    static final PartPatience USUAL =
        new PartPatience(Duration.ofSeconds(90), Duration.ofSeconds(20));
  }

  public static Part withFile(String name, String program, List<String> arguments) {
    return new Part(name, program, arguments, "", PartPatience.USUAL, Manner.USUAL);
  }

  public static Part withLine(
      String name, String program, List<String> arguments, String readyLine) {
    return new Part(name, program, arguments, readyLine, PartPatience.USUAL, Manner.USUAL);
  }

  public Part nice(int niceness) {
    Manner nice = new Manner(niceness, manner.guarded(), manner.within());
    return new Part(name, program, arguments, readyLine, patience, nice);
  }

  /** The same, started again by its parent when it was killed, as long as its pid file names it. */
  public Part guarded() {
    Manner guarded = new Manner(manner.niceness(), true, manner.within());
    return new Part(name, program, arguments, readyLine, patience, guarded);
  }

  /** The same, begun by another program that becomes it. */
  public Part within(List<String> command) {
    Manner inside = new Manner(manner.niceness(), manner.guarded(), List.copyOf(command));
    return new Part(name, program, arguments, readyLine, patience, inside);
  }

  int niceness() {
    return manner.niceness();
  }
}
