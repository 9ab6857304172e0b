package io.millrace.reservations.classad.tree;

/** A value without parts. */
public sealed interface Scalar extends Value {

  /** The value of what is not there. */
  Value UNDEFINED = Exceptional.UNDEFINED;

  /** The value of what makes no sense. */
  Value ERROR = Exceptional.ERROR;

  @Override
  default Expression expression() {
    return new Expression.Literal(this);
  }

  static Value of(boolean value) {
    return new Truth(value);
  }

  static Value of(long value) {
    return new Whole(value);
  }

  static Value of(double value) {
    return new Real(value);
  }

  static Value of(String value) {
    return new Text(value);
  }

  /** Undefined and error. */
  enum Exceptional implements Scalar {
    UNDEFINED,
    ERROR;

    @Override
    public Kind kind() {
      return this == UNDEFINED ? Kind.UNDEFINED : Kind.ERROR;
    }
  }

  /** A boolean. */
  record Truth(boolean value) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.BOOLEAN;
    }
  }

  /** An integer of 64 bits. */
  record Whole(long value) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.INTEGER;
    }
  }

  /** A real of double precision. */
  record Real(double value) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.REAL;
    }
  }

  /** A string. */
  record Text(String value) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.STRING;
    }
  }

  /**
   * A moment.
   *
   * @param seconds since 1970 in UTC
   * @param offset_s seconds east of Greenwich of the place it was written for
   */
  record AbsoluteTime(long seconds, int offset_s) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.ABSOLUTE_TIME;
    }
  }

  /** A length of time in seconds. */
  record RelativeTime(double seconds) implements Scalar {
    @Override
    public Kind kind() {
      return Kind.RELATIVE_TIME;
    }
  }
}
