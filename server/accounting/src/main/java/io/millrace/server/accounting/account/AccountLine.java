package io.millrace.server.accounting.account;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.book.JobAccount;
import io.millrace.server.accounting.book.UsageText;
import io.millrace.server.accounting.file.LocalTimes;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The texts of accounting lines, without line ends, in PBS's order. */
final class AccountLine {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);
  private static final int USUAL_LENGTH = 512;

  private final LocalTimes times;

  AccountLine(ZoneId zone) {
    this.times = new LocalTimes(TIME, zone);
  }

  /** The job came into a queue. */
  String queued(long atMs, JobAccount job) {
    StringBuilder line = common(head(atMs, 'Q', job), job);
    // PBS tells one or the other.
    line.append(job.array() == null ? job.waiting().depend() : job.array().indices());
    return line.append(job.requested()).toString();
  }

  /** A run began. */
  String started(long atMs, JobAccount job) {
    return ran(head(atMs, 'S', job), job).append(job.run().assigned()).toString();
  }

  /** The first run of an array's subjobs began. */
  String arrayStarted(long atMs, JobAccount array) {
    StringBuilder line = arrayBegan(head(atMs, 'S', array), array);
    return line.append(array.array().indices()).append(array.requested()).toString();
  }

  /**
   * The last of them ended, or was deleted.
   *
   * @param eligibleMs as of {@link #ended}
   */
  String arrayEnded(long atMs, JobAccount array, int exitStatus, long eligibleMs) {
    StringBuilder line = arrayBegan(head(atMs, 'E', array), array).append(array.requested());
    line.append("session=0 end=").append(seconds(atMs));
    line.append(" Exit_status=").append(exitStatus);
    return waited(line, eligibleMs).append(" run_count=0").toString();
  }

  private static StringBuilder arrayBegan(StringBuilder line, JobAccount array) {
    common(line, array).append("start=").append(seconds(array.array().startedMs()));
    return line.append(' ');
  }

  /**
   * The run and the job ended.
   *
   * @param eligibleMs for how long it has waited for resources; -1 where that is not told
   */
  String ended(long atMs, JobAccount job, int exitStatus, Usage used, long eligibleMs) {
    StringBuilder line = end(head(atMs, 'E', job), atMs, job, exitStatus);
    UsageText.of(used).forEach(part -> line.append(' ').append(part));
    return count(line, job, eligibleMs);
  }

  /**
   * A run ended and the job waits for another.
   *
   * @param job as it was while it ran
   * @param used null when nobody told
   * @param eligibleMs as of {@link #ended}
   */
  String requeued(long atMs, JobAccount job, int exitStatus, Usage used, long eligibleMs) {
    StringBuilder line = end(head(atMs, 'R', job), atMs, job, exitStatus);
    if (used != null) {
      UsageText.of(used).forEach(part -> line.append(' ').append(part));
    }
    return count(line, job, eligibleMs);
  }

  /**
   * Somebody wished the job's end.
   *
   * @param by user@host; a scheduler adds its reason behind a comma, which PBS does not tell here
   */
  String deleted(long atMs, String jobId, String by) {
    int reason = by.indexOf(", ");
    String requestor = reason < 0 ? by : by.substring(0, reason);
    return head(atMs, 'D', jobId) + "requestor=" + AccountValue.visible(requestor);
  }

  /**
   * The run of a best-effort queue was told to end; how it ended is told by E or R.
   *
   * @param again whether its job waits for another run then
   */
  String preempted(long atMs, String jobId, String forJob, boolean again) {
    return times.at(atMs)
        + ";PREEMPTED;"
        + jobId
        + ";preempted_for="
        + AccountValue.visible(forJob)
        + " requeue="
        + (again ? "True" : "False");
  }

  /** The server ended a job that waited, because it can never run. */
  String aborted(long atMs, JobAccount job, String why) {
    String told = DependencyReply.of(why, job.submitter().address());
    return head(atMs, 'A', job) + AccountValue.visible(told);
  }

  /** Somebody changed what the job asks for. */
  String altered(long atMs, JobAccount job, String changes) {
    return head(atMs, 'a', job) + changes;
  }

  /**
   * The run stands still. What it used is told at its end; meanwhile PBS, too, writes noughts for
   * what its host has not reported.
   */
  String suspended(long atMs, JobAccount job, long ranMs) {
    Usage used = new Usage();
    used.setNcpus(job.run() == null ? 0 : job.run().ncpus());
    used.setWalltimeS(ranMs / 1000);
    return head(atMs, 'z', job) + String.join(" ", UsageText.of(used));
  }

  String resumed(long atMs, JobAccount job) {
    return head(atMs, 'r', job).toString();
  }

  private StringBuilder head(long atMs, char type, JobAccount job) {
    return head(atMs, type, job.id());
  }

  StringBuilder head(long atMs, char type, String jobId) {
    StringBuilder line = new StringBuilder(USUAL_LENGTH);
    line.append(times.at(atMs)).append(';').append(type).append(';');
    return line.append(jobId).append(';');
  }

  private static StringBuilder common(StringBuilder line, JobAccount job) {
    JobAccount.WaitingAccount waiting = job.waiting();
    line.append(job.submitter().who()).append("queue=").append(waiting.queue());
    if (ReservationIds.isReserved(waiting.queue())) {
      String server = job.id().substring(job.id().indexOf('.') + 1);
      line.append(" resvID=").append(waiting.queue()).append('.').append(server);
    }
    line.append(" ctime=").append(seconds(waiting.createdMs()));
    line.append(" qtime=").append(seconds(waiting.queuedMs()));
    return line.append(" etime=").append(seconds(waiting.eligibleMs())).append(' ');
  }

  private static StringBuilder ran(StringBuilder line, JobAccount job) {
    common(line, job).append("start=").append(seconds(job.run().startedMs()));
    return line.append(' ').append(job.run().place()).append(job.requested());
  }

  private static String count(StringBuilder line, JobAccount job, long eligibleMs) {
    return waited(line, eligibleMs).append(" run_count=").append(job.run().number()).toString();
  }

  private static StringBuilder waited(StringBuilder line, long eligibleMs) {
    return eligibleMs < 0
        ? line
        : line.append(" eligible_time=").append(Amounts.formatDuration(eligibleMs / 1000));
  }

  private static StringBuilder end(StringBuilder line, long atMs, JobAccount job, int exitStatus) {
    ran(line, job).append("session=").append(job.run().session());
    line.append(" end=").append(seconds(atMs));
    return line.append(" Exit_status=").append(exitStatus);
  }

  /** Seconds since 1970; 0 for a time that is not set. */
  private static long seconds(long ms) {
    return ms < 0 ? 0 : ms / 1000;
  }
}
