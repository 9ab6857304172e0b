package io.millrace.server.gateway.admin;

import java.util.Locale;
import java.util.Set;

/**
 * The form of limits such as {@code [u:ann=5],[o:PBS_ALL=9]} as qmgr's reader sees it: the user is
 * shown the place of an error. Whether the names exist is checked by the server.
 */
final class LimitForm {
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "max_run",
          "max_run_res",
          "max_run_soft",
          "max_run_res_soft",
          "max_queued",
          "max_queued_res",
          "max_reservations",
          "max_reserved_res",
          "queued_jobs_threshold",
          "queued_jobs_threshold_res");

  private final String text;
  private int at;

  private LimitForm(String text) {
    this.text = text;
  }

  /** Whether an attribute's values have this form; its resource may stand behind it. */
  static boolean holdsFor(String attribute) {
    return ATTRIBUTES.contains(attribute.toLowerCase(Locale.ROOT).split("\\.", 2)[0]);
  }

  /** Index of the first character that cannot stand there; -1 where all can. */
  static int wrongAt(String text) {
    LimitForm form = new LimitForm(text);
    do {
      if (!form.entry()) {
        return form.at;
      }
      form.blanks();
    } while (form.taken(','));
    return form.at < text.length() ? form.at : -1;
  }

  private boolean entry() {
    blanks();
    if (!taken('[')) {
      return false;
    }
    blanks();
    if (at >= text.length() || "ugpo".indexOf(text.charAt(at)) < 0) {
      return false;
    }
    at++;
    if (!taken(':')) {
      return false;
    }
    return some("=]") && (taken(']') || taken('=') && amount() && taken(']'));
  }

  private boolean amount() {
    blanks();
    boolean negative = at < text.length() && text.charAt(at) == '-';
    return !negative && some("]");
  }

  /** At least one character that is neither a blank nor one of these, and the blanks behind. */
  private boolean some(String end) {
    int start = at;
    while (at < text.length()
        && end.indexOf(text.charAt(at)) < 0
        && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    boolean any = at > start;
    blanks();
    return any;
  }

  private boolean taken(char wanted) {
    boolean here = at < text.length() && text.charAt(at) == wanted;
    at += here ? 1 : 0;
    return here;
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }
}
