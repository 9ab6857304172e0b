package io.millrace.server.gateway.operand;

import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.OptionalInt;

/**
 * What qdel, qhold, qrls, qalter, qmove, qrerun, qsig and qrun share: one command per identifier,
 * in order.
 */
public final class JobList {

  /** Exit status of a command for what is no job identifier. */
  public static final int ILL_FORMED = 1;

  private JobList() {}

  /** Sends one command to the job's birth shard, which knows where the job lives. */
  public interface JobCommandSender {
    Reply send(int shard, String jobId) throws LinkException, QueryException, InterruptedException;

    /** The subject of an error message: the job, unless overridden. */
    default String subject(Reply refusal, String name) {
      return name;
    }
  }

  /** Sends one command about some subjobs of an array. */
  public interface Several {
    Reply send(int shard, JobIds.ArrayPart part)
        throws LinkException, QueryException, InterruptedException;
  }

  /**
   * Carries out the command for each identifier; goes on after a refusal, as PBS does.
   *
   * @return 0, or the exit status of the last refusal
   */
  public static int run(Call call, List<String> ids, JobCommandSender each)
      throws LinkException, QueryException, InterruptedException {
    return run(
        call,
        ids,
        each,
        (shard, part) -> {
          int first = part.indices().get(0).getFirst();
          return each.send(shard, part.array().id().replace("[]", "[" + first + "]"));
        });
  }

  public static int run(Call call, List<String> ids, JobCommandSender each, Several several)
      throws LinkException, QueryException, InterruptedException {
    int status = 0;
    for (String text : ids) {
      int result = one(call, text, each, several);
      status = result == 0 ? status : result;
    }
    return status;
  }

  private static int one(Call call, String text, JobCommandSender each, Several several)
      throws LinkException, QueryException, InterruptedException {
    String server = call.site().server();
    JobIds.ArrayPart part = JobIds.part(text, server).orElse(null);
    JobIds.JobId id = part != null ? part.array() : JobIds.parse(text, server).orElse(null);
    if (id == null) {
      return illFormed(call, text);
    }
    String name = part == null ? id.id() : part.id();
    OptionalInt shard = call.site().queries().birth(id.number());
    if (shard.isEmpty()) {
      call.complain(PbsError.UNKNOWN_JOB.text() + " " + name);
      return PbsError.UNKNOWN_JOB.exitStatus();
    }
    Reply reply =
        part == null ? each.send(shard.getAsInt(), id.id()) : several.send(shard.getAsInt(), part);
    return told(call, reply, each.subject(reply, name));
  }

  /** Reports an argument that is no job identifier. */
  public static int illFormed(Call call, String text) {
    call.complain("illegally formed job identifier: " + text);
    return ILL_FORMED;
  }

  /** Reports an unknown job; a job that the caller may not see is reported in the same way. */
  public static int unseen(Call call, JobIds.JobId id, String name)
      throws QueryException, InterruptedException {
    if (call.site().queries().hides(id.number())) {
      call.complain(PbsError.UNAUTHORIZED.text() + " " + name);
      return PbsError.UNAUTHORIZED.exitStatus();
    }
    call.complain(PbsError.UNKNOWN_JOB.text() + " " + name);
    return PbsError.UNKNOWN_JOB.exitStatus();
  }

  /** Reports a refusal. */
  public static int told(Call call, Reply reply, String name) {
    if (reply.getCode() == 0) {
      return 0;
    }
    call.complain(text(reply) + " " + name);
    return PbsError.exitStatus(reply.getCode());
  }

  /** The text of a refusal, on one line. */
  public static String text(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ")"
        : String.join(" ", reply.getLines());
  }
}
