package io.millrace.server.accounting;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The texts of accounting lines, without line ends, in PBS's order and with its quotes. */
final class AccountLine {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

  private final ZoneId zone;

  AccountLine(ZoneId zone) {
    this.zone = zone;
  }

  /** The job came into a queue. */
  String queued(long atMs, Job job) {
    return head(atMs, 'Q', job) + common(job) + requested(job);
  }

  /** A run began. */
  String started(long atMs, Job job, ResourceTable resources) {
    Map<String, Long> sums = new TreeMap<>();
    for (NodeShare share : job.getAllocation().getShares()) {
      share.getAmounts().forEach((name, amount) -> sums.merge(name, amount, Long::sum));
    }
    StringBuilder assigned = new StringBuilder();
    sums.forEach(
        (name, amount) ->
            assigned
                .append("resource_assigned.")
                .append(name)
                .append('=')
                .append(
                    resources
                        .find(name)
                        .map(it -> Amounts.formatAssigned(it, amount))
                        .orElse(Long.toString(amount)))
                .append(' '));
    return head(atMs, 'S', job) + common(job) + ran(job) + requested(job) + assigned;
  }

  /** The run and the job ended. */
  String ended(long atMs, Job job, int exitStatus, Usage used) {
    return head(atMs, 'E', job) + end(atMs, job, exitStatus) + " " + used(used) + runs(job);
  }

  /**
   * A run ended and the job waits for another.
   *
   * @param job as it was while it ran
   */
  String requeued(long atMs, Job job, int exitStatus) {
    return head(atMs, 'R', job) + end(atMs, job, exitStatus) + runs(job);
  }

  /**
   * Somebody wished the job's end.
   *
   * @param by user@host; a scheduler adds its reason behind a comma, which PBS does not tell here
   */
  String deleted(long atMs, Job job, String by) {
    int reason = by.indexOf(", ");
    String requestor = reason < 0 ? by : by.substring(0, reason);
    return head(atMs, 'D', job) + "requestor=" + AccountValue.visible(requestor);
  }

  /** The server ended a job that waited, because it can never run. */
  String aborted(long atMs, Job job, String why) {
    return head(atMs, 'A', job) + AccountValue.visible(why);
  }

  /** The run stands still. */
  String suspended(long atMs, Job job, long ranMs) {
    String walltime = Amounts.formatDuration(ranMs / 1000);
    return head(atMs, 'z', job) + "resources_used.walltime=" + walltime;
  }

  String resumed(long atMs, Job job) {
    return head(atMs, 'r', job);
  }

  private String head(long atMs, char type, Job job) {
    return TIME.format(Instant.ofEpochMilli(atMs).atZone(zone))
        + ";"
        + type
        + ";"
        + job.getId()
        + ";";
  }

  private static String common(Job job) {
    JobSpec spec = job.getSpec();
    StringBuilder text = new StringBuilder();
    text.append("user=").append(spec.getOwner());
    text.append(" group=").append(spec.getGroup());
    if (!spec.getAccount().isEmpty()) {
      text.append(" account=").append(AccountValue.quoted(spec.getAccount()));
    }
    text.append(" project=").append(AccountValue.of(spec.getProject()));
    text.append(" jobname=").append(AccountValue.of(spec.getName()));
    text.append(" queue=").append(spec.getQueue());
    text.append(" ctime=").append(seconds(job.getCreatedMs()));
    text.append(" qtime=").append(seconds(job.getQueuedMs()));
    text.append(" etime=").append(seconds(job.getEligibleMs()));
    return text.append(' ').toString();
  }

  private static String ran(Job job) {
    return "start="
        + seconds(job.getStartedMs())
        + " exec_host="
        + job.getAllocation().getExecHost()
        + " exec_vnode="
        + job.getAllocation().getExecVnode()
        + " ";
  }

  private static String requested(Job job) {
    StringBuilder text = new StringBuilder();
    for (Attribute resource : job.getSpec().getResourceList()) {
      text.append("Resource_List.").append(resource.getName()).append('=');
      text.append(AccountValue.of(resource.getValue())).append(' ');
    }
    return text.toString();
  }

  private static String end(long atMs, Job job, int exitStatus) {
    return common(job)
        + ran(job)
        + requested(job)
        + "session="
        + job.getSessionId()
        + " end="
        + seconds(atMs)
        + " Exit_status="
        + exitStatus;
  }

  private static String used(Usage used) {
    return "resources_used.cpupercent="
        + used.getCpupercent()
        + " resources_used.cput="
        + Amounts.formatDuration(used.getCputS())
        + " resources_used.mem="
        + used.getMemKb()
        + "kb resources_used.ncpus="
        + used.getNcpus()
        + " resources_used.vmem="
        + used.getVmemKb()
        + "kb resources_used.walltime="
        + Amounts.formatDuration(used.getWalltimeS());
  }

  private static String runs(Job job) {
    return " run_count=" + job.getRun();
  }

  /** Seconds since 1970; 0 for a time that is not set. */
  private static long seconds(long ms) {
    return ms < 0 ? 0 : ms / 1000;
  }
}
