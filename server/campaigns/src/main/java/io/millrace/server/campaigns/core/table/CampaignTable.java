package io.millrace.server.campaigns.core.table;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/** Records by their keys, in the order of the keys. What was read is nobody else's. */
public interface CampaignTable {

  /** The record of a key; null when there is none. */
  SpecificRecord get(String key);

  /** Puts a record; null removes it. */
  void put(String key, SpecificRecord record);

  /** Tells each record whose key begins so. */
  default void scan(String prefix, Consumer<SpecificRecord> each) {
    scan(
        prefix,
        prefix,
        record -> {
          each.accept(record);
          return true;
        });
  }

  /**
   * Tells records whose key begins so, from a key on, until one is answered with false.
   *
   * @param from not below the prefix
   */
  void scan(String prefix, String from, Predicate<SpecificRecord> each);
}
