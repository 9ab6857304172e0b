package io.millrace.server.campaigns.core;

import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Records by their keys, in the order of the keys. What was read is nobody else's. */
public interface CampaignTable {

  /** The record of a key; null when there is none. */
  SpecificRecord get(String key);

  /** Puts a record; null removes it. */
  void put(String key, SpecificRecord record);

  /** Tells each record whose key begins so. */
  void scan(String prefix, Consumer<SpecificRecord> each);
}
