package io.millrace.server.accounting;

import io.millrace.schemas.common.FactMeta;
import org.apache.avro.specific.SpecificRecord;

/** Leaves out facts of earlier times: nobody is told now what happened years ago. */
record Since(long ms, FactReader reader) implements FactReader {

  @Override
  public boolean tells(String fact) {
    return reader.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    if (((FactMeta) fact.get(0)).getAtMs() >= ms) {
      reader.follow(shard, fact);
    }
  }
}
