package io.millrace.schedulers.gridengine.language.cluster;

import java.util.Locale;

/** How a parallel environment spreads slots over hosts. */
public sealed interface AllocationRule {

  /** A fixed number of slots on each host. */
  record FixedSlots(int slots) implements AllocationRule {}

  /** All slots on one host. */
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
      default -> new FixedSlots(Integer.parseInt(text));
    };
  }

  /** Whether this number of slots can be spread by the rule. */
  default boolean allows(int slots) {
    return !(this instanceof FixedSlots fixed) || slots % fixed.slots() == 0;
  }

  /** The number of slots that each used host must give; 0 when any number will do. */
  default int exactPerHost(int slots) {
    if (this instanceof FixedSlots fixed) {
      return fixed.slots();
    }
    return this instanceof OneHost ? slots : 0;
  }
}
