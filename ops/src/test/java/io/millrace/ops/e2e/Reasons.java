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
 * that begin with # are comments. A difference that depends on timing occurs only sometimes; its
 * reason says so at the beginning. Behind another tab may be a pattern of all that may differ in
 * the answer: the rest of it is to be as recorded.
 */
final class Reasons {

  private static final String SOMETIMES = "sometimes: ";

  /** May have null for what is left out. */
  private record Reason(Pattern pattern, String why, Pattern leftOut) {}

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
        String[] fields = line.split("\t+", 3);
        if (fields.length >= 2 && !line.startsWith("#")) {
          Pattern leftOut =
              fields.length == 2 ? null : Pattern.compile(fields[2], Pattern.MULTILINE);
          table.reasons.add(new Reason(Pattern.compile(fields[0]), fields[1], leftOut));
        }
      }
    }
    return table;
  }

  Optional<String> why(String recordingAndLine) {
    return find(recordingAndLine).map(Reason::why);
  }

  /** What alone may differ; empty where the whole line may. */
  Optional<Pattern> leftOut(String recordingAndLine) {
    return find(recordingAndLine).map(Reason::leftOut);
  }

  /** Records that the line differs from the recording, so that its reason is needed. */
  void needed(String recordingAndLine) {
    find(recordingAndLine).ifPresent(needed::add);
  }

  /**
   * Records that the line equals the recording, so that a reason would only hide later differences.
   */
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
   * Lines of the table that were expected to be needed and were not, and those that match a line
   * which needs no reason.
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
