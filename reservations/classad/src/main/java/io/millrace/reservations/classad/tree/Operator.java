package io.millrace.reservations.classad.tree;

/** Operators with one or two operands; the higher the level, the tighter they bind. */
public enum Operator {
  OR("||", 1),
  AND("&&", 2),
  BIT_OR("|", 3),
  BIT_XOR("^", 4),
  BIT_AND("&", 5),
  EQUAL("==", 6),
  NOT_EQUAL("!=", 6),
  IS("is", 6),
  ISNT("isnt", 6),
  LESS("<", 7),
  LESS_OR_EQUAL("<=", 7),
  GREATER(">", 7),
  GREATER_OR_EQUAL(">=", 7),
  LEFT_SHIFT("<<", 8),
  RIGHT_SHIFT(">>", 8),
  UNSIGNED_RIGHT_SHIFT(">>>", 8),
  ADD("+", 9),
  SUBTRACT("-", 9),
  MULTIPLY("*", 10),
  DIVIDE("/", 10),
  MODULUS("%", 10),
  NOT("!", 11),
  BIT_NOT("~", 11),
  PLUS("+", 11),
  MINUS("-", 11),
  ELVIS("?:", 12);

  /** The level of operators with one operand; those below have two. */
  public static final int PREFIX_LEVEL = 11;

  private final String symbol;
  private final int level;

  Operator(String symbol, int level) {
    this.symbol = symbol;
    this.level = level;
  }

  public String symbol() {
    return symbol;
  }

  public int level() {
    return level;
  }

  /** Whether an error or undefined operand decides the result, whatever the other one is. */
  public boolean isStrict() {
    return switch (this) {
      case OR, AND, IS, ISNT, ELVIS -> false;
      default -> true;
    };
  }
}
