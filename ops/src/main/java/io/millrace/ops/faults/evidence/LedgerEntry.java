package io.millrace.ops.faults.evidence;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.FactMeta;
import org.apache.avro.specific.SpecificRecord;

/** A fact with its place in the ledger. */
public record LedgerEntry(int shard, long offset, SpecificRecord fact) {

  public FactMeta meta() {
    return Envelope.ofFact(fact);
  }

  @Override
  public String toString() {
    return fact.getSchema().getName() + " (shard " + shard + ", offset " + offset + ")";
  }
}
