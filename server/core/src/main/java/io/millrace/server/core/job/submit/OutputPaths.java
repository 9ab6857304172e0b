package io.millrace.server.core.job.submit;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.state.Copies;

/**
 * Where output goes when the submitter named no path: {@code host:workdir/name.oNUMBER} and {@code
 * .eNUMBER}. Only the shard knows the number; a later change of the name changes nothing.
 */
final class OutputPaths {
  private static final String DIRECTORY = "PBS_O_WORKDIR";

  private OutputPaths() {}

  /** The spec itself when both paths are there, else a copy that has them. */
  static JobSpec filled(JobSpec spec, long number, boolean array) {
    if (spec.getGridEngine() != null) {
      return numbered(spec, number);
    }
    if (!spec.getOutputPath().isEmpty() && !spec.getErrorPath().isEmpty()) {
      return spec;
    }
    JobSpec filled = new JobSpec();
    for (int i = 0; i < spec.getSchema().getFields().size(); i++) {
      filled.put(i, spec.get(i));
    }
    String base = spec.getSubmitHost() + ":" + directory(spec) + "/" + spec.getName();
    String part = array ? "." + SubjobWindow.INDEX : "";
    if (spec.getOutputPath().isEmpty()) {
      filled.setOutputPath(base + ".o" + number + part);
    }
    if (spec.getErrorPath().isEmpty()) {
      filled.setErrorPath(base + ".e" + number + part);
    }
    return filled;
  }

  /** Paths in Grid Engine's way, which name the job and the task by variables. */
  private static JobSpec numbered(JobSpec spec, long number) {
    GridEngineRequest request = spec.getGridEngine();
    String job = Long.toString(request.getTask() > 0 ? request.getArray() : number);
    String task = request.getTask() > 0 ? Integer.toString(request.getTask()) : "undefined";
    JobSpec filled = Copies.of(spec);
    filled.setOutputPath(spec.getOutputPath().replace("$JOB_ID", job).replace("$TASK_ID", task));
    filled.setErrorPath(spec.getErrorPath().replace("$JOB_ID", job).replace("$TASK_ID", task));
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
