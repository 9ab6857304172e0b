package io.millrace.connectors.local.run;

import java.util.List;
import java.util.Map;

/**
 * The environment of a run's program.
 *
 * @param jobName becomes PBS_JOBNAME
 * @param queue becomes PBS_QUEUE
 * @param variables the job's Variable_List
 * @param nodes the lines of the node file: a host name for each chunk or MPI process
 * @param ncpus becomes NCPUS and, unless the job sets it itself, OMP_NUM_THREADS
 * @param start where the program starts
 * @param amounts what was set aside on this host for the run and its tasks, by resource, in whole
 *     units and sizes in bytes
 */
public record RunContext(
    String jobName,
    String queue,
    Map<String, String> variables,
    List<String> nodes,
    int ncpus,
    RunStart start,
    Map<String, Long> amounts) {

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

  /** The context of a run that starts in its owner's home. */
  public RunContext(
      String jobName, String queue, Map<String, String> variables, List<String> nodes, int ncpus) {
    this(
        jobName,
        queue,
        Map.copyOf(variables),
        List.copyOf(nodes),
        ncpus,
        RunStart.HOME,
        Map.of());
  }
}
