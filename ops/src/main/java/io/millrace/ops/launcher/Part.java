package io.millrace.ops.launcher;

import java.time.Duration;
import java.util.List;

/**
 * One process of an installation.
 *
 * @param name names its log, its mark and its ready file
 * @param command program and arguments
 * @param readyLine what it prints when it can serve; empty when it writes run/NAME.ready instead
 * @param patience how long it may take until it can serve, and until it ends
 */
record Part(String name, List<String> command, String readyLine, Patience patience) {

  record Patience(Duration ready, Duration end) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(90), Duration.ofSeconds(20));
  }

  static Part withFile(String name, List<String> command) {
    return new Part(name, command, "", Patience.USUAL);
  }

  static Part withLine(String name, List<String> command, String readyLine) {
    return new Part(name, command, readyLine, Patience.USUAL);
  }
}
