package io.millrace.ops.home;

import java.util.Locale;

/** Who may speak to the broker. */
public enum Principal {
  /** Broker, initialisation and administrators: may do everything. */
  ADMIN,
  SERVER,
  /** A scheduler in a process of its own. */
  ENGINE,
  GATEWAY,
  EXECUTOR,
  /** May read facts and tables; every user of the machine may be it. */
  MONITOR;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
