package io.millrace.ops.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Known differences of accounting lines: rows of a table that change the recorded lines of one job
 * or reservation into what is to be here. PATTERN, tab, REPLACEMENT, tab, reason.
 */
final class AccountChanges {

  private record Row(Pattern pattern, String replacement) {

    String on(String lines) {
      return pattern.matcher(lines).replaceAll(replacement);
    }
  }

  private final String table;
  private final List<Row> rows = new ArrayList<>();
  private final Set<Row> needed = new HashSet<>();

  AccountChanges(String table) throws IOException {
    this.table = table;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                AccountChanges.class.getResourceAsStream(table), StandardCharsets.UTF_8))) {
      for (String line : in.lines().toList()) {
        String[] fields = line.split("\t", 3);
        if (fields.length == 3 && !line.startsWith("#")) {
          rows.add(new Row(Pattern.compile(fields[0]), fields[1]));
        }
      }
    }
  }

  /** Recorded lines as they are to be here. */
  String on(String lines) {
    return changed(lines, rows);
  }

  private static String changed(String lines, List<Row> rows) {
    String changed = lines;
    for (Row row : rows) {
      changed = row.on(changed);
    }
    return changed;
  }

  /**
   * Records which rows these lines need.
   *
   * @param same whether changed lines are as those here
   */
  void needs(String lines, Predicate<String> same) {
    for (Row row : rows) {
      List<Row> without = new ArrayList<>(rows);
      without.remove(row);
      if (!same.test(changed(lines, without))) {
        needed.add(row);
      }
    }
  }

  /** Rows that nothing needs. */
  Set<String> unused() {
    Set<String> unused = new TreeSet<>();
    for (Row row : rows) {
      if (!needed.contains(row)) {
        unused.add(table + ": " + row.pattern());
      }
    }
    return unused;
  }
}
