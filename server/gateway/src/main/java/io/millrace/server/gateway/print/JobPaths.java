package io.millrace.server.gateway.print;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.state.Job;
import java.util.Optional;

/** Paths of a job that follow from the variables it was submitted with, unless they are given. */
public final class JobPaths {

  /** Where a run works, as PBS calls it. */
  public static final String DIRECTORY = "jobdir";

  private JobPaths() {}

  /** Where output goes; by default {@code host:workdir/name.o12}. */
  public static String output(Job job) {
    return path(job, job.getSpec().getOutputPath(), 'o');
  }

  /** Where error output goes; by default {@code host:workdir/name.e12}. */
  public static String error(Job job) {
    return path(job, job.getSpec().getErrorPath(), 'e');
  }

  private static String path(Job job, String given, char letter) {
    if (!given.isEmpty()) {
      return given;
    }
    JobSpec spec = job.getSpec();
    String directory = variable(spec, "PBS_O_WORKDIR").orElse("");
    String file = spec.getName() + "." + letter + job.getNumber();
    return spec.getSubmitHost() + ":" + directory + "/" + file;
  }

  /** Where a run of the job works; empty when nobody knows. */
  public static Optional<String> directory(Job job) {
    JobSpec spec = job.getSpec();
    String given = JobAttributes.passed(spec, DIRECTORY, "");
    if (!given.isEmpty()) {
      return Optional.of(given);
    }
    boolean sandbox = JobAttributes.passed(spec, "sandbox", "").equals("PRIVATE");
    String below = sandbox ? "/" + JobAttributes.directory(job.getId()) : "";
    return variable(spec, "PBS_O_HOME").map(home -> home + below);
  }

  private static Optional<String> variable(JobSpec spec, String name) {
    return spec.getVariables().stream()
        .filter(v -> v.getName().equals(name))
        .map(Attribute::getValue)
        .findFirst();
  }
}
