package io.millrace.schedulers.gridengine.language.cluster;

import java.util.Locale;
import java.util.function.Predicate;

/**
 * A wildcard expression: {@code *}, {@code ?} and {@code [...]} in names; {@code !}, {@code &},
 * {@code |} and parentheses between them, in this order of strength ({@code *} alone fits
 * everything). A parenthesis that is not closed ends with the text.
 */
public final class WildcardPattern {

  private final Predicate<String> fits;

  private WildcardPattern(Predicate<String> fits) {
    this.fits = fits;
  }

  public static WildcardPattern of(String text) {
    return of(text, false);
  }

  static WildcardPattern of(String text, boolean ignoreCase) {
    return new WildcardPattern(new Parser(text, ignoreCase).alternatives());
  }

  public boolean fits(String name) {
    return fits.test(name);
  }

  /** Whether a text is a pattern rather than a single name. */
  public static boolean isPattern(String text) {
    return text.toLowerCase(Locale.ROOT).matches(".*[*?\\[\\]|&!()].*");
  }

  private static final class Parser {

    private final String text;
    private final int flags;
    private int at;

    Parser(String text, boolean ignoreCase) {
      this.text = text;
      this.flags = ignoreCase ? java.util.regex.Pattern.CASE_INSENSITIVE : 0;
    }

    Predicate<String> alternatives() {
      Predicate<String> any = terms();
      boolean more = true;
      while (more) {
        if (takes('|')) {
          any = any.or(terms());
        } else {
          more = takes(')'); // one that nothing opened says nothing
        }
      }
      return any;
    }

    private Predicate<String> terms() {
      Predicate<String> all = term();
      while (takes('&')) {
        all = all.and(term());
      }
      return all;
    }

    private Predicate<String> term() {
      if (takes('!')) {
        return term().negate();
      }
      return takes('(') ? inParentheses() : names();
    }

    private Predicate<String> inParentheses() {
      Predicate<String> any = terms();
      while (takes('|')) {
        any = any.or(terms());
      }
      takes(')');
      return any;
    }

    private boolean takes(char sign) {
      while (at < text.length() && text.charAt(at) == ' ') {
        at++;
      }
      boolean there = at < text.length() && text.charAt(at) == sign;
      at += there ? 1 : 0;
      return there;
    }

    /** Reads a name up to the next operator or parenthesis outside of brackets. */
    private Predicate<String> names() {
      int begin = at;
      while (at < text.length() && "|&()".indexOf(text.charAt(at)) < 0) {
        at = Math.max(at, endOfSet(text, at)) + 1;
      }
      String regex = regex(text.substring(begin, at).strip());
      return java.util.regex.Pattern.compile(regex, flags).asMatchPredicate();
    }

    /**
     * Index of the bracket that closes a set of characters beginning here; -1 when no closed set
     * begins here.
     */
    private static int endOfSet(String text, int at) {
      int end = text.charAt(at) == '[' ? text.indexOf(']', at + 1) : -1;
      return end > at + 1 ? end : -1;
    }

    private static String regex(String glob) {
      StringBuilder regex = new StringBuilder();
      for (int i = 0; i < glob.length(); i++) {
        char c = glob.charAt(i);
        int end = endOfSet(glob, i);
        if (c == '*') {
          regex.append(".*");
        } else if (c == '?') {
          regex.append('.');
        } else if (end > 0) {
          regex.append(set(glob.substring(i + 1, end)));
          i = end;
        } else {
          regex.append(java.util.regex.Pattern.quote(String.valueOf(c)));
        }
      }
      return regex.toString();
    }

    private static String set(String characters) {
      String set = characters.replace("\\", "\\\\").replace("[", "\\[");
      return '[' + (set.startsWith("!") ? "^" + set.substring(1) : set) + ']';
    }
  }
}
