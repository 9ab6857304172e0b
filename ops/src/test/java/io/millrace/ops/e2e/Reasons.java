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
 * with # in front say something about the table.
 */
final class Reasons {

  private record Reason(Pattern pattern, String why) {}

  private final List<Reason> reasons = new ArrayList<>();
  private final Set<Reason> used = new HashSet<>();

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
    for (Reason reason : reasons) {
      if (reason.pattern.matcher(recordingAndLine).find()) {
        used.add(reason);
        return Optional.of(reason.why);
      }
    }
    return Optional.empty();
  }

  /** Lines of the table that matched nothing. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>();
    for (Reason reason : reasons) {
      if (!used.contains(reason)) {
        unused.add(reason.pattern.pattern());
      }
    }
    return unused;
  }
}
