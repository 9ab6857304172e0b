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
    return new WholeNumber(value);
  }

  static Value of(double value) {
    return new Real(value);
  }

  static Value of(String value) {
    return new TextValue(value);
  }

  /** Undefined and error. */
  enum Exceptional implements Scalar {
    UNDEFINED,
    ERROR;

    @Override
    public ClassAdType kind() {
      return this == UNDEFINED ? ClassAdType.UNDEFINED : ClassAdType.ERROR;
    }
  }

  /** A boolean. */
  record Truth(boolean value) implements Scalar {
    @Override
    public ClassAdType kind() {
      return ClassAdType.BOOLEAN;
    }
  }

  /** An integer of 64 bits. */
  record WholeNumber(long value) implements Scalar {
    @Override
    public ClassAdType kind() {
      return ClassAdType.INTEGER;
    }
  }

  /** A real of double precision. */
  record Real(double value) implements Scalar {
    @Override
    public ClassAdType kind() {
      return ClassAdType.REAL;
    }
  }

  /** A string. */
  record TextValue(String value) implements Scalar {
    @Override
    public ClassAdType kind() {
      return ClassAdType.STRING;
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
    public ClassAdType kind() {
      return ClassAdType.ABSOLUTE_TIME;
    }
  }

  /** A length of time in seconds. */
  record RelativeTime(double seconds) implements Scalar {
    @Override
    public ClassAdType kind() {
      return ClassAdType.RELATIVE_TIME;
    }
  }
}
