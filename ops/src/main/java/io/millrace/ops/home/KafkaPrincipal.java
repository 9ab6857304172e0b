package io.millrace.ops.home;

import java.util.Locale;

/** Kafka principals of Millrace. */
public enum KafkaPrincipal {
  /** Broker, initialisation and administrators: may do everything. */
  ADMIN,
  SERVER,
  /** A scheduler in a process of its own. */
  ENGINE,
  GATEWAY,
  EXECUTOR,
  /**
   * Monitoring consumers: read facts and tables, jobs' environments included; meant for the group
   * of its settings file.
   */
  MONITOR;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
