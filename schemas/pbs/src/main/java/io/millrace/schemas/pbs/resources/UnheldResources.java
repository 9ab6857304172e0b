package io.millrace.schemas.pbs.resources;

import java.util.Map;
import java.util.Optional;

/**
 * Resources that PBS bounds jobs by and that nothing holds here: whoever names one, be it for a job
 * or in a default or bound, is told what is so instead.
 */
public final class UnheldResources {

  private static final Map<String, String> ALL =
      Map.of(
          "file", "the size of files is not bounded",
          "nice", "runs have the priority of the executor of their host",
          "pmem", "processes are not bounded one by one",
          "pvmem", "processes are not bounded one by one",
          "min_walltime", "a job has one walltime",
          "max_walltime", "a job has one walltime",
          "soft_walltime", "a job has one walltime");

  private UnheldResources() {}

  /** What is so instead of the resource; empty for one that is held, or that nobody knows. */
  public static Optional<String> instead(String resource) {
    return Optional.ofNullable(ALL.get(resource));
  }
}
