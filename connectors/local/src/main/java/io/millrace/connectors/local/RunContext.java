package io.millrace.connectors.local;

import java.util.List;
import java.util.Map;

/**
 * What a run's program sees around it.
 *
 * @param jobName becomes PBS_JOBNAME
 * @param queue becomes PBS_QUEUE
 * @param variables the job's Variable_List
 * @param nodes the lines of the node file: a host name for each chunk or MPI process
 * @param ncpus becomes NCPUS and, unless the job sets it itself, OMP_NUM_THREADS
 */
public record RunContext(
    String jobName, String queue, Map<String, String> variables, List<String> nodes, int ncpus) {
  public RunContext {
    variables = Map.copyOf(variables);
    nodes = List.copyOf(nodes);
  }
}
