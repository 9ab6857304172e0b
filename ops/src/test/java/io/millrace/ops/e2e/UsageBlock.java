package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.util.stream.Collectors;

/**
 * The usage text that PBS prints because it parses --help as single-letter options. Millrace's help
 * is a different text and no error, but contains PBS's usage.
 */
final class UsageBlock {

  private UsageBlock() {}

  /** Whether the line asks for help. */
  static boolean wanted(String line) {
    return line.endsWith(" --help");
  }

  /** The recorded usage; empty when PBS parses the line as something else. */
  static String of(Entry entry) {
    // Error lines come first and begin with the command's name; tracejob has its home behind it.
    String command = entry.line().substring(0, entry.line().indexOf(' '));
    return (entry.err() + entry.out())
        .lines()
        .filter(line -> !line.startsWith(command + ": "))
        .filter(line -> !line.matches("default prefix path = .*|filter_excessive: ON"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }
}
