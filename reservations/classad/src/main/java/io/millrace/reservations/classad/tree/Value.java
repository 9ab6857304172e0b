package io.millrace.reservations.classad.tree;

/** What an expression evaluates to. */
public interface Value {

  /** The types of the language. */
  enum ClassAdType {
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

  ClassAdType kind();

  /** An expression that stands for this value; that of a list or record is not evaluated. */
  Expression expression();

  default boolean is(ClassAdType kind) {
    return kind() == kind;
  }

  /** Whether this is undefined or error. */
  default boolean isExceptional() {
    return is(ClassAdType.UNDEFINED) || is(ClassAdType.ERROR);
  }

  /** Whether this is an integer or a real. */
  default boolean isNumber() {
    return is(ClassAdType.INTEGER) || is(ClassAdType.REAL);
  }
}
