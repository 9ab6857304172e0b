package io.millrace.schedulers.dialects.origin2000.config;

/** What becomes of an option. */
public enum OriginEffect {
  /** Decisions or their records depend on it. */
  DECIDES,
  /** Read and checked, without any consequence. */
  KEPT
}
