package io.millrace.server.accounting.ledger;

import io.millrace.schemas.Envelope;
import org.apache.avro.specific.SpecificRecord;

/** Leaves out facts of earlier times: nobody is told now what happened years ago. */
public record RecentFacts(long ms, FactReader reader) implements FactReader {

  @Override
  public boolean tells(String fact) {
    return reader.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    if (Envelope.ofFact(fact).getAtMs() >= ms) {
      reader.follow(shard, fact);
    }
  }
}
