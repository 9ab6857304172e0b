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
 * @param niceness nice value of the process; 0 for normal priority
 */
public record Part(
    String name,
    String program,
    List<String> arguments,
    String readyLine,
    Patience patience,
    int niceness) {

  /** JVM option that sets the folder into which libraries are unpacked. */
  public static final String TEMPORARY = "-Djava.io.tmpdir=";

  record Patience(Duration ready, Duration end) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(90), Duration.ofSeconds(20));
  }

  public static Part withFile(String name, String program, List<String> arguments) {
    return new Part(name, program, arguments, "", Patience.USUAL, 0);
  }

  public static Part withLine(
      String name, String program, List<String> arguments, String readyLine) {
    return new Part(name, program, arguments, readyLine, Patience.USUAL, 0);
  }

  public Part nice(int niceness) {
    return new Part(name, program, arguments, readyLine, patience, niceness);
  }
}
