package io.millrace.ops.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A table of reasons: each line a pattern of {@code RECORDING: COMMAND LINE}, a tab, and why. Lines
 * with # in front say something about the table. What depends on who is faster is there sometimes
 * only, and its reason begins so.
 */
final class Reasons {

  private static final String SOMETIMES = "sometimes: ";

  private record Reason(Pattern pattern, String why) {}

  private final List<Reason> reasons = new ArrayList<>();
  private final Set<Reason> needed = new HashSet<>();
  private final Set<String> needless = new TreeSet<>();

  static Reasons read(String resource) throws IOException {
    Reasons table = new Reasons();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Reasons.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      for (String line : in.lines().toList()) {
        String[] fields = line.split("\t+", 2);
        if (fields.length == 2 && !line.startsWith("#")) {
          table.reasons.add(new Reason(Pattern.compile(fields[0]), fields[1]));
        }
      }
    }
    return table;
  }

  Optional<String> why(String recordingAndLine) {
    return find(recordingAndLine).map(Reason::why);
  }

  /** What the line's reason is there for was seen: without it the line would be a failure. */
  void needed(String recordingAndLine) {
    find(recordingAndLine).ifPresent(needed::add);
  }

  /** The line is as recorded: a reason for it would hide that it no longer is. */
  void needless(String recordingAndLine) {
    find(recordingAndLine)
        .filter(reason -> !reason.why.startsWith(SOMETIMES))
        .ifPresent(reason -> needless.add(reason.pattern + " has an equal " + recordingAndLine));
  }

  private Optional<Reason> find(String recordingAndLine) {
    return reasons.stream()
        .filter(reason -> reason.pattern.matcher(recordingAndLine).find())
        .findFirst();
  }

  /**
   * Lines of the table that are to be needed and were not, whether or not something matched, and
   * those that match what needs no reason.
   */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>(needless);
    for (Reason reason : reasons) {
      if (!needed.contains(reason) && !reason.why.startsWith(SOMETIMES)) {
        unused.add(reason.pattern.pattern());
      }
    }
    return unused;
  }
}
