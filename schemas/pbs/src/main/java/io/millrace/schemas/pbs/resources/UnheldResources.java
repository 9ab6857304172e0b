package io.millrace.schemas.pbs.resources;

import java.util.Map;
import java.util.Optional;

/**
 * Resources that limit jobs in PBS but not in Millrace. Whoever names one, in a job or in a default
 * or limit, is told what to use instead.
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

  /** What to use instead of the resource; empty for one that is supported or unknown. */
  public static Optional<String> instead(String resource) {
    return Optional.ofNullable(ALL.get(resource));
  }
}
