package io.millrace.server.gateway.print;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.util.OptionalLong;

/** How much a job has used of what it asked for, in per cent. */
public final class JobProgress {

  private static final String UNKNOWN = "-- ";

  private JobProgress() {}

  /**
   * Per cent of the walltime or of the processor time asked for, the larger of both. What a run has
   * used of processor time is known when it ends. Of an array, of its subjobs that have ended.
   */
  public static String percent(Job job, long nowMs) {
    String state = JobAttributeText.state(job);
    if (state.equals("Q") || state.equals("T")) {
      return UNKNOWN;
    }
    if (state.equals("X")) {
      return "100";
    }
    if (job.getArray() != null && !JobNumbers.isSubjob(job.getNumber())) {
      return String.format("%3d ", ArrayText.percent(job.getArray()));
    }
    OptionalLong cput =
        job.getUsed() == null ? OptionalLong.empty() : OptionalLong.of(job.getUsed().getCputS());
    long percent = Math.max(part(job, "cput", cput), part(job, "walltime", walltimeS(job, nowMs)));
    return percent < 0 ? UNKNOWN : String.format("%3d ", percent);
  }

  /** How long the job ran or has run until now; empty before its start is known. */
  static OptionalLong walltimeS(Job job, long nowMs) {
    if (job.getUsed() != null) {
      return OptionalLong.of(job.getUsed().getWalltimeS());
    }
    boolean started = job.getSessionId() > 0 && job.getStartedMs() >= 0;
    return job.getStatus() == JobStatus.RUNNING && started
        ? OptionalLong.of(Resumption.ranMs(job, nowMs) / 1000)
        : OptionalLong.empty();
  }

  private static long part(Job job, String resource, OptionalLong usedS) {
    String asked = JobAttributeText.resource(job, resource).orElse("");
    if (asked.isEmpty() || usedS.isEmpty()) {
      return -1;
    }
    try {
      long askedS = Amounts.parse(ResourceTable.standard().find(resource).orElseThrow(), asked);
      return askedS == 0 ? -1 : usedS.getAsLong() * 100 / askedS;
    } catch (RequestException e) {
      return -1;
    }
  }
}
