package io.millrace.server.core.job.submit;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;

/**
 * Where output goes when the submitter named no path: {@code host:workdir/name.oNUMBER} and {@code
 * .eNUMBER}. Only the shard knows the number; a later change of the name changes nothing.
 */
final class OutputPaths {
  private static final String DIRECTORY = "PBS_O_WORKDIR";

  private OutputPaths() {}

  /** The spec itself when both paths are there, else a copy that has them. */
  static JobSpec filled(JobSpec spec, long number) {
    if (!spec.getOutputPath().isEmpty() && !spec.getErrorPath().isEmpty()) {
      return spec;
    }
    JobSpec filled = new JobSpec();
    for (int i = 0; i < spec.getSchema().getFields().size(); i++) {
      filled.put(i, spec.get(i));
    }
    String base = spec.getSubmitHost() + ":" + directory(spec) + "/" + spec.getName();
    if (spec.getOutputPath().isEmpty()) {
      filled.setOutputPath(base + ".o" + number);
    }
    if (spec.getErrorPath().isEmpty()) {
      filled.setErrorPath(base + ".e" + number);
    }
    return filled;
  }

  private static String directory(JobSpec spec) {
    for (Attribute variable : spec.getVariables()) {
      if (variable.getName().equals(DIRECTORY)) {
        return variable.getValue().equals("/") ? "" : variable.getValue();
      }
    }
    return "";
  }
}
