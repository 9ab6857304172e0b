package io.millrace.server.gateway.command;

import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.OptionalInt;

/**
 * The way of qdel, qhold, qrls, qalter, qmove, qrerun and qsig: one command per identifier, in
 * order.
 */
final class JobList {

  static final int UNKNOWN_JOB = 15001;

  private JobList() {}

  /** Sends one command to the job's birth shard, which knows where the job lives. */
  interface Each {
    Reply send(int shard, String jobId) throws LinkException, InterruptedException;
  }

  /**
   * Goes on after a refusal, as PBS does.
   *
   * @return 0, or the exit status of the last refusal
   */
  static int run(Call call, List<String> ids, Each each)
      throws LinkException, QueryException, InterruptedException {
    int status = 0;
    String server = call.site().server();
    for (String text : ids) {
      JobIds.JobId id = JobIds.parse(text, server).orElse(null);
      if (id == null) {
        call.complain("illegally formed job identifier: " + text);
        status = 1;
        continue;
      }
      OptionalInt shard =
          id.number() < 0 ? OptionalInt.empty() : call.site().queries().birth(id.number());
      if (shard.isEmpty()) {
        call.complain("Unknown Job Id " + id.id());
        status = Failure.status(UNKNOWN_JOB);
        continue;
      }
      Reply reply = each.send(shard.getAsInt(), id.id());
      if (reply.getCode() != 0) {
        call.complain(text(reply) + " " + id.id());
        status = Failure.status(reply.getCode());
      }
    }
    return status;
  }

  /** What a refusal says, on one line. */
  static String text(Reply reply) {
    return reply.getLines().isEmpty()
        ? "Error (" + reply.getCode() + ")"
        : String.join(" ", reply.getLines());
  }
}
