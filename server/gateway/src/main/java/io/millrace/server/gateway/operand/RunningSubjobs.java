package io.millrace.server.gateway.operand;

import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * What qsig, qrerun and qmsg share: for an array, or several of its subjobs, each running one gets
 * a command.
 */
public final class RunningSubjobs {

  /** Error codes of commands on a run that has ended since it was looked up. */
  public static final Set<Integer> OVER =
      Set.of(PbsError.BAD_STATE.code(), PbsError.JOB_FINISHED.code(), PbsError.UNKNOWN_JOB.code());

  private RunningSubjobs() {}

  /** One command for one job. */
  public interface SubjobCommand {
    SpecificRecord command(CommandMeta meta, String jobId);
  }

  /** Waits for the effect of a command; returns the answer to report. */
  public interface Then {
    Reply after(String jobId, Reply reply) throws QueryException, InterruptedException;
  }

  public static int run(Call call, List<String> ids, SubjobCommand each)
      throws LinkException, QueryException, InterruptedException {
    return run(call, ids, each, (id, reply) -> reply);
  }

  /**
   * Command ids are derived from the operand and the job, not from the position: a repeated
   * invocation may find other running subjobs.
   */
  public static int run(Call call, List<String> ids, SubjobCommand each, Then then)
      throws LinkException, QueryException, InterruptedException {
    int status = 0;
    for (int i = 0; i < ids.size(); i++) {
      String text = ids.get(i);
      String operand = call.name() + " " + i + " ";
      JobList.JobCommandSender send =
          (shard, job) -> {
            CommandMeta meta = call.meta(call.commandId(), operand + job);
            Reply reply = call.await(call.sendAsync(shard, meta, each.command(meta, job)));
            return then.after(job, reply);
          };
      int result = one(call, text, send);
      status = result == 0 ? status : result;
    }
    return status;
  }

  private static int one(Call call, String text, JobList.JobCommandSender send)
      throws LinkException, QueryException, InterruptedException {
    JobIds.ArrayPart part = JobIds.part(text, call.site().server()).orElse(null);
    JobIds.JobId id =
        part != null ? part.array() : JobIds.parse(text, call.site().server()).orElse(null);
    List<Integer> indices = id == null ? List.of() : running(call, id, part);
    return indices.isEmpty()
        ? JobList.run(
            call, List.of(text), send, (shard, some) -> send.send(shard, some.array().id()))
        : all(call, id, indices, send);
  }

  /** The subjobs that run; none for a job that is no array. */
  private static List<Integer> running(Call call, JobIds.JobId id, JobIds.ArrayPart part)
      throws QueryException, InterruptedException {
    Job array = call.site().queries().job(id.number()).orElse(null);
    if (array == null || array.getArray() == null || !array.getId().equals(id.id())) {
      return List.of();
    }
    return array.getArray().getBegun().stream()
        .filter(index -> part == null || part.has(index))
        .sorted()
        .toList();
  }

  /**
   * What PBS says of a subjob that its array does not have, where it says something else than of
   * any unknown job.
   */
  public static Reply ofArray(Call call, String id, Reply reply)
      throws QueryException, InterruptedException {
    JobIds.JobId subjob = JobIds.parse(id, call.site().server()).orElse(null);
    boolean wrong =
        reply.getCode() == PbsError.UNKNOWN_JOB.code()
            && subjob != null
            && JobNumbers.isSubjob(subjob.number())
            && call.site().queries().job(JobNumbers.array(subjob.number())).isPresent();
    return wrong ? refusal(reply, PbsError.INVALID_REQUEST, "") : reply;
  }

  /** Another refusal in the place of the one that came. */
  public static Reply refusal(Reply reply, PbsError error, String text) {
    String line = text.isEmpty() ? error.text() : text;
    return new Reply(reply.getId(), error.code(), List.of(line), false);
  }

  /** Reports equal refusals of several subjobs once. */
  private static int all(
      Call call, JobIds.JobId id, List<Integer> indices, JobList.JobCommandSender each)
      throws LinkException, QueryException, InterruptedException {
    OptionalInt shard = call.site().queries().birth(id.number());
    int status = 0;
    Set<Integer> said = new HashSet<>(OVER);
    for (int index : indices) {
      String subjob = id.id().replace("[]", "[" + index + "]");
      Reply reply = each.send(shard.orElse(0), subjob);
      if (reply.getCode() != 0 && said.add(reply.getCode())) {
        status = JobList.told(call, reply, subjob);
      }
    }
    return status;
  }
}
