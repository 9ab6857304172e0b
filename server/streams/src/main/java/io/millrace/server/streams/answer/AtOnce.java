package io.millrace.server.streams.answer;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.CommandId;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which commands are answered over a gateway's connection: those about jobs. Who changes an object
 * and has his answer may ask next what gateways read from topics of committed records, and these
 * tell of the change a little later than the commit.
 */
public final class AtOnce {
  private static final String ABOUT_JOBS = "job.";

  private AtOnce() {}

  /** The id of a command of a gateway that may be answered so; null when it may not. */
  public static CommandId asked(SpecificRecord command) {
    String subject = command.getSchema().getProp("subject");
    return subject != null && subject.startsWith(ABOUT_JOBS)
        ? Envelope.ofCommand(command).getId()
        : null;
  }
}
