package io.millrace.schedulers.core;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job that starts as soon as certain runs are gone. It holds its nodes already, so that nobody
 * takes what these runs leave: until then more of the nodes is held than there is.
 */
final class Claim {

  final long number;
  final Held held;

  /** When the job will have ended if it starts at once. */
  final long endMs;

  final long sinceMs;

  /** The runs that have yet to go, and when each was to end by itself. */
  final SortedMap<Long, Long> victims;

  Claim(long number, Held held, long endMs, long sinceMs, SortedMap<Long, Long> victims) {
    this.number = number;
    this.held = held;
    this.endMs = endMs;
    this.sinceMs = sinceMs;
    this.victims = new TreeMap<>(victims);
  }

  boolean ready() {
    return victims.isEmpty();
  }

  List<Long> victimNumbers() {
    return List.copyOf(victims.keySet());
  }
}
