package io.millrace.server.gateway.submit;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.JobIds;
import io.millrace.server.gateway.query.AwaitedJob;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.PassedAttributes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** qsub -W block=true: qsub ends with its job, and with its exit status. */
final class BlockingSubmission {

  private static final long FIRST_LOOK_MS = 50;
  private static final long LOOK_MAX_MS = 1000;

  /** PBS's, for a job of whose end there is nothing to tell but a text. */
  private static final int NO_STATUS = 3;

  private static final int INTERRUPTED = 2;
  private static final int BYTE = 0xff;

  private BlockingSubmission() {}

  static boolean wanted(JobOptions jobOptions) {
    return "True".equals(PassedAttributes.BLOCK.of(jobOptions));
  }

  /** Refuses -W block=true where many jobs are submitted at once. */
  static void refuse(Call call, JobOptions jobOptions) throws Failure {
    if (wanted(jobOptions)) {
      throw call.failure("-W block=true waits for one job", 1);
    }
  }

  /** Before the job is submitted; an interactive one has its user waiting anyway. */
  static void begin(Call call, JobOptions jobOptions) throws IOException {
    if (wanted(jobOptions)) {
      call.invocation().lasts();
    }
    if (wanted(jobOptions) && jobOptions.has('I')) {
      call.invocation()
          .err(
              "qsub (Warning) : setting \"block\" attribute as \"true\" for an interactive job will"
                  + " not return job's exit status\n");
    }
  }

  /**
   * Waits for the end of a job. As with PBS the job does not outlive a qsub that is interrupted.
   *
   * @param shard to which the job was submitted
   * @return qsub's exit status
   */
  static int attend(Call call, int shard, String id) throws LinkException, InterruptedException {
    long number = JobIds.parse(id, call.site().server()).orElseThrow().number();
    call.invocation().streaming();
    AwaitedJob awaited = new AwaitedJob(call.site().queries(), number);
    for (long pause = FIRST_LOOK_MS; ; pause = Math.min(2 * pause, LOOK_MAX_MS)) {
      TimeUnit.MILLISECONDS.sleep(pause);
      if (call.invocation().clientGone()) {
        call.send(shard, meta -> new DeleteJob(meta, id, false, List.of(), false, false, false));
        return INTERRUPTED;
      }
      Optional<Job> job = awaited.look();
      if (awaited.gone()) {
        call.complain(id + " is over, and its history is not kept (job_history_enable)");
        return NO_STATUS;
      }
      if (job.isPresent() && job.get().getStatus() == JobStatus.FINISHED) {
        return end(call, job.get());
      }
    }
  }

  private static int end(Call call, Job job) {
    if (!job.getEndedBy().isEmpty()) {
      call.complain(job.getId() + " Job to be deleted at request of " + job.getEndedBy());
      return NO_STATUS;
    }
    if (job.getExitStatus() == null) {
      List<JobEvent> events = job.getEvents();
      String why = events.isEmpty() ? "" : events.get(events.size() - 1).getDetail();
      call.complain(job.getId() + " Job deleted" + (why.isEmpty() ? "" : ", " + why));
      return NO_STATUS;
    }
    return job.getExitStatus() & BYTE;
  }
}
