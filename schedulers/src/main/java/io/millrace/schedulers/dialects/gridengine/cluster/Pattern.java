package io.millrace.schedulers.dialects.gridengine.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A wildcard expression: {@code *}, {@code ?} and {@code [...]} in names; {@code !}, {@code &},
 * {@code |} and parentheses between them ({@code *} alone fits everything).
 */
public final class Pattern {

  private final List<List<Term>> alternatives;

  private record Term(boolean negated, java.util.regex.Pattern names) {}

  private Pattern(List<List<Term>> alternatives) {
    this.alternatives = alternatives;
  }

  public static Pattern of(String text) {
    return of(text, false);
  }

  static Pattern of(String text, boolean ignoreCase) {
    List<List<Term>> alternatives = new ArrayList<>();
    for (String alternative : text.split("\\|")) {
      List<Term> terms = new ArrayList<>();
      for (String term : alternative.split("&")) {
        String name = term.strip().replaceAll("^\\(+|\\)+$", "");
        boolean negated = name.startsWith("!");
        int flags = ignoreCase ? java.util.regex.Pattern.CASE_INSENSITIVE : 0;
        String regex = regex(negated ? name.substring(1).replaceAll("^\\(+", "") : name);
        terms.add(new Term(negated, java.util.regex.Pattern.compile(regex, flags)));
      }
      alternatives.add(terms);
    }
    return new Pattern(alternatives);
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int end = c == '[' ? glob.indexOf(']', i + 1) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (end > i + 1) {
        String set = glob.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
        regex.append('[').append(set.startsWith("!") ? "^" + set.substring(1) : set).append(']');
        i = end;
      } else {
        regex.append(java.util.regex.Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.toString();
  }

  public boolean fits(String name) {
    return alternatives.stream()
        .anyMatch(
            terms ->
                terms.stream().allMatch(t -> t.negated() != t.names().matcher(name).matches()));
  }

  /** Whether a text says more than one name. */
  public static boolean isPattern(String text) {
    return text.toLowerCase(Locale.ROOT).matches(".*[*?\\[\\]|&!()].*");
  }
}
