package io.millrace.ops.faults.sabotage;

/** What goes on in a run in which a fault is planted. */
public enum SabotagedLoad {
  JOBS,
  /** Jobs that are charged to accounts. */
  FAIR_SHARE,
  CAMPAIGN
}
