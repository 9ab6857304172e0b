package io.millrace.ops.faults;

import io.millrace.schemas.common.FactMeta;
import org.apache.avro.specific.SpecificRecord;

/** A fact and where it stands. */
public record LedgerEntry(int shard, long offset, SpecificRecord fact) {

  FactMeta meta() {
    return (FactMeta) fact.get(0);
  }

  @Override
  public String toString() {
    return fact.getSchema().getName() + " (shard " + shard + ", offset " + offset + ")";
  }
}
