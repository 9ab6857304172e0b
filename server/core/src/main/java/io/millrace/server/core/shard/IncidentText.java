package io.millrace.server.core.shard;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.server.core.state.Keys;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * A command as a log names it: what it is, about which job, of whom. Not its other fields: they may
 * have the variables, the script and the arguments of a job, which are for no reader of a log.
 */
final class IncidentText {

  private IncidentText() {}

  static String of(SpecificRecord command) {
    StringBuilder text = new StringBuilder(command.getSchema().getName());
    Schema.Field job = command.getSchema().getField("job_id");
    if (job != null) {
      text.append(" for ").append(command.get(job.pos()));
    }
    Schema.Field meta = command.getSchema().getField("meta");
    if (meta != null && command.get(meta.pos()) instanceof CommandMeta of) {
      text.append(" of ").append(of.getPrincipal());
      text.append(" (command id ").append(Keys.command(of.getId())).append(')');
    }
    return text.toString();
  }
}
