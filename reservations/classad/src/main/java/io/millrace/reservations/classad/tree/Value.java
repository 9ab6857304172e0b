package io.millrace.reservations.classad.tree;

/** What an expression evaluates to. */
public interface Value {

  /** The types of the language. */
  enum Kind {
    UNDEFINED,
    ERROR,
    BOOLEAN,
    INTEGER,
    REAL,
    STRING,
    ABSOLUTE_TIME,
    RELATIVE_TIME,
    LIST,
    RECORD;

    /** The word for messages, such as {@code absolute time}. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
  }

  Kind kind();

  /** An expression that stands for this value; that of a list or record is not evaluated. */
  Expression expression();

  default boolean is(Kind kind) {
    return kind() == kind;
  }

  /** Whether this is undefined or error. */
  default boolean isExceptional() {
    return is(Kind.UNDEFINED) || is(Kind.ERROR);
  }

  /** Whether this is an integer or a real. */
  default boolean isNumber() {
    return is(Kind.INTEGER) || is(Kind.REAL);
  }
}
