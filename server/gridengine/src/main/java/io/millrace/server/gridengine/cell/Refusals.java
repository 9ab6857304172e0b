package io.millrace.server.gridengine.cell;

import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;

/** A shard's refusals in Grid Engine's words. */
public final class Refusals {

  private Refusals() {}

  /** The job ended before the command came to it. */
  public static boolean gone(Reply reply) {
    return said(reply, PbsError.UNKNOWN_JOB) || said(reply, PbsError.JOB_FINISHED);
  }

  public static String delete(String user, Job job, Reply reply) {
    return said(reply, PbsError.UNAUTHORIZED)
        ? user
            + " - you do not have the necessary privileges to delete the job \""
            + Texts.number(job)
            + "\"\n"
        : change(user, job, reply);
  }

  public static String change(String user, Job job, Reply reply) {
    if (said(reply, PbsError.UNAUTHORIZED)) {
      return "denied: \""
          + user
          + "\" must be at least owner of job "
          + Texts.number(job)
          + " to change job attributes\n";
    }
    if (gone(reply)) {
      return "denied: job \"" + Texts.number(job) + "\" does not exist\n";
    }
    return "denied: job " + Texts.number(job) + ": " + String.join(" ", reply.getLines()) + "\n";
  }

  private static boolean said(Reply reply, PbsError error) {
    return reply.getCode() == error.code();
  }
}
