package io.millrace.schemas.pbs.attributes;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The valid name that a mistyped one probably means. */
public final class Nearest {

  private static final int SLIPS = 2;

  /** Letters of a name per allowed slip: most short words are only one or two edits apart. */
  private static final int LETTERS_A_SLIP = 4;

  private Nearest() {}

  /**
   * The name that is a prefix or an extension of the typed one; else the first of those with the
   * fewest edits; empty when more than half of the letters would change.
   */
  public static Optional<String> of(String typed, Collection<String> valid) {
    String lower = typed.toLowerCase(Locale.ROOT);
    return valid.stream()
        .filter(name -> begins(lower, name))
        .findFirst()
        .or(() -> close(lower, valid));
  }

  /** The valid name that differs from the typed one by no more than a typing slip or two. */
  public static Optional<String> slip(String typed, Collection<String> valid) {
    String lower = typed.toLowerCase(Locale.ROOT);
    return valid.stream()
        .filter(name -> edits(lower, name.toLowerCase(Locale.ROOT)) <= slips(lower, name))
        .findFirst();
  }

  private static int slips(String typed, String name) {
    return Math.min(SLIPS, Math.min(typed.length(), name.length()) / LETTERS_A_SLIP);
  }

  private static boolean begins(String typed, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return Math.min(typed.length(), lower.length()) > 2
        && (lower.startsWith(typed) || typed.startsWith(lower));
  }

  private static Optional<String> close(String lower, Collection<String> valid) {
    // A word that is much longer or shorter needs as many edits as the lengths differ by.
    return valid.stream()
        .filter(name -> Math.abs(lower.length() - name.length()) <= most(lower, name))
        .min(Comparator.comparingInt(name -> edits(lower, name.toLowerCase(Locale.ROOT))))
        .filter(name -> edits(lower, name.toLowerCase(Locale.ROOT)) <= most(lower, name));
  }

  private static int most(String typed, String name) {
    return Math.max(2, Math.max(typed.length(), name.length()) / 2);
  }

  /** " (nearest: NAME)", or nothing. */
  public static String hint(String typed, Collection<String> valid) {
    return of(typed, valid).map(name -> " (nearest: " + name + ")").orElse("");
  }

  /** Edit distance: insertions, deletions and replacements that turn one word into the other. */
  private static int edits(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      above[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(
                above[column - 1] + replaced, 1 + Math.min(above[column], current[column - 1]));
      }
      above = current;
    }
    return above[to.length()];
  }
}
