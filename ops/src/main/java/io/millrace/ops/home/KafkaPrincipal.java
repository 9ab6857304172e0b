package io.millrace.ops.home;

import java.util.Locale;

/** Who may speak to the broker. */
public enum KafkaPrincipal {
  /** Broker, initialisation and administrators: may do everything. */
  ADMIN,
  SERVER,
  /** A scheduler in a process of its own. */
  ENGINE,
  GATEWAY,
  EXECUTOR,
  /** May read facts and tables, jobs' environments included; for the group of its file. */
  MONITOR;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
