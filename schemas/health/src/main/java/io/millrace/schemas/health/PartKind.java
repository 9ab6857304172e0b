package io.millrace.schemas.health;

import java.util.Locale;

/** The kinds of parts that tell of their health. */
public enum PartKind {
  SERVER,
  ENGINE,
  GATEWAY,
  WEB,
  EXECUTOR,
  ACCOUNTING,
  CAMPAIGNS,
  FORWARD,
  SITES;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
