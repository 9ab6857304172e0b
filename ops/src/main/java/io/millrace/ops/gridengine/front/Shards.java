package io.millrace.ops.gridengine.front;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;

/** Sends commands about jobs to where they were born, which knows where they live. */
final class Shards {

  private Shards() {}

  static Reply send(Call call, Job job, BiFunction<CommandMeta, String, SpecificRecord> command)
      throws QueryException, LinkException, InterruptedException {
    return call.send(job.getBirthShard(), meta -> command.apply(meta, job.getId()));
  }
}
