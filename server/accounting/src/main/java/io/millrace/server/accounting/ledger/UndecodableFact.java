package io.millrace.server.accounting.ledger;

import io.millrace.schemas.UndecodableRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record of the ledger that nobody can read: what follows on it cannot be understood either. */
public final class UndecodableFact extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public UndecodableFact(ConsumerRecord<?, ?> record, UndecodableRecord why) {
    super(
        "ledger, shard "
            + record.partition()
            + ", offset "
            + record.offset()
            + ": "
            + why.getMessage(),
        why);
  }
}
