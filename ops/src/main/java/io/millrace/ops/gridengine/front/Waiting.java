package io.millrace.ops.gridengine.front;

import io.millrace.reservations.resources.RequestClass;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** A qsub that stays after the submission: -now y until the job starts, -sync y until it ends. */
final class Waiting {

  private static final long LOOK_MS = 200;

  private final Call call;
  private final List<Long> numbers;

  Waiting(Call call, List<Long> numbers) {
    this.call = call;
    this.numbers = numbers;
  }

  int follow(Submission asked) throws QueryException, LinkException, InterruptedException {
    if (asked.immediate() && !startedAtOnce()) {
      return 1;
    }
    return asked.sync() ? ends(asked.array()) : 0;
  }

  private boolean startedAtOnce() throws QueryException, LinkException, InterruptedException {
    call.invocation().err("Waiting for immediate job to be scheduled.\n");
    long number = numbers.get(0);
    while (!call.invocation().clientGone()) {
      Optional<Job> job = call.site().queries().job(number);
      boolean waits = job.isPresent() && job.get().getStatus() == JobStatus.QUEUED;
      if (job.isPresent() && !waits) {
        call.invocation()
            .err("\nYour immediate job " + number + " has been successfully scheduled.\n");
        return true;
      }
      if (job.isEmpty() || givenUp(job.get())) {
        break;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    delete();
    call.invocation().err("\nYour qsub request could not be scheduled; try again later.\n");
    return false;
  }

  private boolean givenUp(Job job) throws QueryException, InterruptedException {
    Optional<ClusterObject> queue =
        call.site().cluster().find(ObjectKind.QUEUE, job.getSpec().getQueue());
    if (queue.isEmpty()) {
      return true;
    }
    String scheduler = call.site().schedulerOf(queue.get());
    String key = RequestClass.gridEngineJob(Texts.number(job));
    return call.site()
        .queries()
        .reason(call.site().shardOf(queue.get()), scheduler, key)
        .filter(reason -> reason.getReason().getCode().equals("SGE_NOT_AT_ONCE"))
        .isPresent();
  }

  private void delete() throws QueryException, LinkException, InterruptedException {
    for (long number : numbers) {
      OptionalInt birth = call.site().queries().birth(number);
      if (birth.isPresent()) {
        String id = number + "." + call.site().server();
        call.send(
            birth.getAsInt(), meta -> new DeleteJob(meta, id, false, List.of(), false, false));
      }
    }
  }

  /** The exit status of the job, or the highest of its tasks. */
  private int ends(boolean array) throws QueryException, InterruptedException {
    int status = 0;
    for (long number : numbers) {
      Optional<Job> job = call.site().queries().job(number);
      while (job.isPresent() && job.get().getStatus() != JobStatus.FINISHED) {
        if (call.invocation().clientGone()) {
          return status;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        job = call.site().queries().job(number);
      }
      int exit = job.map(Job::getExitStatus).orElse(0);
      String who = job.map(Texts::id).orElse(Long.toString(number));
      // Grid Engine tells a failure on standard error, and success on standard output.
      String line = (array ? "Task " : "Job ") + who + " exited with exit code " + exit + ".\n";
      if (exit == 0) {
        call.out(line);
      } else {
        call.invocation().err(line);
      }
      status = Math.max(status, exit & 0xff);
    }
    return status;
  }
}
