package io.millrace.ops.gridengine.front;

import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;

/** A shard's refusals in Grid Engine's words. */
final class Refusals {

  private static final int UNAUTHORIZED = 15007;
  private static final int UNKNOWN_JOB = 15001;
  private static final int FINISHED = 15139;

  private Refusals() {}

  /** The job ended before the command came to it. */
  static boolean gone(Reply reply) {
    return reply.getCode() == UNKNOWN_JOB || reply.getCode() == FINISHED;
  }

  static String delete(String user, Job job, Reply reply) {
    return reply.getCode() == UNAUTHORIZED
        ? user
            + " - you do not have the necessary privileges to delete the job \""
            + Texts.number(job)
            + "\"\n"
        : change(user, job, reply);
  }

  static String change(String user, Job job, Reply reply) {
    return switch (reply.getCode()) {
      case UNAUTHORIZED ->
          "denied: \""
              + user
              + "\" must be at least owner of job "
              + Texts.number(job)
              + " to change job attributes\n";
      case UNKNOWN_JOB, FINISHED -> "denied: job \"" + Texts.number(job) + "\" does not exist\n";
      default ->
          "denied: job " + Texts.number(job) + ": " + String.join(" ", reply.getLines()) + "\n";
    };
  }
}
