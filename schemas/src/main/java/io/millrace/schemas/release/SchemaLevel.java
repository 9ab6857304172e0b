package io.millrace.schemas.release;

/**
 * Number of the schema version of this build. Homes are marked with it: a build refuses a home with
 * a higher level, since it may contain records that the build cannot read.
 */
public final class SchemaLevel {

  /**
   * Has to be one above the last released level as soon as any record differs from that release; a
   * test says when to raise it.
   */
  public static final int OWN = 1;

  private SchemaLevel() {}
}
