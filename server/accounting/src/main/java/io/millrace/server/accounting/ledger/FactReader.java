package io.millrace.server.accounting.ledger;

import org.apache.avro.specific.SpecificRecord;

/** Takes facts of all shards, those of one shard in their order. */
public interface FactReader {

  /** Whether facts of this name mean anything here. */
  boolean tells(String fact);

  void follow(int shard, SpecificRecord fact);
}
