package io.millrace.reservations.classad.text;

import io.millrace.reservations.classad.tree.Value;

/**
 * A word of the language.
 *
 * @param text the name of a {@link TokenKind#NAME}, the sign of a {@link TokenKind#SIGN}
 * @param value of a {@link TokenKind#LITERAL}, else null
 * @param line from 1
 * @param column from 1
 */
record Token(TokenKind kind, String text, Value value, int line, int column) {

  enum TokenKind {
    LITERAL,
    NAME,
    SIGN,
    END
  }

  boolean is(String sign) {
    return kind == TokenKind.SIGN && text.equals(sign);
  }

  /** Whether an operand may end here, so that a following {@code -} subtracts. */
  boolean endsOperand() {
    return switch (kind) {
      case LITERAL, NAME -> true;
      case SIGN -> text.equals(")") || text.equals("]") || text.equals("}") || text.equals(".");
      case END -> false;
    };
  }

  ClassAdRefused refused(String reason) {
    return new ClassAdRefused(line, column, reason);
  }

  /** How messages call it. */
  String shown() {
    return switch (kind) {
      case END -> "the end of the text";
      case LITERAL -> value.kind().word() + " " + cut(ClassAdPrinter.print(value.expression()));
      default -> "'" + cut(text) + "'";
    };
  }

  /** So much of a word as a message has room for. */
  static String cut(String word) {
    String plain = word.replaceAll("[\\p{Cc}]", "?");
    return plain.length() <= 40 ? plain : plain.substring(0, 40) + "...";
  }
}
