package io.millrace.ops.home;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;

/** Kafka principals of Millrace. */
public enum KafkaPrincipal {
  /** Broker, initialisation and administrators: may do everything. */
  ADMIN,
  SERVER,
  /** A scheduler in a process of its own. */
  ENGINE,
  GATEWAY,
  EXECUTOR,
  /** The campaign server: may submit and delete jobs of campaigns. */
  CAMPAIGNS,
  /** Who speaks to other installations: says what becomes of parts of reservations there. */
  SITES,
  /**
   * Monitoring consumers: read facts and tables, jobs' environments included; meant for the group
   * of its settings file.
   */
  MONITOR;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of principals, with a text between them. */
  public static String names(Collection<KafkaPrincipal> principals, String between) {
    return principals.stream().map(KafkaPrincipal::text).collect(Collectors.joining(between));
  }
}
