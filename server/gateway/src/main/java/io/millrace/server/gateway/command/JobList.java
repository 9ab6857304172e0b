package io.millrace.server.gateway.command;

import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.OptionalInt;

/**
 * The way of qdel, qhold, qrls, qalter, qmove, qrerun, qsig and qrun: one command per identifier,
 * in order.
 */
final class JobList {

  static final int UNKNOWN_JOB = 15001;

  /** Exit status of a command for what is no job identifier. */
  static final int ILL_FORMED = 1;

  private static final int UNAUTHORIZED = 15007;

  private JobList() {}

  /** Sends one command to the job's birth shard, which knows where the job lives. */
  interface Each {
    Reply send(int shard, String jobId) throws LinkException, QueryException, InterruptedException;

    /** What a refusal names: the job, as a rule. */
    default String subject(Reply refusal, String name) {
      return name;
    }
  }

  /** Sends one command about some subjobs of an array. */
  interface Several {
    Reply send(int shard, JobIds.Part part)
        throws LinkException, QueryException, InterruptedException;
  }

  /**
   * Goes on after a refusal, as PBS does. Several subjobs at once are refused like each of them.
   *
   * @return 0, or the exit status of the last refusal
   */
  static int run(Call call, List<String> ids, Each each)
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

  static int run(Call call, List<String> ids, Each each, Several several)
      throws LinkException, QueryException, InterruptedException {
    int status = 0;
    for (String text : ids) {
      int result = one(call, text, each, several);
      status = result == 0 ? status : result;
    }
    return status;
  }

  private static int one(Call call, String text, Each each, Several several)
      throws LinkException, QueryException, InterruptedException {
    String server = call.site().server();
    JobIds.Part part = JobIds.part(text, server).orElse(null);
    JobIds.JobId id = part != null ? part.array() : JobIds.parse(text, server).orElse(null);
    if (id == null) {
      return illFormed(call, text);
    }
    String name = part == null ? id.id() : part.id();
    OptionalInt shard = call.site().queries().birth(id.number());
    if (shard.isEmpty()) {
      call.complain("Unknown Job Id " + name);
      return Failure.status(UNKNOWN_JOB);
    }
    Reply reply =
        part == null ? each.send(shard.getAsInt(), id.id()) : several.send(shard.getAsInt(), part);
    return told(call, reply, each.subject(reply, name));
  }

  /** Complains about what is no job identifier. */
  static int illFormed(Call call, String text) {
    call.complain("illegally formed job identifier: " + text);
    return ILL_FORMED;
  }

  /** Complains that there is no such job, or none that the caller may see. */
  static int unseen(Call call, JobIds.JobId id, String name)
      throws QueryException, InterruptedException {
    if (call.site().queries().hides(id.number())) {
      call.complain("Unauthorized Request  " + name);
      return Failure.status(UNAUTHORIZED);
    }
    call.complain("Unknown Job Id " + name);
    return Failure.status(UNKNOWN_JOB);
  }

  /** Complains about a refusal. */
  static int told(Call call, Reply reply, String name) {
    if (reply.getCode() == 0) {
      return 0;
    }
    call.complain(text(reply) + " " + name);
    return Failure.status(reply.getCode());
  }

  /** What a refusal says, on one line. */
  static String text(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ")"
        : String.join(" ", reply.getLines());
  }
}
