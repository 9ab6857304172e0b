package io.millrace.reservations.classad.text;

import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Splits a text into tokens, as HTCondor's library does. */
final class ClassAdLexer {

  private static final Map<String, Value> LITERAL_WORDS =
      Map.of(
          "true",
          Scalar.of(true),
          "false",
          Scalar.of(false),
          "undefined",
          Scalar.UNDEFINED,
          "error",
          Scalar.ERROR);

  /** Longer signs before those that they begin with. */
  private static final List<String> SIGNS =
      List.of(
          "=?=", "=!=", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*", "/", "%", "+",
          "-", "~", "^", ":", ";", ",", "[", "]", "(", ")", "{", "}", "&", "|", "<", ">", "=", "!",
          ".");

  private final String text;
  private final int end;
  private final boolean oldForm;
  private int at;
  private int line;
  private int lineStart;
  private boolean operandBefore;

  /**
   * @param oldForm whether a backslash in a string means itself unless a quote follows, and
   *     integers have no leading zeros
   * @param from where to begin; the line of this place is {@code line}
   */
  ClassAdLexer(String text, boolean oldForm, int from, int end, int line) {
    this.text = text;
    this.oldForm = oldForm;
    this.at = from;
    this.lineStart = from;
    this.end = end;
    this.line = line;
  }

  /** The next token; {@link Token.TokenKind#END} again and again at the end. */
  Token next() {
    skipSpace();
    Token token = read();
    operandBefore = token.endsOperand();
    return token;
  }

  private int peek(int ahead) {
    return at + ahead < end ? text.charAt(at + ahead) : -1;
  }

  private static boolean isSpace(int c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private void step() {
    if (text.charAt(at) == '\n') {
      line++;
      lineStart = at + 1;
    }
    at++;
  }

  private void skipSpace() {
    while (at < end) {
      if (isSpace(peek(0))) {
        step();
      } else if (peek(0) == '/' && peek(1) == '/') {
        while (at < end && peek(0) != '\n') {
          step();
        }
      } else if (peek(0) == '/' && peek(1) == '*') {
        skipComment();
      } else {
        return;
      }
    }
  }

  private void skipComment() {
    ClassAdRefused open = refused("the comment /* has no */");
    at += 2;
    while (!(peek(0) == '*' && peek(1) == '/')) {
      if (at >= end) {
        throw open;
      }
      step();
    }
    at += 2;
  }

  private ClassAdRefused refused(String reason) {
    return new ClassAdRefused(line, at - lineStart + 1, reason);
  }

  private Token token(Token.TokenKind kind, String word, Value value, int from, int itsLine) {
    return new Token(kind, word, value, itsLine, from - lineStart + 1);
  }

  private Token read() {
    int c = peek(0);
    if (c < 0) {
      return token(Token.TokenKind.END, "", null, at, line);
    }
    boolean fraction = c == '.' && isDigit(peek(1));
    boolean negative =
        c == '-' && !operandBefore && (isDigit(peek(1)) || (peek(1) == '.' && isDigit(peek(2))));
    if (isDigit(c) || fraction || negative) {
      return number();
    }
    if (isLetter(c)) {
      return word();
    }
    if (c == '"' || c == '\'') {
      return quoted((char) c);
    }
    return sign(c);
  }

  private Token sign(int c) {
    int from = at;
    if (c == '?') {
      return question();
    }
    for (String each : SIGNS) {
      if (text.startsWith(each, at) && at + each.length() <= end) {
        at += each.length();
        String meaning = each.equals("=?=") ? "is" : each.equals("=!=") ? "isnt" : each;
        if (meaning.equals("=") && peek(0) == '?') {
          at = from;
          throw refused("'=?' is no operator; =?= is");
        }
        return token(Token.TokenKind.SIGN, meaning, null, from, line);
      }
    }
    throw refused(
        c < ' ' || c > '~'
            ? String.format("a character that is none of the language: U+%04X", c)
            : "'" + (char) c + "' is no operator");
  }

  /** {@code ?} or, with nothing but space between, {@code ?:}. */
  private Token question() {
    int from = at;
    Token plain = token(Token.TokenKind.SIGN, "?", null, from, line);
    at++;
    int ahead = 0;
    while (isSpace(peek(ahead))) {
      ahead++;
    }
    if (peek(ahead) != ':') {
      return plain;
    }
    for (int i = 0; i <= ahead; i++) {
      step();
    }
    return new Token(Token.TokenKind.SIGN, "?:", null, plain.line(), plain.column());
  }

  private Token word() {
    int from = at;
    while (isLetter(peek(0)) || isDigit(peek(0))) {
      at++;
    }
    String name = text.substring(from, at);
    String key = name.toLowerCase(Locale.ROOT);
    if (key.equals("is") || key.equals("isnt")) {
      return token(Token.TokenKind.SIGN, key, null, from, line);
    }
    Value literal = LITERAL_WORDS.get(key);
    return literal == null
        ? token(Token.TokenKind.NAME, name, null, from, line)
        : token(Token.TokenKind.LITERAL, name, literal, from, line);
  }

  private Token number() {
    int from = at;
    if (peek(0) == '-') {
      at++;
    }
    int first = at;
    boolean hexadecimal = peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X');
    if (hexadecimal) {
      at += 2;
      while (isHex(peek(0))) {
        at++;
      }
      return whole(from, first + 2, 16);
    }
    digits();
    boolean real = fraction(first) | exponent();
    if (real) {
      double value = Double.parseDouble(text.substring(from, at));
      return token(Token.TokenKind.LITERAL, "", Scalar.of(value), from, line);
    }
    boolean octal = peek(first - at) == '0' && at - first > 1;
    return whole(from, octal ? first + 1 : first, octal ? 8 : 10);
  }

  private void digits() {
    while (isDigit(peek(0))) {
      at++;
    }
  }

  private boolean fraction(int first) {
    if (peek(0) != '.') {
      return false;
    }
    at++;
    if (!isDigit(peek(0))) {
      throw refused("a digit is missing after " + Token.cut(text.substring(first, at)));
    }
    digits();
    return true;
  }

  private boolean exponent() {
    if (peek(0) != 'e' && peek(0) != 'E') {
      return false;
    }
    at++;
    if (peek(0) == '+' || peek(0) == '-') {
      at++;
    }
    if (!isDigit(peek(0))) {
      throw refused("the exponent of a real has no digits");
    }
    digits();
    return true;
  }

  private Token whole(int from, int digitsFrom, int radix) {
    String written = text.substring(from, at);
    String digits = text.substring(digitsFrom, at);
    if (oldForm && radix != 10) {
      at = from;
      throw refused(Token.cut(written) + ": integers of the old form have no leading 0");
    }
    String sign = text.charAt(from) == '-' ? "-" : "";
    try {
      long value = Long.parseLong(sign + digits, radix);
      return token(Token.TokenKind.LITERAL, "", Scalar.of(value), from, line);
    } catch (NumberFormatException e) {
      at = from;
      boolean tooLarge = digits.chars().allMatch(c -> Character.digit(c, radix) >= 0);
      throw refused(
          Token.cut(written)
              + (digits.isEmpty()
                  ? " has no digits"
                  : tooLarge
                      ? " does not fit into 64 bits"
                      : " begins with 0 and has digits that are not octal"));
    }
  }

  /** A string, or a name in apostrophes. Parts with only space between them are one. */
  private Token quoted(char quote) {
    int itsLine = line;
    int column = at - lineStart + 1;
    StringBuilder raw = new StringBuilder();
    do {
      part(quote, raw, new ClassAdRefused(itsLine, column, "the closing " + quote + " is missing"));
    } while (!oldForm && partFollows(quote));
    String value = oldForm ? raw.toString() : Escapes.replaced(raw);
    if (value == null) {
      throw new ClassAdRefused(itsLine, column, "\\0 cannot stand in a string");
    }
    if (quote == '"') {
      return new Token(Token.TokenKind.LITERAL, "", Scalar.of(value), itsLine, column);
    }
    if (value.isEmpty()) {
      throw new ClassAdRefused(itsLine, column, "a name in apostrophes is empty");
    }
    return new Token(Token.TokenKind.NAME, value, null, itsLine, column);
  }

  private void part(char quote, StringBuilder raw, ClassAdRefused open) {
    at++;
    while (true) {
      if (at >= end) {
        throw open;
      }
      char c = text.charAt(at);
      if (c == '\\' && peek(1) == quote && oldForm && !endsLine(at + 2)) {
        raw.append(quote);
        at += 2;
      } else if (c == '\\' && !oldForm && at + 1 < end) {
        raw.append(c).append(text.charAt(at + 1));
        step();
        step();
      } else if (c == quote) {
        at++;
        return;
      } else {
        raw.append(c);
        step();
      }
    }
  }

  private boolean endsLine(int place) {
    return place >= end || text.charAt(place) == '\n';
  }

  private boolean partFollows(char quote) {
    int ahead = 0;
    while (isSpace(peek(ahead))) {
      ahead++;
    }
    if (peek(ahead) != quote) {
      return false;
    }
    for (int i = 0; i < ahead; i++) {
      step();
    }
    return true;
  }
}
