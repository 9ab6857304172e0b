package io.millrace.connectors.local.run;

import java.util.Map;

/**
 * The environment of a run's program.
 *
 * @param jobName becomes PBS_JOBNAME
 * @param queue becomes PBS_QUEUE
 * @param variables the job's Variable_List
 * @param nodes where it runs
 * @param ncpus becomes NCPUS and, unless the job sets it itself, OMP_NUM_THREADS
 * @param start where the program starts
 */
public record RunContext(
    String jobName,
    String queue,
    Map<String, String> variables,
    RunNodes nodes,
    int ncpus,
    RunStart start) {

  /**
   * @param directory absolute; empty for the owner's home
   * @param nodesAlso one more variable that names the node file; empty for none
   * @param checked true when a start whose directory, output files or shell are missing is refused
   *     before anything of it runs, as in Grid Engine
   */
  public record RunStart(String directory, String nodesAlso, boolean checked) {
    /** The owner's home, where PBS starts jobs. */
    public static final RunStart HOME = new RunStart("", "", false);
  }

  public RunContext {
    variables = Map.copyOf(variables);
  }
}
