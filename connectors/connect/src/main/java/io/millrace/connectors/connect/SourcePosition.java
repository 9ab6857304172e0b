package io.millrace.connectors.connect;

import java.util.Map;

/**
 * How far a cluster was shown, as Connect keeps it.
 *
 * @param cursor how far its logs and accounting were read
 * @param snapshot number of the last news that were shown whole; 0 for none
 */
record SourcePosition(String cursor, long snapshot) {

  static final SourcePosition FIRST = new SourcePosition("", 0);

  private static final String NAME = "cluster";
  private static final String CURSOR = "cursor";
  private static final String SNAPSHOT = "snapshot";

  /** The cluster, as Connect keeps positions by it. */
  static Map<String, String> partition(String cluster) {
    return Map.of(NAME, cluster);
  }

  /** Whether it is kept for this cluster. */
  static boolean isOf(String cluster, Map<String, ?> partition) {
    return partition.equals(partition(cluster));
  }

  /**
   * @param kept what Connect has; null for nothing
   * @throws IllegalArgumentException in one line, when it is no position
   */
  static SourcePosition of(Map<String, ?> kept) {
    if (kept == null) {
      return FIRST;
    }
    // Numbers come back from Connect's storage in the smallest form.
    if (kept.size() == 2
        && kept.get(CURSOR) instanceof String cursor
        && kept.get(SNAPSHOT) instanceof Number number
        && number.longValue() >= 0) {
      return new SourcePosition(cursor, number.longValue());
    }
    throw new IllegalArgumentException(
        "an offset has a text '" + CURSOR + "' and a number '" + SNAPSHOT + "', not " + kept);
  }

  Map<String, Object> kept() {
    return Map.of(CURSOR, cursor, SNAPSHOT, snapshot);
  }

  SourcePosition next(String to) {
    return new SourcePosition(to, snapshot + 1);
  }
}
