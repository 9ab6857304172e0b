package io.millrace.server.gridengine.cell;

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
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.specific.SpecificRecord;

/** Sends commands about jobs to where they were born, which knows where they live. */
public final class BirthShards {

  private BirthShards() {}

  /**
   * What came of commands about jobs.
   *
   * @param replies by job id; none for those that a shard did not answer
   * @param failure why, if there are such
   */
  public record BirthShardAnswers(Map<String, Reply> replies, Optional<LinkException> failure) {

    /** Whether a shard said what became of the command about this job. */
    public boolean has(Job job) {
      return replies.containsKey(job.getId());
    }

    public Reply of(Job job) {
      return replies.get(job.getId());
    }

    /** After all that was done is told: fails when something may not have been. */
    public void complete() throws LinkException {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }

  /** Sends one command about each of these jobs, all together. */
  public static BirthShardAnswers send(
      Call call, Collection<Job> jobs, BiFunction<CommandMeta, Job, SpecificRecord> command)
      throws InterruptedException {
    Map<String, Job> each = new LinkedHashMap<>();
    jobs.forEach(job -> each.put(job.getId(), job));
    List<Call.Addressed> commands =
        each.values().stream()
            .map(job -> new Call.Addressed(job.getBirthShard(), meta -> command.apply(meta, job)))
            .toList();
    Call.CommandAnswers answers = call.sendAll(commands);
    Map<String, Reply> replies = new HashMap<>();
    int next = 0;
    for (String id : each.keySet()) {
      answers.replies().get(next++).ifPresent(reply -> replies.put(id, reply));
    }
    return new BirthShardAnswers(replies, answers.failure());
  }
}
