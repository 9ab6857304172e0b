package io.millrace.server.gateway.print;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import java.util.List;
import java.util.OptionalInt;

/** Whether the files that a job left were delivered: its output, and what was to be staged out. */
final class Delivery {

  /** PBS's status of a run that was lost with the node on which it began. */
  static final int NODE_FAILED = -20;

  /** How supervisors' messages about files that were not delivered begin in the job's history. */
  private static final List<String> FAILURES =
      List.of("cannot deliver output: ", "output kept in ", "cannot stage files out: ");

  private Delivery() {}

  /**
   * PBS's Stageout_status of a job that has ended: 1 when all is where it belongs, 0 when something
   * could not be brought; empty for one that had nothing to bring, or whose host is lost.
   */
  static OptionalInt status(Job job) {
    boolean ran =
        job.getStatus() == JobStatus.FINISHED
            && job.getStartedMs() >= 0
            && job.getSessionId() > 0
            && job.getExitStatus() != null
            && job.getExitStatus() != NODE_FAILED;
    if (!ran || !hasFiles(job.getSpec())) {
      return OptionalInt.empty();
    }
    String end = "";
    for (JobEvent event : job.getEvents()) {
      end = event.getWhat().equals("finished") ? event.getDetail() : end;
    }
    return OptionalInt.of(FAILURES.stream().anyMatch(end::contains) ? 0 : 1);
  }

  private static boolean hasFiles(JobSpec spec) {
    if (!JobAttributes.passed(spec, "stageout", "").isEmpty()) {
      return true;
    }
    String keep = JobAttributes.passed(spec, "Keep_Files", "n");
    boolean output = !spec.getJoinPath().equals("eo") && keep.indexOf('o') < 0;
    boolean error = !spec.getJoinPath().equals("oe") && keep.indexOf('e') < 0;
    return spec.getTerminal().isEmpty() && (output || error);
  }
}
