package io.millrace.ops.gridengine.front;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.LinkException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;

/** Sends commands about jobs to where they were born, which knows where they live. */
final class Shards {

  private Shards() {}

  /** Sends one command about each of these jobs, all together; gives the answers by job id. */
  static Map<String, Reply> send(
      Call call, Collection<Job> jobs, BiFunction<CommandMeta, Job, SpecificRecord> command)
      throws LinkException, InterruptedException {
    Map<String, Job> each = new LinkedHashMap<>();
    jobs.forEach(job -> each.put(job.getId(), job));
    List<Call.Addressed> commands =
        each.values().stream()
            .map(job -> new Call.Addressed(job.getBirthShard(), meta -> command.apply(meta, job)))
            .toList();
    List<Reply> replies = call.sendAll(commands);
    Map<String, Reply> answers = new HashMap<>();
    int next = 0;
    for (String id : each.keySet()) {
      answers.put(id, replies.get(next++));
    }
    return answers;
  }
}
