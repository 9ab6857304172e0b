package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.server.gateway.link.LinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Queues tasks, as many at once as a command may carry, and tells when only some got through. */
final class Queueing {

  /** Jobs of one command to the shard. */
  private static final int JOBS_MAX = 100;

  /** What the jobs of one command may take together. */
  private static final long BYTES_MAX = 1 << 20;

  /** Where the jobs of one command go. */
  interface NewJobShard {
    Reply take(List<NewJob> jobs) throws LinkException, InterruptedException;
  }

  /** Makes the job of a task; the array is the number of its first job, 0 for that one itself. */
  interface JobOfTask {
    NewJob job(int task, long array);
  }

  private final NewJobShard shard;
  private final JobOfTask tasks;
  private final Consumer<String> errors;

  /**
   * @param errors takes the line about an array of which only a part is known to be queued
   */
  Queueing(NewJobShard shard, JobOfTask tasks, Consumer<String> errors) {
    this.shard = shard;
    this.tasks = tasks;
    this.errors = errors;
  }

  /**
   * Queues these tasks; gives the numbers of their jobs.
   *
   * @param array whether they are told apart, or a single job
   * @throws RequestRefused when the shard refuses
   */
  List<Long> queue(List<Integer> wanted, boolean array) throws LinkException, InterruptedException {
    List<Long> numbers = new ArrayList<>();
    boolean all = false;
    try {
      int at = 0;
      while (at < wanted.size()) {
        List<NewJob> some = part(wanted, at, array && at > 0 ? numbers.get(0) : 0);
        at += some.size();
        Reply reply = shard.take(some);
        if (reply.getCode() != 0) {
          throw new RequestRefused("job rejected: " + String.join(" ", reply.getLines()));
        }
        reply.getLines().forEach(id -> numbers.add(JobNumbers.of(id)));
      }
      all = true;
    } finally {
      // What went wrong is told by the one who catches it.
      if (!all && !numbers.isEmpty()) {
        errors.accept(partly(numbers, wanted.size()));
      }
    }
    return numbers;
  }

  private static String partly(List<Long> numbers, int wanted) {
    return "job-array "
        + numbers.get(0)
        + ": only "
        + numbers.size()
        + " of "
        + wanted
        + " tasks are known to be queued\n";
  }

  private List<NewJob> part(List<Integer> wanted, int from, long array) {
    List<NewJob> some = new ArrayList<>();
    long bytes = 0;
    for (int at = from; at < wanted.size() && some.size() < JOBS_MAX && bytes < BYTES_MAX; at++) {
      NewJob job = tasks.job(wanted.get(at), array);
      bytes += size(job.getSpec());
      some.add(job);
    }
    return some;
  }

  private static long size(JobSpec task) {
    long size = 1000;
    for (Attribute variable : task.getVariables()) {
      size += variable.getName().length() + variable.getValue().length() + 4;
    }
    for (String word : task.getArgv()) {
      size += word.length();
    }
    return size;
  }
}
