package io.millrace.server.streams;

import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Set;

/**
 * Which store holds which table. Tables that consumers read have a store, and so a topic, of their
 * own; the others share one, with the table's name in front of the key: every store costs each
 * shard an open database.
 */
final class StoreLayout {
  /** Tables whose changelogs are public topics. */
  private static final Set<String> PUBLIC =
      Set.of("jobs", "nodes", "queues", "reservations", "wholes", "schedulers", "objects");

  private static final String SHARED = "shard";

  private StoreLayout() {}

  static List<String> stores() {
    return Tables.NAMES.stream().map(StoreLayout::store).distinct().toList();
  }

  static String store(String table) {
    return PUBLIC.contains(table) ? table : SHARED;
  }

  /** What stands before the key of a table's record in its store. */
  static String prefix(String table) {
    return PUBLIC.contains(table) ? "" : table + "/";
  }
}
