package io.millrace.schedulers.core.policy;

/** What may be stopped for the sake of a waiting job. Nothing preempts yet. */
public enum Preemption {
  /** Runs are left alone. */
  NONE
}
