package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.common.JobSpec;

/** Jobs that write down how their steps end. */
public final class WrittenSteps {
  /** Its executor puts a file's name in the place of an empty value, and reads it at the end. */
  public static final String VARIABLE = "MILLRACE_STEPS";

  private WrittenSteps() {}

  /**
   * Whether a job that has begun is over with its run, whoever wants it to run again. It is a
   * campaign's, and runs tasks one after another: what it has written down of them is known at the
   * end of the run only, and another run would begin with the first one again. What is left the
   * campaign sends in other jobs.
   */
  public static boolean runsOnce(JobSpec spec) {
    return !spec.getCampaign().isEmpty()
        && spec.getVariables().stream().anyMatch(it -> it.getName().equals(VARIABLE));
  }
}
