package io.millrace.server.core.parking;

import io.millrace.schemas.command.ExchangeJobs;
import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.command.MessageJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Whereabouts;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import org.apache.avro.specific.SpecificRecord;

/** Handles commands about a job that lives in another shard or is in transit. */
public final class JobForwarding {
  private JobForwarding() {}

  /**
   * Passes the command on to the shard where the job lives, lets it wait for the end of a
   * hand-over, or refuses it; null when the job is here and stays.
   */
  public static Decision elsewhere(Context c, String jobId, SpecificRecord command) {
    Job job = c.job(jobId);
    if (job == null) {
      long number = Keys.jobNumber(jobId);
      if (number >= 0 && ArrayStates.isUnbegun(c.view(), number)) {
        return Decision.rejected(c, unbegun(c, number, command));
      }
      String array = Keys.number(JobNumbers.array(number));
      Whereabouts where = number < 0 ? null : c.view().whereabouts().get(array);
      return where == null || where.getShard() == c.shard()
          ? Decision.rejected(c, PbsError.UNKNOWN_JOB)
          : Decision.none().tell(where.getShard(), command);
    }
    if (job.getStatus() != JobStatus.TRANSIT) {
      return null;
    }
    CommandMeta waiting = job.getWaiting();
    if (waiting != null && waiting.getId().equals(c.meta().getId())) {
      return Decision.none();
    }
    if (ofTheMoment(command)) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    return Parking.park(
        c, Parking.Cause.JOB, Keys.number(job.getNumber()), command, Decision.none());
  }

  /**
   * Commands that make sense only for a job as it waits or runs now; a job in transit does neither.
   */
  private static boolean ofTheMoment(SpecificRecord command) {
    return command instanceof ExchangeJobs
        || command instanceof RunNow
        || command instanceof MessageJob
        || command instanceof LaunchTask;
  }

  /** PBS's error for a command about a subjob that has no record. */
  private static PbsError unbegun(Context c, long number, SpecificRecord command) {
    if (!c.mayActOn(c.view().jobs().get(Keys.number(JobNumbers.array(number))))) {
      return PbsError.UNAUTHORIZED;
    }
    boolean ofRuns =
        command instanceof RerunJob
            || command instanceof SignalJob
            || command instanceof MessageJob;
    return ofRuns ? PbsError.BAD_STATE : PbsError.INVALID_REQUEST;
  }
}
