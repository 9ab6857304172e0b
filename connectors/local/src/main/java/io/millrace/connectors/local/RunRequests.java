package io.millrace.connectors.local;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.output.StartRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Orders of the topic dispatch as requests to an execution. */
final class RunRequests {
  private static final String NCPUS = "ncpus";
  private static final String MPIPROCS = "mpiprocs";
  private static final String OMPTHREADS = "ompthreads";

  private RunRequests() {}

  /**
   * @param offset of the order in the topic dispatch
   * @throws IllegalArgumentException in one line, when the order cannot be carried out as it is
   */
  static RunRequest of(StartRun order, long offset) {
    JobSpec spec = order.getSpec();
    List<NodeShare> shares = order.getAllocation().getShares();
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("the order to start the run names no node");
    }
    Origin origin = new Origin(order.getShard(), offset, allCpus(shares));
    return new RunRequest(
        new RunId(order.getJobId(), order.getRun()),
        new RunOwner(spec.getOwner(), spec.getGroup()),
        program(order),
        spec.getGridEngine() == null || order.getAllocation().getGridEngine() == null
            ? context(order, shares)
            : GridEngineRuns.context(order, context(order, shares)),
        new RunFiles(
            spec.getOutputPath(), spec.getErrorPath(), spec.getJoinPath(), RunFiles.DEFAULT_UMASK),
        new RunTerms(
            Math.max(0, spec.getRequest().getWalltimeS()), order.getKillDelayS(), origin.text()));
  }

  private static RunProgram program(StartRun order) {
    JobSpec spec = order.getSpec();
    if (!spec.getArgv().isEmpty()) {
      return new RunProgram.Command(spec.getArgv());
    }
    ByteBuffer script = order.getScript().duplicate();
    byte[] text = new byte[script.remaining()];
    script.get(text);
    List<String> arguments =
        spec.getGridEngine() == null ? List.of() : spec.getGridEngine().getArguments();
    return new RunProgram.Script(text, spec.getShell(), arguments);
  }

  private static RunContext context(StartRun order, List<NodeShare> shares) {
    JobSpec spec = order.getSpec();
    Map<String, String> variables = new HashMap<>();
    for (Attribute variable : spec.getVariables()) {
      variables.put(variable.getName(), variable.getValue());
    }
    long number = JobNumbers.of(order.getJobId());
    if (JobNumbers.isSubjob(number)) {
      variables.put("PBS_ARRAY_INDEX", Integer.toString(JobNumbers.index(number)));
      variables.put("PBS_ARRAY_ID", order.getJobId().replaceFirst("\\[\\d+]", "[]"));
    }
    NodeShare first = shares.get(0);
    long threads = ofOneChunk(first, OMPTHREADS);
    if (threads > 0) {
      variables.putIfAbsent("OMP_NUM_THREADS", Long.toString(threads));
    }
    int ncpus = (int) Math.max(1, ofOneChunk(first, NCPUS));
    return new RunContext(spec.getName(), spec.getQueue(), variables, nodeFile(shares), ncpus);
  }

  /** A line for each MPI process; where none were asked for, for each chunk. */
  private static List<String> nodeFile(List<NodeShare> shares) {
    List<String> lines = new ArrayList<>();
    for (NodeShare share : shares) {
      long processes = Math.max(share.getChunks(), amount(share, MPIPROCS));
      for (long i = 0; i < processes; i++) {
        lines.add(share.getHost());
      }
    }
    return lines;
  }

  private static int allCpus(List<NodeShare> shares) {
    long sum = 0;
    for (NodeShare share : shares) {
      sum += amount(share, NCPUS);
    }
    return (int) sum;
  }

  private static long ofOneChunk(NodeShare share, String resource) {
    return amount(share, resource) / Math.max(1, share.getChunks());
  }

  private static long amount(NodeShare share, String resource) {
    return share.getAmounts().getOrDefault(resource, 0L);
  }
}
