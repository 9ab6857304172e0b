package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.util.stream.Collectors;

/**
 * The usage that PBS prints when it takes --help for letters. Help here is another text and no
 * error, but the usage stands in it as PBS has it.
 */
final class UsageBlock {

  private UsageBlock() {}

  /** Whether the line asks for help. */
  static boolean wanted(String line) {
    return line.endsWith(" --help");
  }

  /** The recorded usage; empty when PBS takes the line for something else. */
  static String of(Entry entry) {
    // Complaints are in front and begin with the command's name; tracejob has its home behind.
    String command = entry.line().substring(0, entry.line().indexOf(' '));
    return (entry.err() + entry.out())
        .lines()
        .filter(line -> !line.startsWith(command + ": "))
        .filter(line -> !line.matches("default prefix path = .*|filter_excessive: ON"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }
}
