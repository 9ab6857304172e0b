package io.millrace.ops.faults.outside;

import io.millrace.ops.outside.peer.PeerCluster;

/**
 * What a system's commands say while their credentials are refused.
 *
 * @param complaint on standard error, with exit status 1
 * @param asking the command that asks for the queue
 * @param answer what that one prints in its place, with exit status 0; empty when it fails, too
 * @param none what it prints when the queue is empty
 * @param unknown what it prints of a job that it does not know, when asked with -j; empty where
 *     that is what it prints of an empty queue
 */
record OutageWords(String complaint, String asking, String answer, String none, String unknown) {

  private static final OutageWords SLURM =
      new OutageWords(
          "sbatch: error: Batch job submission failed: Invalid authentication credential\n",
          "squeue",
          "{\"meta\":{},\"errors\":[{\"description\":\"Failed while looking for jobs\","
              + "\"error_number\":1007,\"error\":\"Protocol authentication error\"}],\"jobs\":[]}\n",
          "{\"meta\":{},\"errors\":[],\"jobs\":[]}\n",
          "");

  private static final OutageWords GRID_ENGINE =
      new OutageWords(
          "error: commlib error: access denied (client IP resolved to host name \"\")\n"
              + "error: unable to contact qmaster using port 6444\n",
          "qstat",
          "",
          "<?xml version='1.0'?>\n<job_info><queue_info></queue_info><job_info></job_info>"
              + "</job_info>\n",
          "<?xml version='1.0'?>\n<unknown_jobs></unknown_jobs>\n");

  static OutageWords of(PeerCluster cluster) {
    return switch (cluster) {
      case SLURM -> SLURM;
      case GRID_ENGINE -> GRID_ENGINE;
    };
  }

  /** What the command that asks for the queue prints; empty when it fails. */
  String answer(boolean asEmpty) {
    return asEmpty ? none : answer;
  }
}
