package io.millrace.schemas.pbs.resources;

/** Type of a resource's value. Base units: LONG 1, SIZE 1 byte, FLOAT 1e-6, DURATION 1 second. */
public enum ResourceKind {
  LONG,
  SIZE,
  FLOAT,
  BOOLEAN,
  STRING,
  DURATION;

  /** True when values are amounts that can be compared and added. */
  public boolean numeric() {
    return this == LONG || this == SIZE || this == FLOAT || this == DURATION;
  }
}
