package io.millrace.schemas.release;

/**
 * How far the language of this build has come. Homes are marked with it: a build refuses one whose
 * level is above its own, since what stands there may be more than it understands.
 */
public final class SchemaLevel {

  /**
   * One more than that of the last released version as soon as a record differs from it; the tests
   * say when it is time to raise it.
   */
  public static final int OWN = 1;

  private SchemaLevel() {}
}
