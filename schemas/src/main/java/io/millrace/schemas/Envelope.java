package io.millrace.schemas;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import org.apache.avro.specific.SpecificRecord;

/** The envelope of a record: the first field of each command, and of each fact. */
public final class Envelope {
  private static final int META = 0;

  private Envelope() {}

  /** Who wants a command, and where it is answered. */
  public static CommandMeta ofCommand(SpecificRecord command) {
    return (CommandMeta) command.get(META);
  }

  /** When a fact came to be, and because of which command. */
  public static FactMeta ofFact(SpecificRecord fact) {
    return (FactMeta) fact.get(META);
  }
}
