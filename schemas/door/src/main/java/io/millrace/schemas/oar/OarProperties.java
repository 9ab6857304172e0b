package io.millrace.schemas.oar;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What hosts have to show, as OAR has it: an expression of SQL over its resources. Of that
 * comparisons of a name with a number or a text, IN, LIKE and IS NULL are taken, with AND, OR, NOT
 * and parentheses. Nothing in it is read by a shell between double quotes, or ends a text.
 */
public final class OarProperties {

  /** Characters of an expression. */
  public static final int CHARACTERS_MAX = 1_000;

  /** As a class of a pattern: what may not stand anywhere in an expression. */
  public static final String FOREIGN = "[^A-Za-z0-9_.@/'\"=<>!(),%:+ -]";

  private static final int LEVELS_MAX = 20;
  private static final int SHOWN_MAX = 40;

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.@/-]+");
  private static final Pattern NAME = Pattern.compile("(?!.*--)[A-Za-z][A-Za-z0-9_-]{0,60}");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,18})?");
  private static final Pattern TEXT = Pattern.compile("'[A-Za-z0-9_.@/%:+,=() -]{0,200}'");
  private static final Pattern SIGN = Pattern.compile("<=|>=|<>|!=|[=<>(),]");
  private static final Set<String> COMPARISONS = Set.of("=", "!=", "<>", "<", "<=", ">", ">=");
  private static final Set<String> KEYWORDS =
      Set.of("AND", "OR", "NOT", "IN", "LIKE", "IS", "NULL");

  /** A name and the value that hosts have to show. */
  public record HostValue(String name, String value) {}

  /**
   * A piece of the text.
   *
   * @param from where it begins, from 0
   * @param word of a keyword in capitals; empty at the end
   */
  private record Piece(int from, String word) {}

  private final String given;
  private final List<Piece> pieces = new ArrayList<>();
  private final StringBuilder text;
  private final List<HostValue> values = new ArrayList<>();
  private Piece other;
  private int at;
  private int levels;

  /** How much longer the text is than what was given, as far as it was read. */
  private int longer;

  private OarProperties(String given) {
    this.given = given;
    this.text = new StringBuilder(given);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException in words, with the column, when it is none that is taken
   */
  public static OarProperties of(String given) {
    if (given.length() > CHARACTERS_MAX) {
      throw new IllegalArgumentException("more than " + CHARACTERS_MAX + " characters");
    }
    OarProperties read = new OarProperties(given);
    read.cut();
    read.either();
    if (!read.next().word().isEmpty()) {
      throw read.wrong("AND, OR or the end is missing before " + read.shown());
    }
    return read;
  }

  /** As an OAR gets it: unchanged, but for values in double quotes or in none. */
  public String text() {
    return text.toString();
  }

  /**
   * The values that hosts have to show, if these are all: a part of a select can ask for nothing
   * else.
   */
  public List<HostValue> values() {
    return List.copyOf(values);
  }

  /** What is more than values joined by AND, with its column. */
  public Optional<String> more() {
    return Optional.ofNullable(other).map(it -> "column " + (it.from() + 1) + ": " + it.word());
  }

  /** Whether a text can go to an OAR as it is. */
  static boolean isSafe(String text) {
    try {
      return of(text).text().equals(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void cut() {
    int from = 0;
    while (from < given.length()) {
      char first = given.charAt(from);
      if (first == ' ') {
        from++;
        continue;
      }
      int end = first == '\'' || first == '"' ? quoted(from) : end(from);
      String word = given.substring(from, end);
      String upper = word.toUpperCase(Locale.ROOT);
      pieces.add(new Piece(from, KEYWORDS.contains(upper) ? upper : word));
      from = end;
    }
    pieces.add(new Piece(given.length(), ""));
  }

  private int end(int from) {
    for (Pattern kind : List.of(WORD, SIGN)) {
      Matcher word = kind.matcher(given).region(from, given.length());
      if (word.lookingAt()) {
        return word.end();
      }
    }
    char foreign = given.charAt(from);
    String shown = foreign < ' ' || foreign > '~' ? "a character" : "'" + foreign + "'";
    throw wrong(from, shown + " has no meaning here");
  }

  private int quoted(int from) {
    int end = given.indexOf(given.charAt(from), from + 1);
    if (end < 0) {
      throw wrong(from, "the text that begins here does not end");
    }
    if (!TEXT.matcher("'" + given.substring(from + 1, end) + "'").matches()) {
      throw wrong(
          from, "a text has at most 200 letters, digits, blanks and characters of _.@/%:+,=()-");
    }
    return end + 1;
  }

  private static IllegalArgumentException wrong(int from, String why) {
    return new IllegalArgumentException("column " + (from + 1) + ": " + why);
  }

  private IllegalArgumentException wrong(String why) {
    return wrong(next().from(), why);
  }

  private Piece next() {
    return pieces.get(at);
  }

  private String shown() {
    String word = next().word();
    String cut = word.length() > SHOWN_MAX ? word.substring(0, SHOWN_MAX) + "..." : word;
    return cut.isEmpty() ? "the end" : cut;
  }

  private boolean takes(String word) {
    boolean there = next().word().equals(word);
    at += there ? 1 : 0;
    return there;
  }

  private void must(String word) {
    if (!takes(word)) {
      throw wrong(word + " is missing before " + shown());
    }
  }

  /** Notes what a select cannot say; the first one is told. */
  private void isMore(Piece piece) {
    if (other == null) {
      other = piece;
    }
  }

  private void either() {
    both();
    for (Piece sign = next(); takes("OR"); sign = next()) {
      isMore(sign);
      both();
    }
  }

  private void both() {
    one();
    while (takes("AND")) {
      one();
    }
  }

  private void one() {
    Piece begin = next();
    if (++levels > LEVELS_MAX) {
      throw wrong("more than " + LEVELS_MAX + " levels");
    }
    if (takes("NOT")) {
      isMore(begin);
      one();
    } else if (takes("(")) {
      either();
      must(")");
    } else {
      condition();
    }
    levels--;
  }

  private void condition() {
    String name = next().word();
    if (!NAME.matcher(name).matches() || KEYWORDS.contains(name)) {
      throw wrong("a property's name is missing before " + shown());
    }
    at++;
    Piece sign = next();
    if (COMPARISONS.contains(sign.word())) {
      at++;
      String value = value();
      if (sign.word().equals("=")) {
        values.add(new HostValue(name, value));
      } else {
        isMore(sign);
      }
      return;
    }
    isMore(sign);
    if (takes("IS")) {
      takes("NOT");
      must("NULL");
      return;
    }
    takes("NOT");
    if (takes("LIKE")) {
      value();
    } else if (takes("IN")) {
      must("(");
      value();
      while (takes(",")) {
        value();
      }
      must(")");
    } else {
      throw wrong("=, !=, <>, <, <=, >, >=, IN, LIKE or IS is missing before " + shown());
    }
  }

  /** A text without its quotes, or a number. In another form it becomes a text. */
  private String value() {
    Piece piece = next();
    String word = piece.word();
    boolean text = word.startsWith("'");
    boolean twice = word.startsWith("\"");
    boolean bare = !text && !twice;
    if (bare && (!WORD.matcher(word).matches() || KEYWORDS.contains(word))) {
      throw wrong("a value is missing before " + shown());
    }
    at++;
    String value = bare ? word : word.substring(1, word.length() - 1);
    if (!text && !NUMBER.matcher(word).matches()) {
      String quoted = "'" + value + "'";
      int from = piece.from() + longer;
      this.text.replace(from, from + word.length(), quoted);
      longer += quoted.length() - word.length();
    }
    return value;
  }
}
