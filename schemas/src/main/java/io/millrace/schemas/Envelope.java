package io.millrace.schemas;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import org.apache.avro.specific.SpecificRecord;

/** The envelope of a record: the first field of each command, and of each fact. */
public final class Envelope {
  private static final int META = 0;

  private Envelope() {}

  /** The envelope of a command: who sent it and where the answer goes. */
  public static CommandMeta ofCommand(SpecificRecord command) {
    return (CommandMeta) command.get(META);
  }

  /** The envelope of a fact: when it was decided and by which command it was caused. */
  public static FactMeta ofFact(SpecificRecord fact) {
    return (FactMeta) fact.get(META);
  }
}
