package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.print.JobPaths;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * What of a job is its owner's: variables, program and arguments. Operators and managers see it,
 * too, and everybody where the server says so; for all others the job is without it.
 */
final class PrivateParts {

  /** Attribute of the server: True shows these parts to all, as PBS does. */
  static final String SHOWN = "query_other_jobs_in_full";

  private PrivateParts() {}

  /**
   * A job as somebody sees it where the server does not show these parts to all.
   *
   * @param user whom the kernel or his credential named
   * @param role asked only for a job of somebody else
   */
  static Job seenBy(String user, Supplier<Role> role, Job job) {
    boolean own = job.getSpec().getOwner().equals(user);
    return own || role.get() != Role.USER ? job : without(job);
  }

  /** A copy; paths that follow from variables are as they were. */
  private static Job without(Job job) {
    JobSpec spec = copy(job.getSpec(), new JobSpec());
    spec.setOutputPath(JobPaths.output(job));
    spec.setErrorPath(JobPaths.error(job));
    Optional<String> directory = JobPaths.directory(job);
    if (directory.isPresent()) {
      List<Attribute> extra = new ArrayList<>(spec.getExtra());
      extra.add(new Attribute(JobPaths.DIRECTORY, directory.get()));
      spec.setExtra(extra);
    }
    spec.setVariables(List.of());
    spec.setArgv(List.of());
    spec.setSubmitArguments("");
    spec.setScriptHash(ByteBuffer.allocate(0));
    if (spec.getGridEngine() != null) {
      GridEngineRequest request = copy(spec.getGridEngine(), new GridEngineRequest());
      request.setArguments(List.of());
      spec.setGridEngine(request);
    }
    Job seen = copy(job, new Job());
    seen.setSpec(spec);
    return seen;
  }

  /** Field by field: Avro's own builders copy the whole tree. */
  private static <R extends SpecificRecord> R copy(R from, R to) {
    int fields = from.getSchema().getFields().size();
    for (int i = 0; i < fields; i++) {
      to.put(i, from.get(i));
    }
    return to;
  }
}
