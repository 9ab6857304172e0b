package io.millrace.server.gateway.job;

import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.query.AwaitedJob;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * As in PBS, qrerun returns when the job waits again, or when job_requeue_timeout is over. Subjobs
 * are not awaited one by one, as there may be many.
 */
final class AwaitedRequeue {
  private static final long STANDARD_S = 45;
  private static final long LOOK_MS = 100;

  private AwaitedRequeue() {}

  static Reply await(Call call, Reply reply, String id) throws InterruptedException {
    long number = JobNumbers.of(id);
    if (reply.getCode() != 0 || JobNumbers.isSubjob(number)) {
      return reply;
    }
    long seconds =
        call.site()
            .serverAttribute("job_requeue_timeout")
            .flatMap(AttributeType::parseSeconds)
            .orElse(STANDARD_S);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    AwaitedJob awaited = new AwaitedJob(call.site().queries(), number);
    while (ends(awaited.look()) || awaited.unknown()) {
      if (System.nanoTime() - endNanos >= 0) {
        String late = "Response timed out. Job rerun request still in progress for";
        return new Reply(reply.getId(), PbsError.INTERNAL.code(), List.of(late), false);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    return reply;
  }

  /** Whether the run is still ending, also when only tasks are left. */
  private static boolean ends(Optional<Job> job) {
    return job.filter(
            it -> it.getStatus() == JobStatus.RUNNING || it.getStatus() == JobStatus.EXITING)
        .filter(it -> it.getKilling() == KillPurpose.RERUN)
        .isPresent();
  }
}
