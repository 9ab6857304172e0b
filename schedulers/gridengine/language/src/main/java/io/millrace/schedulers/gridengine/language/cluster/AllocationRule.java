package io.millrace.schedulers.gridengine.language.cluster;

import java.util.Locale;

/** How a parallel environment spreads slots over hosts. */
public sealed interface AllocationRule {

  /** Exactly so many on each host. */
  record Fixed(int slots) implements AllocationRule {}

  /** All on one host. */
  record OneHost() implements AllocationRule {}

  /** As many as possible on each host, one host after the other. */
  record FillUp() implements AllocationRule {}

  /** One on each host in turn. */
  record RoundRobin() implements AllocationRule {}

  static AllocationRule of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "$pe_slots" -> new OneHost();
      case "$fill_up" -> new FillUp();
      case "$round_robin" -> new RoundRobin();
      default -> new Fixed(Integer.parseInt(text));
    };
  }

  /** Whether so many slots can be spread at all. */
  default boolean allows(int slots) {
    return !(this instanceof Fixed fixed) || slots % fixed.slots() == 0;
  }

  /** The number each used host must give, 0 when it is free. */
  default int exactPerHost(int slots) {
    if (this instanceof Fixed fixed) {
      return fixed.slots();
    }
    return this instanceof OneHost ? slots : 0;
  }
}
