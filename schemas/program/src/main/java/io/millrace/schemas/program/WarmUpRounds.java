package io.millrace.schemas.program;

/** How often a part repeats the work with which it warms up before its first user comes. */
public final class WarmUpRounds {

  /**
   * The JVM option {@code -Dmillrace.warmup=once} is for installations that live for a minute, such
   * as those of tests: their processor time is worth more than their first answers' speed.
   */
  private static final String PROPERTY = "millrace.warmup";

  private WarmUpRounds() {}

  /** Once at least, so that the way of a start is the same. */
  public static int of(int usual) {
    return "once".equals(System.getProperty(PROPERTY)) ? 1 : usual;
  }
}
