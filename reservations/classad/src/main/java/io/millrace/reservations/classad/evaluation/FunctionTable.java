package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Functions by name; names do not differ by the case of letters. */
public final class FunctionTable {

  private final Map<String, BuiltIn> functions = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, BuiltIn> byKey = new HashMap<>();

  /**
   * @param tables names as messages show them; a later table's function takes the place of an
   *     earlier one's
   */
  @SafeVarargs
  public FunctionTable(Map<String, BuiltIn>... tables) {
    for (Map<String, BuiltIn> each : tables) {
      functions.putAll(each);
    }
    functions.forEach((name, function) -> byKey.put(RecordExpression.key(name), function));
  }

  /** The functions of this table and more. */
  public FunctionTable with(Map<String, BuiltIn> more) {
    return new FunctionTable(functions, more);
  }

  /**
   * Null when there is none.
   *
   * @param key the form by which names are compared
   */
  BuiltIn find(String key) {
    return byKey.get(key);
  }

  public Set<String> names() {
    return Collections.unmodifiableSet(functions.keySet());
  }

  /** What is wrong with the name of a function, with the nearest one there is; null for none. */
  public String wrong(String name) {
    if (functions.containsKey(name)) {
      return null;
    }
    String nearest = null;
    int least = 3;
    for (String each : functions.keySet()) {
      int distance = distance(name.toLowerCase(Locale.ROOT), each.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        nearest = each;
      }
    }
    String shown = name.replaceAll("\\p{Cc}", "?");
    return "there is no function "
        + (shown.length() > 40 ? shown.substring(0, 40) + "..." : shown)
        + (nearest == null ? "" : " (nearest: " + nearest + ")");
  }

  /** How many letters must be put in, left out or changed; 3 for 3 and more. */
  private static int distance(String one, String other) {
    if (Math.abs(one.length() - other.length()) > 2) {
      return 3;
    }
    int[] above = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[other.length() + 1];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = above[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return Math.min(3, above[other.length()]);
  }
}
