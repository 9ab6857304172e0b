package io.millrace.schemas.pbs.schedconfig.options;

/** What the value of an option looks like. */
public enum ValueForm {
  /** True or false; a number is true unless it is 0. */
  TRUTH("true or false"),
  /** A whole number of 0 or more. */
  COUNT("a whole number"),
  /** A number of jobs. */
  JOBS("a whole number or ALL_JOBS"),
  /** A length of time. */
  TIME("HH:MM:SS or MM:SS"),
  /** Above 0 and below 1. */
  FACTOR("a number above 0 and below 1"),
  /** Names with commas between them. */
  NAMES("a quoted list of names"),
  /** One name, or the beginning of one. */
  NAME("a name"),
  /** A resource, or a formula of resources. */
  USAGE("a resource or a formula of resources"),
  /** The attribute of a job by which usage is added up. */
  ENTITY("euser, egroup, Account_Name, queue or egroup:euser"),
  /** A key by which jobs are sorted. */
  JOB_KEY("\"KEY HIGH\" or \"KEY LOW\""),
  /** A key by which nodes are sorted. */
  NODE_KEY("\"KEY HIGH\" or \"KEY LOW\", with total, assigned or unused behind it or nothing"),
  /** A resource and the program that says how much there is of it. */
  PROGRAM("\"RESOURCE !PROGRAM ARGUMENTS\""),
  /** How one-chunk jobs are laid on nodes. */
  DISTRIBUTION("pack or round_robin"),
  /** How nodes are chosen that have to be provisioned. */
  PROVISION("aggressive_provision"),
  /** What reservations may lie over. */
  RESERVATION("none");

  private final String expected;

  ValueForm(String expected) {
    this.expected = expected;
  }

  /** The form in words: "must be ...". */
  public String expected() {
    return expected;
  }

  /** True when several lines of the option hold together. */
  boolean addsUp() {
    return this == JOB_KEY || this == NODE_KEY || this == NAMES || this == PROGRAM;
  }
}
