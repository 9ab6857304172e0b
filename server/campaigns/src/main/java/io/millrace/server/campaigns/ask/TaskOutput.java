package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.print.JobPaths;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is known of the job of a task, and what it has written. */
public final class TaskOutput {

  /** As much of the end of a file is shown as CiGri shows. */
  private static final int TAIL = 100_000;

  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,15})\\..*");

  private TaskOutput() {}

  private static Job job(Call call, ShownTask task)
      throws Failure, QueryException, InterruptedException {
    Matcher number = NUMBER.matcher(task.getJobId());
    Optional<Job> job =
        number.matches()
            ? call.site().queries().job(Long.parseLong(number.group(1)))
            : Optional.empty();
    return job.orElseThrow(
        () -> call.failure("of job " + task.getTask() + " nothing is known at a cluster now", 1));
  }

  /** What qstat -f shows of its job. */
  public static List<ShownAttribute> attributes(Call call, ShownTask task)
      throws Failure, QueryException, InterruptedException {
    Job job = job(call, task);
    Times times = new Times(call.zone());
    return new JobAttributeText(times, call.site().server())
        .attributes(job, JobAttributeText.Joined.NOTHING);
  }

  /**
   * The end of what it has written, read with the caller's rights where he calls.
   *
   * @param error what it has written of errors
   */
  public static String text(Call call, ShownTask task, boolean error)
      throws Failure, QueryException, InterruptedException {
    Job job = job(call, task);
    String place = error ? JobPaths.error(job) : JobPaths.output(job);
    String path = place.substring(place.indexOf(':') + 1);
    try (InputStream in = call.invocation().openFile(path)) {
      byte[] last = new byte[TAIL];
      int length = 0;
      byte[] piece = new byte[TAIL / 2];
      for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
        int keep = Math.min(length, TAIL - read);
        System.arraycopy(last, length - keep, last, 0, keep);
        System.arraycopy(piece, 0, last, keep, read);
        length = keep + read;
      }
      return new String(last, 0, length, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw call.failure(path + ": " + e.getMessage(), 1);
    }
  }
}
