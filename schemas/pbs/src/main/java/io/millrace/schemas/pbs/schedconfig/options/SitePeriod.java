package io.millrace.schemas.pbs.schedconfig.options;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The two kinds of time for which starred options can have different values. */
public enum SitePeriod {
  /** By day, as the holidays file says. */
  PRIME("prime"),
  /** At night, at weekends and on holidays. */
  NON_PRIME("non_prime");

  private final String word;

  SitePeriod(String word) {
    this.word = word;
  }

  /** PBS's word for it. */
  public String word() {
    return word;
  }

  /** The periods that a third word of a line names; empty for a word that names none. */
  static Optional<Set<SitePeriod>> named(String word) {
    return switch (word) {
      case "prime", "PRIME" -> Optional.of(EnumSet.of(PRIME));
      case "non_prime", "NON_PRIME" -> Optional.of(EnumSet.of(NON_PRIME));
      case "all", "ALL" -> Optional.of(EnumSet.allOf(SitePeriod.class));
      case "none", "NONE" -> Optional.of(EnumSet.noneOf(SitePeriod.class));
      default -> Optional.empty();
    };
  }
}
